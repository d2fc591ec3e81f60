"""Bawden's sets: what is known of them without any model. They are balanced, block by block."""

import hashlib
import json
from collections import Counter

import pytest

from apt.contrast.sets import read_set

pytestmark = pytest.mark.shared_data

SETS = {"anaphora.json": 50, "lexical-choice.json": 100}  # blocks
UNBALANCED = "17"


@pytest.fixture
def evaluated(apt_contrast, shared_data, tmp_path):
    """The result of scores that a function gives to (instance, translation)."""

    def run(name, score):
        path = shared_data / "bawden" / name
        scores = tmp_path / "m.scores"
        scores.write_text("".join(f"{score(*line)}\n" for line in read_set(str(path)).lines()))
        outcome = apt_contrast("evaluate", path, scores, "-f", "json")
        assert (outcome.status, outcome.err) == (0, "")
        [found] = json.loads(outcome.out, parse_constant=pytest.fail)["models"]
        return found

    return run


def without_context(seed):
    """A scorer that sees the sentence and its translation alone."""

    def score(instance, translation):
        seen = f"{seed}\n{instance.source}\n{translation}"
        return int(hashlib.sha256(seen.encode()).hexdigest()[:12], 16)

    return score


@pytest.mark.parametrize(("name", "blocks"), SETS.items())
def test_a_model_that_is_always_right(evaluated, name, blocks):
    found = evaluated(name, lambda instance, translation: int(translation != instance.correct))
    assert (found["right"], found["total"], found["ties"]) == (200, 200, 0)
    assert (found["whole_blocks"]["right"], found["whole_blocks"]["total"]) == (blocks, blocks)


def test_the_classes_of_the_anaphora_set(evaluated):
    found = evaluated("anaphora.json", lambda instance, translation: int(translation != instance.correct))
    sizes = {share["class"]: share["total"] for share in found["buckets"]["class"]}
    assert sizes == {"m.sg": 50, "f.sg": 50, "m.pl": 50, "f.pl": 50}
    examples = {share["example"]: share["total"] for share in found["buckets"]["example"]}
    assert set(examples) == {"correct", "semi-correct"}
    assert sum(examples.values()) == 200


@pytest.mark.parametrize("seed", range(5))
def test_without_context_lexical_choice_is_a_coin(evaluated, seed):
    found = evaluated("lexical-choice.json", without_context(seed))
    assert (found["right"], found["whole_blocks"]["right"]) == (100, 0)


def test_without_context_anaphora_is_a_coin_but_for_one_block(evaluated):
    """49 blocks have every pair of last sentences once for each of the two being correct: 98 of 196.

    Block 17 has four instances and two pairs of sentences: in three of them "ils / elles s'y prennent si
    mal" (correct: ils, ils, elles), in the last "elles le font si mal" (correct) and "ils le font si mal",
    another verb. So the first pair is not balanced (2 to 1) and the last has no counterpart: whoever sees
    no context has one or two of the three right, and the last one or not: 1 to 3 of the 4.
    """
    rights = [evaluated("anaphora.json", without_context(seed))["right"] for seed in range(40)]
    assert set(rights) == {98 + 1, 98 + 2, 98 + 3}


def test_which_block_is_not_balanced(shared_data):
    """By the two last sentences alone: is each pair correct one way as often as the other?"""
    pairs = {}
    for instance in read_set(str(shared_data / "bawden" / "anaphora.json")).instances:
        pair = (instance.source, instance.correct, *instance.contrastive)
        pairs.setdefault(instance.block, Counter())[pair] += 1
    unbalanced = [
        block
        for block, found in pairs.items()
        if any(
            found[source, right, wrong] != found[source, wrong, right] for source, right, wrong in list(found)
        )
    ]
    assert unbalanced == [UNBALANCED]
    verbs = sorted(
        correct.removesuffix(" si mal.").split(" et ")[1] for _, correct, _ in pairs[UNBALANCED].elements()
    )
    assert verbs == ["elles le font", "elles s'y prennent", "ils s'y prennent", "ils s'y prennent"]
