"""Elo, superiority and sequential tests: published examples, and simulated matches whose truth is known."""

import numpy as np
import pytest

pytest.importorskip("scipy", reason="statistics need the extra caipan[statistics]")

from pipeline.reports import strength
from pipeline.reports.strength import Bounds, units

SIMULATIONS = 1_000


# -- published examples ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "score, difference",
    [
        # talkchess.com, "EloStat, Bayeselo and Ordo": 75 % means 191 points, 90 % exactly double
        pytest.param(0.50, 0, id="even"),
        pytest.param(0.75, 191, id="three points of four"),
        pytest.param(0.90, 382, id="nine of ten"),
    ],
)
def test_elo_of_a_score(score, difference):
    assert round(float(strength.elo(score))) == difference
    assert float(strength.expected_score(strength.elo(score))) == pytest.approx(score)


FISHTEST = units(pairs=[10789, 19328, 33806, 19402, 10543])


@pytest.mark.parametrize(
    "counts, value, half",
    [
        # Fishtest's stat_util.py: elo, elo95 of its own example
        pytest.param(FISHTEST, -0.774, 1.28, id="fishtest"),
        # fastchess, in the release notes of the engine Zeno: "Elo: 19.83 +/- 6.77"
        pytest.param(units(pairs=[352, 579, 1264, 743, 464]), 19.83, 6.77, id="fastchess, 6,804 games"),
    ],
)
def test_elo_differences_are_those_of_others(counts, value, half):
    found = strength.elo_difference(counts)
    assert found.value == pytest.approx(value, rel=1e-3)
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=2e-3)


def test_a_small_match_is_that_of_fastchess_but_for_its_lean():
    """fastchess: "Elo: 72.85 +/- 22.33" for 300 games; the likelihood reaches further from ½ than towards it."""
    found = strength.elo_difference(units(pairs=[1, 10, 78, 48, 13]))
    assert found.value == pytest.approx(72.85, abs=0.005)
    assert (found.high - found.low) / 2 == pytest.approx(22.33, rel=0.01)
    assert found.high - found.value > found.value - found.low
    assert found.n == 300


def test_likelihood_of_superiority():
    """talkchess.com, "Calculating the LOS from results": +5,975 =26,894 -6,077 has 0.1764."""
    assert strength.superiority(units(singles=[6077, 26894, 5975])) == pytest.approx(0.1764, abs=5e-5)


def fishtest_ratio(results, elo0, elo1):
    """Fishtest's LLRcalc.LLR_logistic: the most likely distribution of either mean, by the secular equation. Outcomes
    not seen have a prior there of 0.001 games, here of less."""
    from scipy.optimize import brentq

    seen = np.where(np.asarray(results) == 0, 1e-7, results)
    points = np.linspace(0, 1, len(seen))
    logs = []
    for elo in (elo0, elo1):
        away = points - strength.expected_score(elo)
        x = brentq(
            lambda x, a=away: (seen * a / (1 + x * a)).sum(), -1 / away[-1] + 1e-12, -1 / away[0] - 1e-12
        )
        logs.append((seen * np.log(1 / (1 + x * away))).sum())
    return logs[1] - logs[0]


@pytest.mark.parametrize(
    "results, elo0, elo1",
    [
        ([10789, 19328, 33806, 19402, 10543], -3, 1),
        ([39, 2226, 31451, 2412, 40], 0.2, 0.9),
        ([1187, 7410, 13475, 7378, 1164], -3, 1),
        ([0, 3, 40, 12, 0], 0, 10),
        ([1450, 4000, 1500], 0, 6),
        ([3, 10, 7], 0, 50),
    ],
)
def test_log_likelihood_ratio_is_fishtests(results, elo0, elo1):
    counts = units(pairs=results) if len(results) == 5 else units(singles=results)
    assert float(strength.log_likelihood_ratio(counts, elo0, elo1)) == pytest.approx(
        fishtest_ratio(results, elo0, elo1), rel=1e-4
    )


# -- what must hold ----------------------------------------------------------------------------------


def test_walds_bounds():
    """Fishtest and cutechess print (-2.94, 2.94) for 0.05 and 0.05."""
    bounds = Bounds(0, 5)
    assert (round(bounds.lower, 2), round(bounds.upper, 2)) == (-2.94, 2.94)
    assert Bounds(0, 5, alpha=0.01, beta=0.1).upper == pytest.approx(np.log(0.9 / 0.01))


@pytest.mark.parametrize(
    "bad", [(5, 0), (1, 1), (0, 5, 0, 0.05), (0, 5, 0.05, 0.7), (float("nan"), 5), (0, float("inf"))]
)
def test_bounds_that_cannot_be_tested_are_refused(bad):
    with pytest.raises(ValueError):
        Bounds(*bad)


@pytest.mark.parametrize(
    "counts, low, high",
    [
        # n outcomes alike have the likelihood p^n, and p = exp(-χ²/2n) bounds it: p is the score, or half of it is
        pytest.param(units(pairs=[0, 0, 0, 0, 8]), np.exp(-1.9207 / 8), 1, id="all won"),
        pytest.param(units(pairs=[8, 0, 0, 0, 0]), 0, 1 - np.exp(-1.9207 / 8), id="all lost"),
        pytest.param(
            units(singles=[0, 10, 0]), np.exp(-1.9207 / 10) / 2, 1 - np.exp(-1.9207 / 10) / 2, id="drawn"
        ),
        pytest.param(units(), 0, 1, id="no game"),
    ],
)
def test_matches_that_end_alike_have_an_interval(counts, low, high):
    assert strength.score_interval(counts) == pytest.approx((low, high), abs=1e-4)


def test_the_other_side_has_the_opposite():
    one, other = (strength.elo_difference(units(pairs=p)) for p in ([2, 5, 9, 8, 4], [4, 8, 9, 5, 2]))
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))
    both = [strength.superiority(units(pairs=p)) for p in ([2, 5, 9, 8, 4], [4, 8, 9, 5, 2])]
    assert sum(both) == pytest.approx(1)


def test_single_games_and_pairs_are_weighed_together():
    mixed = units(pairs=[1, 2, 9, 6, 2], singles=[3, 4, 5])
    assert float(strength.score_of(mixed)) == pytest.approx((1 + 9 + 9 + 4 + 2 + 5) / 52)
    assert strength.elo_difference(mixed).n == 52
    low, high = strength.score_interval(mixed)
    alone_low, alone_high = strength.score_interval(units(pairs=[1, 2, 9, 6, 2]))
    assert high - low < alone_high - alone_low


# -- simulated matches -------------------------------------------------------------------------------

EVEN = (0.06, 0.22, 0.44, 0.22, 0.06)
STRONGER = (0.03, 0.15, 0.42, 0.28, 0.12)


def mean_of(pairs):
    return np.dot(pairs, [0, 0.25, 0.5, 0.75, 1])


@pytest.mark.parametrize("pairs", [EVEN, STRONGER], ids=["even", "stronger"])
@pytest.mark.parametrize("n", [40, 200])
def test_intervals_of_paired_matches_cover_the_truth(pairs, n):
    counts = units(pairs=np.random.default_rng(n).multinomial(n, pairs, SIMULATIONS))
    low, high = strength.score_interval(counts)
    assert 0.93 <= np.mean((low <= mean_of(pairs)) & (mean_of(pairs) <= high)) <= 0.97


@pytest.mark.parametrize("losses, draws, wins", [(0.3, 0.4, 0.3), (0.05, 0.15, 0.8)])
def test_intervals_of_single_games_cover_the_truth(losses, draws, wins):
    counts = units(singles=np.random.default_rng(1).multinomial(150, (losses, draws, wins), SIMULATIONS))
    low, high = strength.score_interval(counts)
    truth = wins + draws / 2
    assert 0.93 <= np.mean((low <= truth) & (truth <= high)) <= 0.97


def test_pairs_and_single_games_together_cover_the_truth():
    rng = np.random.default_rng(2)
    single = (0.2, 0.3, 0.5)  # the same mean, 0.65, as the pairs
    pairs = (0.05, 0.15, 0.25, 0.25, 0.3)
    assert mean_of(pairs) == pytest.approx(0.65)
    counts = units(rng.multinomial(60, pairs, SIMULATIONS), rng.multinomial(40, single, SIMULATIONS))
    low, high = strength.score_interval(counts)
    assert 0.93 <= np.mean((low <= 0.65) & (high >= 0.65)) <= 0.97


def test_elo_interval_is_that_of_the_score():
    counts = units(pairs=[3, 15, 42, 28, 12])
    found = strength.elo_difference(counts)
    assert (found.low, found.high) == pytest.approx(
        tuple(map(float, strength.elo(strength.score_interval(counts))))
    )


def accepted(pairs, bounds, seed, every=5, longest=600):
    """How many simulated matches of at most ``longest`` pairs, tested every few pairs, end with H0 and with H1."""
    steps = np.random.default_rng(seed).multinomial(every, pairs, (SIMULATIONS, longest // every))
    counts = units(pairs=steps.cumsum(1))
    ratio = strength.log_likelihood_ratio(counts, bounds.elo0, bounds.elo1)
    over, under = ratio >= bounds.upper, ratio <= bounds.lower
    first_over = np.where(over.any(1), over.argmax(1), over.shape[1])
    first_under = np.where(under.any(1), under.argmax(1), under.shape[1])
    return (first_under < first_over).sum(), (first_over < first_under).sum()


def shifted(pairs, difference):
    """``pairs`` with the mean of an Elo difference, their outer outcomes made likelier."""
    tilt = np.exp(np.outer(np.linspace(-5, 5, 20_001), np.linspace(-0.5, 0.5, 5))) * pairs
    tilt /= tilt.sum(1, keepdims=True)
    return tilt[np.abs(tilt @ [0, 0.25, 0.5, 0.75, 1] - strength.expected_score(difference)).argmin()]


@pytest.mark.parametrize("alpha, beta", [(0.05, 0.05), (0.05, 0.1)])
def test_sequential_tests_err_as_seldom_as_they_say(alpha, beta):
    bounds = Bounds(0, 40, alpha, beta)
    lost, won = accepted(shifted(EVEN, 0), bounds, 3)
    assert won <= alpha * SIMULATIONS + 2 * np.sqrt(alpha * (1 - alpha) * SIMULATIONS)
    assert lost > 0.9 * (1 - alpha) * SIMULATIONS
    lost, won = accepted(shifted(EVEN, 40), bounds, 4)
    assert lost <= beta * SIMULATIONS + 2 * np.sqrt(beta * (1 - beta) * SIMULATIONS)
    assert won > 0.9 * (1 - beta) * SIMULATIONS


def test_a_test_says_where_it_stands():
    bounds = Bounds(0, 30)
    assert strength.sprt(units(pairs=[10, 40, 150, 90, 40]), bounds).accepted == "H1"
    assert strength.sprt(units(pairs=[40, 90, 150, 90, 40]), bounds).accepted == "H0"
    assert strength.sprt(units(pairs=[1, 4, 15, 5, 2]), bounds).accepted == ""
    assert strength.sprt(units(), bounds).llr == 0
