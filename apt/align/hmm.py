"""One direction of a first-order hidden Markov word alignment model, for a batch of segment pairs.

Every *generated* word j (of J) comes from a *given* word i (of I) or from nothing; the hidden state is i, and
a generated word that comes from nothing stays at the i of the word before it. In go emission probabilities
and a jump table, out come posteriors. Batches are padded: b is the pair, and arrays are laid out [J, B, I] so
that one step of the recursion touches one contiguous slice. A pair's result does not depend on the others of
its batch but for the last bits of a matrix product: whoever decides on posteriors rounds them first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Ints = NDArray[np.integer[Any]]

FARTHEST = 30  # a jump over more words is as likely as one over this many


@dataclass(frozen=True)
class Jumps:
    """How the given position moves from one generated word to the next; each table sums to one.

    `between[d + FARTHEST]` is a jump by d; `first[i]` the position of the first generated word, `last[d]` the
    distance of the last one from the last given word, both up to FARTHEST.
    """

    between: Floats
    first: Floats
    last: Floats

    def matrix(self, size: int) -> Floats:
        """Jump probabilities [from, to] among `size` positions, before normalisation for a length."""
        steps = np.arange(size)
        distance = np.clip(steps[None, :] - steps[:, None], -FARTHEST, FARTHEST)
        matrix: Floats = self.between[distance + FARTHEST]
        return matrix


@dataclass(frozen=True)
class Expectations:
    """What the words of a batch are expected to have done.

    `posterior` [J, B, I] is the probability that j comes from i; `jumps`, counts in the form of `Jumps`, are
    there when they were asked for.
    """

    posterior: Floats
    jumps: Jumps | None = None


def first_jumps() -> Jumps:
    """Where estimation begins: short jumps forward are likelier, nothing is known otherwise."""
    between = 1.0 / (1.0 + np.abs(np.arange(-FARTHEST, FARTHEST + 1) - 1.0))
    edge = 1.0 / (1.0 + np.arange(FARTHEST + 1.0))
    return Jumps(between / between.sum(), edge / edge.sum(), edge / edge.sum())


@dataclass(frozen=True)
class Model:
    """One direction: how positions jump, and how probable it is that a word comes from nothing."""

    jumps: Jumps
    null: float

    def expectations(
        self,
        emission: Floats,
        null_emission: Floats,
        given_lengths: Ints,
        generated_lengths: Ints,
        count_jumps: bool = False,
    ) -> Expectations:
        """Forward and backward through a batch, in the precision of `emission`.

        `emission` [J, B, I] is 0 where i or j is padding; `null_emission` [J, B] is positive everywhere.
        """
        lattice = self._lattice(emission, null_emission, given_lengths, generated_lengths)
        forward = lattice.forward()
        return lattice.backward(forward, count_jumps)

    def _lattice(
        self, emission: Floats, null_emission: Floats, given_lengths: Ints, generated_lengths: Ints
    ) -> "_Lattice":
        size = emission.shape[2]
        kind = emission.dtype
        places = np.arange(size)
        valid = places[None, :] < given_lengths[:, None]
        matrix = self.jumps.matrix(size)
        # Jumps out of the segment are impossible, so those that remain are scaled up: one factor a position.
        leave = np.where(valid, (1 - self.null) / np.maximum(valid @ matrix.T, 1e-30), 0)
        start = self.jumps.first[np.minimum(places, FARTHEST)] * valid
        end = self.jumps.last[np.clip(given_lengths[:, None] - 1 - places, 0, FARTHEST)] * valid
        start = start * (1 - self.null) / start.sum(1, keepdims=True)
        end = end / end.sum(1, keepdims=True)
        return _Lattice(
            emission,
            (self.null * null_emission).astype(kind),
            given_lengths,
            generated_lengths,
            matrix.astype(kind),
            leave.astype(kind),
            start.astype(kind),
            end.astype(kind),
        )


@dataclass(frozen=True)
class _Forward:
    """Forward probabilities, each step scaled to sum to one.

    `arrived` [J, B, I]: word j comes from i. `before` [J, B, I] and `unmoved_before` [J, B]: the state before
    word j, at i or before the first word that came from anywhere. `at_end`, `unmoved_at_end`: the state after
    the last word.
    """

    arrived: Floats
    before: Floats
    unmoved_before: Floats
    scale: Floats
    at_end: Floats
    unmoved_at_end: Floats


@dataclass(frozen=True)
class _Lattice:
    """The probabilities of a batch, ready for the two recursions."""

    emission: Floats
    null_step: Floats
    given_lengths: Ints
    generated_lengths: Ints
    matrix: Floats
    leave: Floats
    start: Floats
    end: Floats

    def forward(self) -> _Forward:
        emission, leave, matrix, start = self.emission, self.leave, self.matrix, self.start
        steps, batch, _ = emission.shape
        arrived, before = np.empty_like(emission), np.empty_like(emission)
        unmoved_before = np.empty((steps, batch), emission.dtype)
        scales = np.empty((steps, batch, 1), emission.dtype)
        at, unmoved = np.zeros_like(emission[0]), np.ones((batch, 1), emission.dtype)
        at_end, unmoved_at_end = np.empty_like(at), np.empty_like(unmoved)
        ending = self._ending()
        for j in range(steps):
            before[j], unmoved_before[j] = at, unmoved[:, 0]
            now = arrived[j]
            np.matmul(at * leave, matrix, out=now)
            now += unmoved * start
            now *= emission[j]
            null_step = self.null_step[j][:, None]
            at = at * null_step
            at += now
            unmoved = unmoved * null_step
            scale = scales[j] = at.sum(1, keepdims=True) + unmoved
            at /= scale
            now /= scale
            unmoved /= scale
            if j in ending:
                at_end[ending[j]], unmoved_at_end[ending[j]] = at[ending[j]], unmoved[ending[j]]
        return _Forward(arrived, before, unmoved_before, scales, at_end, unmoved_at_end[:, 0])

    def backward(self, forward: _Forward, count_jumps: bool) -> Expectations:
        back = np.ascontiguousarray(self.matrix.T)
        steps, batch, _ = self.emission.shape
        # Nothing linked at all: as if the last position were any.
        whole = (forward.at_end * self.end).sum(1) + forward.unmoved_at_end / self.given_lengths
        whole = whole.astype(self.emission.dtype)[:, None]
        final, final_unmoved = self.end / whole, 1 / (self.given_lengths[:, None] * whole)
        onward, unmoved = np.zeros_like(self.emission[0]), np.zeros((batch, 1), self.emission.dtype)
        posterior = forward.arrived
        generating = np.empty_like(self.emission) if count_jumps else None
        ending = self._ending()
        for j in range(steps - 1, -1, -1):
            if j in ending:
                onward[ending[j]], unmoved[ending[j]] = final[ending[j]], final_unmoved[ending[j]]
            posterior[j] *= onward
            onward /= forward.scale[j]
            null_step = self.null_step[j][:, None]
            generated = self.emission[j] * onward
            if generating is not None:
                generating[j] = generated
            unmoved = unmoved * (null_step / forward.scale[j]) + (self.start * generated).sum(
                1, keepdims=True
            )
            onward *= null_step
            onward += self.leave * (generated @ back)
        counts = None if generating is None else self._jump_counts(forward, generating)
        return Expectations(posterior, counts)

    def _ending(self) -> dict[int, Ints]:
        """The pairs whose last generated word is j, for each such j."""
        last = self.generated_lengths - 1
        return {int(j): np.flatnonzero(last == j) for j in np.unique(last)}

    def _jump_counts(self, forward: _Forward, generating: Floats) -> Jumps:
        size = self.emission.shape[2]
        left = (forward.before * self.leave).reshape(-1, size)
        moves = (left.T @ generating.reshape(-1, size)) * self.matrix
        distance = np.arange(size)[None, :] - np.arange(size)[:, None]
        distance = np.clip(distance, -FARTHEST, FARTHEST) + FARTHEST
        between = np.bincount(distance.ravel(), moves.ravel(), 2 * FARTHEST + 1)
        starts = (forward.unmoved_before[:, :, None] * self.start * generating).sum((0, 1))
        first = np.bincount(np.minimum(np.arange(size), FARTHEST), starts, FARTHEST + 1)
        ends = forward.at_end * self.end
        ends = ends / np.maximum(ends.sum(1, keepdims=True), 1e-30)
        to_end = np.clip(self.given_lengths[:, None] - 1 - np.arange(size), 0, FARTHEST)
        last = np.bincount(to_end.ravel(), ends.ravel(), FARTHEST + 1)
        return Jumps(between, first, last)
