"""Figures with their intervals: shares, means, bootstraps, and what repeated games are worth.

Differences in strength are in `pipeline.reports.strength`. Everything here needs numpy and scipy, the extra
``caipan[statistics]``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
import scipy  # whose parts are slow to come, and come when they are first asked for
from numpy.typing import ArrayLike, NDArray

CONFIDENCE = 0.95
RESAMPLES = 10_000
SEED = 20_261_130
LARGE = 10_000
"""Values beyond which Student's distribution is the normal one, to four digits, and scipy need not be loaded."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, its confidence interval, and the number of games, pairs or plies it rests on.

    ``n`` need not be whole where repeated games count for less (`weights`). The figure of nothing is NaN, with the
    widest interval.
    """

    value: float
    low: float
    high: float
    n: float

    @property
    def counter(self) -> Estimate:
        """The figure of a share's other part."""
        return Estimate(1 - self.value, 1 - self.high, 1 - self.low, self.n)

    def against(self, reference: float) -> int:
        """1 when the whole interval lies above ``reference``, -1 when below it, 0 when it cannot be told."""
        return int(self.low > reference) - int(self.high < reference)


def quantile(confidence: float = CONFIDENCE) -> float:
    """The standard normal quantile that bounds ``confidence`` in the middle: 1.96 for 0.95."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


# -- shares ------------------------------------------------------------------------------------------


def wilson(successes: ArrayLike, n: ArrayLike, confidence: float = CONFIDENCE) -> tuple[Array, Array]:
    """Both ends of Wilson's score interval for shares, element by element; (0, 1) where ``n`` is 0.

    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209–212; recommended
    by Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", Statistical Science 16 (2001) 101–133.
    scipy has it for one share of a whole number; here the numbers may be fractions, as `weights` make them.
    """
    k, n = np.asarray(successes, float), np.asarray(n, float)
    z2 = quantile(confidence) ** 2
    middle = (k + z2 / 2) / (n + z2)
    with np.errstate(divide="ignore", invalid="ignore"):
        within = np.where(n > 0, k * (n - k) / n, 0.0)
    half = np.sqrt(z2) / (n + z2) * np.sqrt(within + z2 / 4)
    # At the ends the formula gives 0 and 1 up to rounding.
    return np.where(k <= 0, 0.0, middle - half), np.where(k >= n, 1.0, middle + half)


def share(successes: float, n: float, confidence: float = CONFIDENCE) -> Estimate:
    """``successes`` of ``n`` as a share, with Wilson's interval."""
    low, high = wilson(successes, n, confidence)
    return Estimate(successes / n if n else float("nan"), float(low), float(high), n)


def halfway(one: Estimate, other: Estimate) -> Estimate:
    """The mean of two independent figures, each worth the same; its interval is made from theirs (Zou and Donner,
    "Construction of confidence limits about effect measures", Statistics in Medicine 27, 2008, 1693–1702)."""
    value = (one.value + other.value) / 2
    below = math.hypot(one.value - one.low, other.value - other.low) / 2
    above = math.hypot(one.high - one.value, other.high - other.value) / 2
    return Estimate(value, value - below, value + above, one.n + other.n)


# -- means -------------------------------------------------------------------------------------------


def mean(values: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of independent ``values`` with Student's interval (Biometrika 6, 1908, 1–25), or the normal
    distribution's of `LARGE` samples."""
    data = np.asarray(values, float)
    n = len(data)
    if n < 2:
        return Estimate(float(data[0]) if n else float("nan"), float("-inf"), float("inf"), n)
    middle = float(data.mean())
    reach = quantile(confidence) if n > LARGE else float(scipy.special.stdtrit(n - 1, (1 + confidence) / 2))
    half = reach * float(data.std(ddof=1)) / n**0.5
    return Estimate(middle, middle - half, middle + half, n)


# -- bootstrap ---------------------------------------------------------------------------------------


def bootstrap(
    counts: ArrayLike,
    statistic: Callable[[Any], Any],
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Percentile interval of a statistic of units drawn again (Efron and Tibshirani, An Introduction to the Bootstrap,
    1993, chapter 13).

    ``counts`` has how many units (games, or pairs of games) came to each kind of outcome; ``statistic`` maps counts of
    shape (…, kinds) to values of shape (…). To draw units with replacement is to draw their counts from a multinomial
    distribution, so the cost does not grow with the number of games. The same seed gives the same interval.
    """
    kinds = np.asarray(counts, float)
    n = round(float(kinds.sum()))
    if n == 0:
        return Estimate(float("nan"), float("-inf"), float("inf"), 0)
    drawn = np.random.default_rng(seed).multinomial(n, kinds / kinds.sum(), size=resamples)
    tail = (1 - confidence) / 2
    low, high = np.quantile(statistic(drawn), [tail, 1 - tail])
    return Estimate(float(statistic(kinds)), float(low), float(high), n)


def clustered_mean(
    sums: ArrayLike,
    sizes: ArrayLike,
    times: ArrayLike = 1,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """The mean of values that come in clusters and are not independent inside, such as what happens in one game.

    ``sums`` and ``sizes`` have a row for each cluster, or for ``times`` clusters that are alike; the interval is a
    `bootstrap` over clusters, and ``n`` their number. One cluster says nothing of others.
    """
    # As complex numbers the pairs are sorted ten times as fast.
    clusters = np.asarray(sums, float) + 1j * np.asarray(sizes, float)
    kinds, place = np.unique(clusters, return_inverse=True)
    counts = np.bincount(place, np.broadcast_to(np.asarray(times, float), len(clusters))).astype(float)

    def ratio(drawn: Array) -> Array:
        return (drawn @ kinds.real) / (drawn @ kinds.imag)

    if counts.sum() == 1:
        return Estimate(float(ratio(counts)), float("-inf"), float("inf"), 1)
    return bootstrap(counts, ratio, confidence, resamples, seed)


def clustered_share(points: ArrayLike, games: ArrayLike, times: ArrayLike = 1, **options: Any) -> Estimate:
    """`clustered_mean` of values between 0 and 1, such as points per game where games come in pairs.

    Clusters that all have the same mean give no interval when they are drawn again: it is then Wilson's for as many
    observations, which vary no less than any such values.
    """
    found = clustered_mean(points, games, times, **options)
    means = np.asarray(points, float) / np.asarray(games, float)
    if len(means) and (means == means[0]).all():
        return share(found.n * found.value, found.n, options.get("confidence", CONFIDENCE))
    return found


def clustered_worth(shares: ArrayLike, n: float, spread: ArrayLike, clusters: int) -> Array:
    """How many independent observations ``shares`` of ``n`` that come in ``clusters`` are worth, at most ``n``.

    ``spread`` is the sum over clusters of (x - share · m)², where x of the cluster's m are counted: what the variance
    of a ratio is made of (Kish, Survey Sampling, 1965, chapter 6). The number takes the place of n in Wilson's
    interval (Korn and Graubard, Survey Methodology 24, 1998, 193–201).
    """
    p, spread = np.asarray(shares, float), np.asarray(spread, float)
    within = p * (1 - p) * n**2 * (clusters - 1) / clusters
    # Where every cluster has the same share, each is worth one.
    worth = np.divide(within, spread, out=np.full(p.shape, float(clusters)), where=spread > 1e-9 * n)
    return np.minimum(worth, n)


# -- repeated games ----------------------------------------------------------------------------------


def weights(
    plies: pl.LazyFrame | pl.DataFrame,
    game: str = "record",
    key: str = "position_key",
    distinct: bool = False,
) -> pl.DataFrame:
    """How much of each game is its own: columns ``game`` and ``weight``, 0 < weight <= 1.

    ``plies`` has a row for each position of each game. A position that m games come to is worth 1/m to each of them,
    and a game is worth the mean of its different positions. So k copies of a game weigh 1/k each and together 1; N
    games of L positions that share their first p weigh (1 - p/L) + p/(L N) each; transpositions are seen, and so is a
    copy that goes on for longer. The sum of the weights is `effective_n`. With ``distinct`` no game has a position
    twice, which need not be looked for then.
    """
    positions = plies.lazy().select(game, key)
    once = positions if distinct else positions.unique(maintain_order=True)
    shares = once.select(game, share=1 / pl.len().over(key)).sort(game, maintain_order=True).collect()
    games = shares[game].rle().struct.unnest()
    # One after the other: threads would come to another last digit every time.
    sums = np.bincount(shares[game].rle_id(), shares["share"])
    return games.select(pl.col("value").alias(game), weight=sums / games["len"])


def effective_n(plies: pl.LazyFrame | pl.DataFrame, game: str = "record", key: str = "position_key") -> float:
    """How many games' worth of different play there is: the sum of the `weights`.

    It takes the place of n in an interval as Kish's effective sample size does (Survey Sampling, 1965, chapter 8), with
    the overlap of the games measured instead of their correlation assumed.
    """
    return float(weights(plies, game, key)["weight"].sum())
