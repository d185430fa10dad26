"""How much stronger one side is: Elo with its interval, likelihood of superiority, sequential tests.

All of it is one likelihood. A match is counted by units: pairs of games on one opening with colours reversed, by the
points that a side made (the pentanomial 0, ½, 1, 1½, 2), and games without a partner (the trinomial 0, ½, 1). The
likelihood of an expected score is that of the most likely distribution over these outcomes with that mean:
https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf (Van den Bergh), proposition 1.1, as in Fishtest's
``LLRcalc.py``; for pairs and single games together it is Owen's empirical likelihood of a ratio (Biometrika 75, 1988,
237–249).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from pipeline.reports.statistics import CONFIDENCE, Estimate, quantile

Array = NDArray[np.float64]

POINTS = np.array([0, 0.5, 1, 1.5, 2, 0, 0.5, 1])
GAMES = np.array([2, 2, 2, 2, 2, 1, 1, 1])
"""Points and games of a unit of each kind: five for pairs, three for single games."""
PAIRS, SINGLES = slice(0, 5), slice(5, 8)


def units(pairs: ArrayLike | None = None, singles: ArrayLike | None = None) -> Array:
    """Counts of units by kind, of shape (…, 8), of ``pairs`` by points (…, 5) and ``singles`` as losses, draws and
    wins (…, 3); what is left out is 0."""
    given = [
        np.zeros(n) if part is None else np.asarray(part, float) for part, n in ((pairs, 5), (singles, 3))
    ]
    leading = np.broadcast_shapes(*(part.shape[:-1] for part in given))
    return np.concatenate([np.broadcast_to(part, (*leading, part.shape[-1])) for part in given], axis=-1)


def elo(score: ArrayLike) -> Array:
    """The difference in Elo at which ``score`` is expected: infinite at 0 and 1 (Elo, The Rating of Chessplayers, 1978,
    in its logistic form)."""
    with np.errstate(divide="ignore"):
        return 400 * (np.log10(score) - np.log10(1 - np.asarray(score, float)))


def expected_score(difference: ArrayLike) -> Array:
    """The inverse of `elo`."""
    return 1 / (1 + 10 ** (-np.asarray(difference, float) / 400))


def score_of(counts: ArrayLike) -> Array:
    """Points per game of ``counts``, as `units` gives them; NaN without games."""
    counts = np.asarray(counts, float)
    with np.errstate(invalid="ignore"):
        return (counts @ POINTS) / (counts @ GAMES)


def deviance(counts: ArrayLike, score: ArrayLike) -> Array:
    """Twice the log-likelihood that ``counts`` lose if ``score`` is the expected score (0 < score < 1), not their own.

    Owen's dual: the maximum over x of 2 Σ n log(1 + x d), where d = points - score · games of each kind of unit. The
    kinds that are possible bound x, seen or not: a match without a loss does not exclude one.
    """
    counts, score = np.asarray(counts, float), np.asarray(score, float)
    seen = counts > 0
    # The largest unit has the extreme outcomes.
    most = np.where(seen[..., PAIRS].any(-1), 2, 1)
    d = POINTS - score[..., None] * GAMES
    shape = np.broadcast_shapes(counts.shape, d.shape)

    def rising(x: Array) -> NDArray[np.bool]:
        slopes = np.divide(counts * d, 1 + x[..., None] * d, out=np.zeros(shape), where=seen)
        return slopes.sum(-1) > 0

    x = _turn(rising, -1 / (most * (1 - score)), 1 / (most * score))
    inside = np.where(seen, x[..., None] * d, 0)
    return 2 * (counts * np.log1p(inside)).sum(-1)


def _turn(true: Callable[[Array], NDArray[np.bool]], low: Array, high: Array) -> Array:
    """Where ``true`` turns to false between ``low`` and ``high``, element by element."""
    for _ in range(40):
        middle = (low + high) / 2
        here = true(middle)
        low, high = np.where(here, middle, low), np.where(here, high, middle)
    return (low + high) / 2


def score_interval(counts: ArrayLike, confidence: float = CONFIDENCE) -> tuple[Array, Array]:
    """Both ends of the likelihood interval of the expected score: deviance within the chi-squared quantile (Wilks,
    Annals of Mathematical Statistics 9, 1938, 60–62).

    With a few hundred games it is what Fishtest and fastchess print, mean ± 1.96 standard errors. Unlike that it stays
    right with few games, and when all of them ended alike.
    """
    limit = quantile(confidence) ** 2
    score = score_of(counts)
    least, most = np.full(score.shape, 1e-12), np.full(score.shape, 1 - 1e-12)
    middle = np.clip(np.nan_to_num(score, nan=0.5), least, most)
    upper = np.stack([np.zeros_like(score, bool), np.ones_like(score, bool)])
    ends = np.stack([least, middle]), np.stack([middle, most])
    low, high = _turn(lambda s: (deviance(counts, s) > limit) != upper, *ends)
    return np.where(score > 0, low, 0), np.where(score < 1, high, 1)


def elo_differences(counts: ArrayLike, confidence: float = CONFIDENCE) -> list[Estimate]:
    """The differences in Elo that the rows of ``counts`` speak for: infinite where every game was won, NaN without
    games; n is the number of games."""
    counts = np.asarray(counts, float)
    figures = [*elo([score_of(counts), *score_interval(counts, confidence)]), counts @ GAMES]
    return [Estimate(*map(float, row)) for row in zip(*figures, strict=True)]


def elo_difference(counts: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """`elo_differences` of one row."""
    return elo_differences(np.asarray(counts, float)[None], confidence)[0]


def superiority(counts: ArrayLike) -> float:
    """Likelihood of superiority: how sure it is that the expected score is above ½, by the signed root of the deviance.

    It agrees with Φ((mean - ½) / standard error), as Fishtest's ``stat_util.py`` has it, where that holds.
    """
    score = score_of(counts)
    root = np.sqrt(np.maximum(deviance(counts, np.full(score.shape, 0.5)), 0))
    return float(scipy.special.ndtr(np.sign(np.nan_to_num(score, nan=0.5) - 0.5) * root))


# -- sequential test ---------------------------------------------------------------------------------


LARGEST = 4000
"""Differences in Elo beyond this have expected scores that cannot be told from 0 and 1."""


class NoBounds(ValueError):
    """Bounds between which nothing can be tested."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A sequential probability ratio test of H0: Elo <= ``elo0`` against H1: Elo >= ``elo1``; ``alpha`` and ``beta``
    are how often H1, or H0, may be accepted wrongly. Raises `NoBounds` for those that cannot be tested."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise NoBounds(f"elo0 must be less than elo1, not {self.elo0:g} and {self.elo1:g}")
        if not -LARGEST <= self.elo0 <= self.elo1 <= LARGEST:
            raise NoBounds(f"elo0 and elo1 must lie between {-LARGEST} and {LARGEST}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise NoBounds("alpha and beta must lie between 0 and 0.5")

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio H0 is accepted (Wald, Annals of Mathematical Statistics 16, 1945,
        117–186)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above it H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Sprt:
    """Where a test stands: the log-likelihood ratio, and "H0" or "H1", or "" while more games are needed."""

    llr: float
    accepted: str


def log_likelihood_ratio(counts: ArrayLike, elo0: float, elo1: float) -> Array:
    """How much better ``elo1`` explains ``counts`` than ``elo0``; ``LLRcalc.LLR_logistic`` of Fishtest."""
    leading = np.asarray(counts).shape[:-1]
    at0, at1 = (deviance(counts, np.full(leading, expected_score(e))) for e in (elo0, elo1))
    return (at0 - at1) / 2


def sprt(counts: ArrayLike, bounds: Bounds) -> Sprt:
    """The state of the test after ``counts``."""
    llr = float(log_likelihood_ratio(counts, bounds.elo0, bounds.elo1))
    return Sprt(llr, "H1" if llr >= bounds.upper else "H0" if llr <= bounds.lower else "")
