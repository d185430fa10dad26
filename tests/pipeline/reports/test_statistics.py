"""Intervals cover the truth of simulated games as often as they say; figures agree with scipy and published ones."""

from collections import Counter
from functools import reduce
from operator import add

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.oracle import rows

pytest.importorskip("scipy", reason="statistics need the extra caipan[statistics]")

from scipy import stats

from pipeline.reports import statistics
from pipeline.reports.statistics import Estimate

SIMULATIONS = 1_000


def covered(low, high, truth):
    """The share of intervals that hold the truth."""
    return np.mean((np.asarray(low) <= truth) & (truth <= np.asarray(high)))


# -- shares ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k, n", [(0, 8), (1, 8), (12, 20), (19, 20), (8, 8), (30_151, 100_000)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wilson_is_scipys(k, n, confidence):
    theirs = stats.binomtest(k, n).proportion_ci(confidence, method="wilson")
    found = statistics.share(k, n, confidence)
    assert (found.value, found.n) == (k / n, n)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_a_share_of_nothing_says_nothing():
    found = statistics.share(0, 0)
    assert np.isnan(found.value)
    assert (found.low, found.high, found.n, found.against(0.5)) == (0, 1, 0, 0)


def test_shares_hold_for_fractions_of_games():
    low, high = statistics.wilson([1.5, 3], [4, 8])
    assert high[0] - low[0] > high[1] - low[1] > 0


# A share is discrete, so coverage jumps with n and p (Brown, Cai and DasGupta 2001); from n·p(1-p) >= 10 on it is fair.
@pytest.mark.parametrize("n, p", [(100, 0.5), (200, 0.1), (400, 0.35), (2_000, 0.97)])
def test_wilson_covers_the_truth(n, p):
    k = np.random.default_rng(1).binomial(n, p, SIMULATIONS)
    assert 0.93 <= covered(*statistics.wilson(k, np.full(SIMULATIONS, n)), p) <= 0.97


def test_shares_of_reported_imbalance():
    [row] = [row for row in rows("bug_cases") if row["id"] == "BUG-070"]
    wording = {
        0: "no detectable first-mover effect",
        1: "first mover favoured",
        -1: "second mover favoured",
    }
    for told in row["input"]["rows"]:
        found = statistics.share(told["first"], told["first"] + told["second"])
        wanted = row["expected"]["wilson95"][told["ruleset"]]
        assert (found.low, found.high) == pytest.approx(wanted, abs=row["expected"]["tolerance"])
        assert wording[found.against(0.5)] == row["expected"]["wording"][told["ruleset"]]


# -- means -------------------------------------------------------------------------------------------


def test_mean_is_scipys():
    values = np.random.default_rng(2).gamma(2, 30, 25)
    theirs = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    found = statistics.mean(values)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))
    assert (found.value, found.n) == (pytest.approx(values.mean()), 25)


def test_mean_of_one_value_has_no_interval():
    assert statistics.mean([7]) == Estimate(7, -np.inf, np.inf, 1)


def test_mean_covers_the_truth():
    games = np.random.default_rng(3).gamma(4, 20, (SIMULATIONS, 60))
    found = [statistics.mean(game) for game in games]
    assert 0.93 <= covered([f.low for f in found], [f.high for f in found], 80) <= 0.97


# -- bootstrap ---------------------------------------------------------------------------------------


def test_bootstrap_is_scipys():
    rng = np.random.default_rng(4)
    points, games = rng.integers(0, 5, 150) / 2, rng.integers(1, 3, 150)

    def ratio(p, g, axis):
        return p.sum(axis) / g.sum(axis)

    theirs = stats.bootstrap(
        (points, games),
        ratio,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=100_000,
        batch=10_000,
        rng=np.random.default_rng(5),
    ).confidence_interval
    found = statistics.clustered_share(points, games, resamples=100_000)
    assert (found.value, found.n) == (pytest.approx(points.sum() / games.sum()), 150)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.0015)


def test_bootstrap_is_the_same_every_time():
    assert statistics.clustered_share([0, 1, 1.5], [2, 2, 2]) == statistics.clustered_share(
        [0, 1, 1.5], [2, 2, 2]
    )


def test_bootstrap_of_nothing_says_nothing():
    found = statistics.bootstrap([0, 0], lambda counts: counts[..., 0])
    assert (found.low, found.high, found.n) == (-np.inf, np.inf, 0)


@pytest.mark.parametrize("points, games", [(2, 2), (0, 2), (1, 2), (0.5, 1)])
@pytest.mark.parametrize("n", [1, 12])
def test_clusters_that_are_all_alike_have_an_interval(points, games, n):
    found = statistics.clustered_share([points] * n, [games] * n)
    assert found == statistics.share(points / games * n, n)
    assert found.high - found.low > 0.2
    assert statistics.clustered_share([points], [games], n) == found


def test_clusters_may_be_counted_before():
    rng = np.random.default_rng(9)
    points, games, times = rng.integers(0, 5, 20) / 2, rng.integers(3, 5, 20), rng.integers(1, 9, 20)
    counted = statistics.clustered_share(points, games, times)
    assert counted == statistics.clustered_share(np.repeat(points, times), np.repeat(games, times))


def test_an_interval_covers_the_truth_also_where_most_samples_are_alike():
    points = np.random.default_rng(10).random((SIMULATIONS, 20)) < 0.99
    found = [statistics.clustered_share(match, np.ones(20), resamples=500) for match in points]
    assert covered([f.low for f in found], [f.high for f in found], 0.99) >= 0.93


def test_bootstrap_over_pairs_covers_the_truth():
    """Red's score where both games of a pair have an opening that may favour Red: pairs vary more than single games."""
    rng = np.random.default_rng(6)
    favour = rng.beta(0.5, 0.5, (SIMULATIONS, 120, 1))
    points = (rng.random((SIMULATIONS, 120, 2)) < favour).sum(-1)
    found = [statistics.clustered_share(match, np.full(120, 2), resamples=2_000) for match in points]
    assert 0.93 <= covered([f.low for f in found], [f.high for f in found], 0.5) <= 0.97
    alone = statistics.wilson(points.sum(-1), np.full(SIMULATIONS, 240))
    assert covered(*alone, 0.5) < 0.93  # as if the games were independent


def test_one_cluster_says_nothing_of_others():
    found = statistics.clustered_mean([7.0], [4])
    assert (found.value, found.low, found.high, found.n) == (1.75, -np.inf, np.inf, 1)


def games_of_events(rng, games=150, points=8):
    """Events of each game by point, of shape (games, points): each game has points of its own that it likes."""
    liking = rng.dirichlet(np.full(points, 1.5), games)
    return np.array(
        [rng.multinomial(n, likes) for n, likes in zip(rng.poisson(6, games) + 1, liking, strict=True)]
    )


def test_means_of_what_happens_in_games_cover_the_truth():
    """Losses of each explosion of a game lean one way: taken as independent they vary less than they do."""
    rng = np.random.default_rng(11)
    clustered, naive = [], []
    for _ in range(SIMULATIONS):
        sizes = rng.integers(1, 8, 120)
        values = [rng.poisson(mean, size) for mean, size in zip(rng.gamma(2, 0.6, 120), sizes, strict=True)]
        clustered.append(statistics.clustered_mean([v.sum() for v in values], sizes, resamples=1_000))
        naive.append(statistics.mean(np.concatenate(values)))
    low, high = np.transpose([(found.low, found.high) for found in clustered])
    assert 0.93 <= covered(low, high, 1.2) <= 0.97
    low, high = np.transpose([(found.low, found.high) for found in naive])
    assert covered(low, high, 1.2) < 0.9


def test_shares_of_what_happens_in_games_cover_the_truth():
    rng = np.random.default_rng(12)
    clustered, naive = [], []
    for _ in range(SIMULATIONS):
        found = games_of_events(rng)
        x, m = found[:, 0], found.sum(1)
        share, n = x.sum() / m.sum(), m.sum()
        worth = statistics.clustered_worth([share], n, [((x - share * m) ** 2).sum()], len(m))
        clustered.append(np.ravel(statistics.wilson(share * worth, worth)))
        naive.append(statistics.wilson(x.sum(), n))
    assert 0.93 <= covered(*np.transpose(clustered), 1 / 8) <= 0.97
    assert covered(*np.transpose(naive), 1 / 8) < 0.9


@pytest.mark.parametrize(
    "x, m, worth",
    [
        pytest.param(
            [1, 0, 0, 1, 0, 1, 0, 0], [1] * 8, 7, id="one event a game, less the mean that is estimated"
        ),
        pytest.param(
            [4, 0, 0, 4, 0], [4] * 5, 4, id="all alike in a game: each is one observation, less one"
        ),
        pytest.param([1, 2, 3], [2, 4, 6], 3, id="every game has the same share"),
        pytest.param([3], [9], 1, id="one game"),
    ],
)
def test_what_events_in_games_are_worth(x, m, worth):
    x, m = np.array(x), np.array(m)
    share = x.sum() / m.sum()
    found = statistics.clustered_worth([share], m.sum(), [((x - share * m) ** 2).sum()], len(m))
    assert found == pytest.approx([worth])


# -- repeated games ----------------------------------------------------------------------------------


def plies(*games):
    """Positions of games, one list of keys each."""
    numbers = [number for number, keys in enumerate(games) for _ in keys]
    return pl.DataFrame({"record": numbers, "position_key": [key for keys in games for key in keys]})


@pytest.mark.parametrize(
    "games, worth",
    [
        pytest.param([range(0, 10), range(10, 30), range(30, 35)], 3, id="different games"),
        pytest.param([range(20)] * 7, 1, id="copies"),
        pytest.param([range(20)] * 7 + [range(100, 160)], 2, id="copies beside another game"),
        pytest.param([range(20), range(19, -1, -1)], 1, id="the same positions in another order"),
        pytest.param(
            [[*range(6), *range(100 * n, 100 * n + 14)] for n in range(1, 11)],
            10 * 14 / 20 + 6 / 20,
            id="ten games share 6 of 20 positions",
        ),
        pytest.param([range(10), range(20)], 1 / 2 + 3 / 4, id="a copy that goes on"),
        pytest.param([[1, 2, 1, 2, 3], [9]], 2, id="a repetition within a game"),
    ],
)
def test_effective_n(games, worth):
    assert statistics.effective_n(plies(*games)) == pytest.approx(worth)


@given(
    st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=12), min_size=1, max_size=8), st.integers(2, 4)
)
def test_copies_add_nothing_and_a_new_game_adds_one(games, times):
    worth = statistics.effective_n(plies(*games))
    assert 1 - 1e-9 <= worth <= len(games) + 1e-9
    assert statistics.effective_n(plies(*games * times)) == pytest.approx(worth)
    assert statistics.effective_n(plies(*games, range(100, 110))) == pytest.approx(worth + 1)


def test_weights_are_by_game():
    found = statistics.weights(plies(range(8), range(8), range(8, 12)).lazy())
    assert found.to_dict(as_series=False) == {"record": [0, 1, 2], "weight": [0.5, 0.5, 1]}


def test_weights_are_the_same_to_the_last_digit_every_time():
    """However many threads share in the work, fractions are added up one after the other."""
    games = [keys.tolist() for keys in np.random.default_rng(7).integers(0, 20_000, (20_000, 15))]
    often = Counter(key for keys in games for key in keys)
    found = statistics.weights(plies(*games), distinct=True)
    assert found["weight"].to_list() == [reduce(add, (1 / often[key] for key in keys)) / 15 for keys in games]


def test_weighted_shares_cover_the_truth_among_copies():
    """Each game stands in the archive one to nine times: counted alike, the interval is too narrow; weighted, right."""
    rng = np.random.default_rng(7)
    naive, weighted = [], []
    for _ in range(SIMULATIONS):
        won, copies = rng.random(150) < 0.4, rng.integers(1, 10, 150)
        naive.append((copies[won].sum(), copies.sum()))
        games = np.repeat(np.arange(150), copies)
        weight = 1 / copies[games]
        weighted.append((weight[won[games]].sum(), weight.sum()))
    assert covered(*statistics.wilson(*np.transpose(naive)), 0.4) < 0.8
    assert 0.93 <= covered(*statistics.wilson(*np.transpose(weighted)), 0.4) <= 0.97
