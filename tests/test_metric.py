"""Class APT: scores, settings, several references, both anchors, and what it says when it cannot score."""

import pickle

import pytest

from apt import APT, Case, Found, InputError, OptionError

# "it works" three times over: il/il, il/c' (equivalent), il/elle (different), and a fourth left out.
SOURCES = ["it works", "it works", "it works", "it works"]
REFERENCES = ["il marche", "il marche", "il marche", "il marche"]
HYPOTHESES = ["il marche", "c' marche", "elle marche", "marche"]
LINKS = ["0-0 1-1"] * 4
HYP_LINKS = ["0-0 1-1"] * 3 + ["1-0"]
GIVEN = {"reference_links": LINKS, "hypothesis_links": HYP_LINKS}


def score(apt=None, **changes):
    apt = apt or APT(lang="fr", tokenize="none")
    return apt.corpus_score(HYPOTHESES, REFERENCES, SOURCES, **(GIVEN | changes))


def test_score_is_the_weighted_share():
    # (1 + 0.5 + 0 + 0) / 4
    result = score()
    assert result.score == 0.375
    assert result.cases == (1, 1, 1, 1, 0, 0)
    assert result.undefined is None


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"weights": "1,0,0,0,0,0"}, 0.25),
        ({"weights": "1,1,0,0,0,0"}, 0.5),
        ({"weights": [1, "p", 0, 0, 0, 0]}, 0.4),  # (1 + 0.6) / 4: the pair's own p
        ({"discard": [4]}, 0.5),  # 1.5 / 3
        ({"discard": "3,4"}, 0.75),  # 1.5 / 2
        ({"discard": "none"}, 0.375),
    ],
)
def test_weights_and_discarded_cases(settings, expected):
    assert score(APT(lang="fr", tokenize="none", **settings)).score == pytest.approx(expected, abs=1e-15)


def test_result_carries_its_evidence():
    result = score(docids=["a", "a", "b", "b"])
    assert result.confusion == {("il", "NONE"): 1, ("il", "ce"): 1, ("il", "elle"): 1, ("il", "il"): 1}
    assert result.by_pronoun["it"].score == result.score
    assert {name: part.score for name, part in result.by_document.items()} == {"a": 0.75, "b": 0.0}
    assert [triple.case for triple in result.triples] == [1, 2, 3, 4]
    third = result.triples[2]
    assert (third.segment, third.position, third.source_words) == (2, 0, ("it",))
    assert (third.candidate.found, third.candidate.positions, third.candidate.forms) == (
        Found.LINKED,
        (0,),
        ("elle",),
    )


def test_result_can_be_pickled():
    result = score()
    assert pickle.loads(pickle.dumps(result)) == result


def test_counts_of_pieces_add_up_to_the_whole():
    apt = APT(lang="fr", tokenize="none")
    halves = [
        apt.corpus_score(
            HYPOTHESES[part],
            REFERENCES[part],
            SOURCES[part],
            reference_links=LINKS[part],
            hypothesis_links=HYP_LINKS[part],
        )
        for part in (slice(0, 1), slice(1, 4))
    ]
    total = halves[0].counts + halves[1].counts
    assert total == score().counts
    assert apt.settings.scoring.score(total) == score().score


@pytest.mark.parametrize("anchor", ["source", "reference"])
def test_segment_counts_add_up(anchor, monkeypatch):
    monkeypatch.setattr("apt.inputs.CHUNK_LINES", 3)
    apt = APT(lang="fr", tokenize="none", anchor=anchor, pronouns=None if anchor == "source" else "il")
    result = apt.corpus_score(
        HYPOTHESES,
        REFERENCES,
        SOURCES,
        reference_links=["0-0 1-1", "1-1", "0-0", ""],
        hypothesis_links=HYP_LINKS,
        keep_segments=True,
    )
    assert len(result.segment_counts) == 4
    assert sum(result.segment_counts[1:], start=result.segment_counts[0]) == result.counts
    assert (result.counts.total_not_in_source > 0) == (anchor == "reference")


@pytest.mark.parametrize(
    ("pronouns", "reference", "candidate", "case"),
    [("ce", "ce", "c'", 1), ("il", "il", "c'", 2), ("ce", "c' est", "il est", 2), ("il", "il", "elle", 3)],
)
def test_anchored_on_the_reference_lists_still_relate_forms(pronouns, reference, candidate, case):
    apt = APT(lang="fr", anchor="reference", pronouns=f"{pronouns},c'", tokenize="none")
    result = apt.sentence_score(candidate, reference, "it", reference_links="0-0", hypothesis_links="0-0")
    assert result.triples[0].case == case


def test_a_line_end_inside_a_segment():
    with pytest.raises(InputError, match=r"sources\[0\]: a segment cannot hold a line end"):
        APT(lang="fr").sentence_score("il", "il", "x\ny it")


def test_segment_counts_are_kept_when_asked_for():
    result = score(keep_segments=True, keep_triples=False)
    assert result.triples is None
    assert [counts.cases.of(Case.EQUIVALENT) for counts in result.segment_counts] == [0, 1, 0, 0]


# ---- undefined scores ----


def test_no_pronoun_gives_no_score_and_the_reason():
    apt = APT(lang="fr")
    result = apt.sentence_score(
        "Bonjour.", "Bonjour.", "Hello.", reference_links="0-0", hypothesis_links="0-0"
    )
    assert result.score is None
    assert result.undefined == "no evaluated pronoun in the source"


def test_all_discarded_gives_no_score_and_the_reason():
    result = score(APT(lang="fr", tokenize="none", discard="1,2,3,4,5,6"))
    assert result.score is None
    assert result.undefined == "all 4 pronouns fall into discarded cases"


# ---- which pronouns ----


@pytest.mark.parametrize(
    ("source", "settings", "evaluated"),
    [
        ("It works and they know it", {}, ["it", "they", "it"]),
        ("He works", {}, []),
        ("He works", {"pronouns": "he"}, ["he"]),
        ("We saw him and it", {"pronouns": "all"}, ["we", "him", "it"]),
        ("The IT staff works", {}, []),  # an abbreviation: the segment has lower-case letters
        ("THE IT STAFF SAYS IT WORKS", {}, ["it", "it"]),  # all in capitals: cannot be told
        ("The IT staff works", {"count_abbreviations": True}, ["it"]),
        ("the US and us", {"pronouns": "us"}, ["us"]),
        ("It-girl", {}, []),
        ("İt works", {}, []),  # dotted capital I is another letter
    ],
)
def test_evaluated_pronouns(source, settings, evaluated):
    result = APT(lang="fr", **settings).sentence_score(
        "", "", source, reference_links="", hypothesis_links=""
    )
    assert [triple.pronoun for triple in result.triples] == evaluated


def test_positions_replace_the_choice_by_word():
    apt = APT(lang="fr", tokenize="none", positions=[(1, 0), (3, 1)])
    result = score(apt)
    assert [(t.segment, t.position, t.pronoun) for t in result.triples] == [(1, 0, "it"), (3, 1, "works")]


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        ([(1, 2)], "segment 1 has no word 2: it has 2 words"),
        ([(4, 0)], "there is no segment 4: the text has 4"),
        ([(0, 0), (0, 0)], "0 0 stands on line 1 already"),
        ([(0, -1)], "negative number"),
    ],
)
def test_positions_that_do_not_exist(positions, message):
    with pytest.raises(InputError, match=message):
        score(APT(lang="fr", tokenize="none", positions=positions))


def test_without_a_target_list_every_word_counts():
    apt = APT(lang="fr", tokenize="none", target_pronouns="any")
    result = apt.sentence_score(
        "cette machine marche",
        "machine marche",
        "it works",
        reference_links="0-0",
        hypothesis_links="0-0 0-1",
    )
    assert result.triples[0].case is Case.IDENTICAL
    assert result.triples[0].candidate.forms == ("cette", "machine")


# ---- several references ----


def two_references(second, second_links):
    return APT(lang="fr", tokenize="none").corpus_score(
        HYPOTHESES,
        [REFERENCES, second],
        SOURCES,
        reference_links=[LINKS, second_links],
        hypothesis_links=HYP_LINKS,
    )


def test_each_occurrence_takes_its_best_reference():
    result = two_references(["elle marche"] * 3 + ["marche"], ["0-0 1-1"] * 3 + ["1-0"])
    # il: identical to the first; c': equivalent to the first; elle: identical to the second;
    # missing: case 4 by the first reference, which has a pronoun, not 6 by the second, which has none.
    assert [triple.case for triple in result.triples] == [1, 2, 1, 4]
    assert [triple.reference_index for triple in result.triples] == [0, 0, 1, 0]
    assert "|nrefs:2|" in str(result.signature)


def test_an_empty_entry_is_no_reference():
    assert two_references([""] * 4, [""] * 4).cases == score().cases


def test_the_higher_p_wins_among_equivalent_references(tmp_path):
    lists = tmp_path / "my.toml"
    lists.write_text(
        'code = "fr"\n[[equivalent]]\npair = ["ce", "il"]\np = 0.6\n'
        '[[equivalent]]\nreference = "on"\ncandidate = "ce"\np = 0.9\n'
    )
    apt = APT(lang="fr", tokenize="none", lists=str(lists), weights="1,p,0,0,0,0")
    result = apt.sentence_score(
        "c' marche",
        ["il marche", "on marche"],
        "it works",
        reference_links=["0-0", "0-0"],
        hypothesis_links="0-0",
    )
    assert result.score == 0.9
    assert result.triples[0].reference_index == 1


# ---- anchored on the reference ----


@pytest.mark.parametrize(
    ("candidate", "links", "case"),
    [
        ("it works", "0-0 0-1", Case.IDENTICAL),
        ("she works", "0-0", Case.DIFFERENT),
        ("machine works", "0-0", Case.DIFFERENT),  # something else
        ("works", "1-0", Case.CANDIDATE_MISSING),
        ("IT works", "0-0", Case.IDENTICAL),
    ],
)
def test_reference_anchor_follows_links_through_the_source(candidate, links, case):
    apt = APT(lang="en", source_lang="es", anchor="reference", pronouns="it,she", tokenize="none")
    result = apt.sentence_score(
        candidate, "it works", "funciona bien", reference_links="0-0 0-1", hypothesis_links=links
    )
    (triple,) = result.triples
    assert triple.case is case
    assert (triple.position, triple.pronoun, triple.source_words) == (0, "it", ("funciona",))


def test_reference_pronouns_without_a_source_word_leave_the_denominator():
    apt = APT(lang="en", source_lang="es", anchor="reference", pronouns="it,she", tokenize="none")
    result = apt.corpus_score(
        ["it works", "she works"],
        ["it works", "she works"],
        ["funciona", "trabaja"],
        reference_links=["0-0 0-1", "0-1"],
        hypothesis_links=["0-0 0-1", "0-0"],
    )
    assert result.score == 1.0
    assert result.counts.total == 1
    assert result.counts.not_in_source == {"she": 1}


def test_reference_anchor_takes_any_source_language_but_one_reference():
    apt = APT(lang="en", source_lang="xx", anchor="reference")
    signature = str(apt.get_signature(align="given"))
    assert "lang:xx-en" in signature
    assert "|other:none|heuristic:no|" in signature
    with pytest.raises(OptionError, match="one reference"):
        apt.corpus_score(["a"], [["a"], ["b"]], ["c"], reference_links=[[""], [""]], hypothesis_links=[""])


def test_source_anchor_needs_a_list_for_the_source():
    with pytest.raises(OptionError, match=r"unknown language 'xx'\. Available: de, en, es, fr"):
        APT(lang="fr", source_lang="xx")


# ---- wrong input ----


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ("il marche", ["il marche"], "hypotheses: expected a list, found one string"),
        (["il"], "il", "references: expected a list, found one string"),
        (["il"], [], "references is empty"),
        (["il", "il"], ["il"], "hypotheses has 2 entries, but sources has 1"),
        (["il"], ["il", "il"], "references has 2 entries, but sources has 1"),
        (["il"], ["il", ["il"]], "references mixes strings and lists"),
        (["il"], [["il", "il"]], "one per segment it seems"),
        (["il"], [["il"], ["il", "il"]], r"references\[1\] has 2 entries"),
        ([None], ["il"], r"hypotheses\[0\]: expected a string, found NoneType"),
    ],
)
def test_wrong_shapes_are_named(hypotheses, references, message):
    with pytest.raises(InputError, match=message):
        APT(lang="fr").corpus_score(
            hypotheses, references, ["it"], reference_links=[""], hypothesis_links=[""]
        )


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ({"reference_links": None}, "are given together, or neither is"),
        ({"hypothesis_links": None}, "are given together, or neither is"),
        ({"hypothesis_links": LINKS[:3]}, "hypothesis_links has 3 entries, but sources has 4"),
        ({"reference_links": "0-0"}, "reference_links: expected a list, found one string"),
        ({"reference_links": [LINKS, LINKS]}, "reference_links has 2 entries, but sources has 4"),
        ({"hypothesis_links": [*LINKS[:3], "1-7"]}, "hypothesis_links, line 4: link '1-7' is out of range"),
        (
            {"hypothesis_links": [[(0, 9)], *LINKS[1:]]},
            "hypothesis_links, line 1: link '0-9' is out of range",
        ),
        ({"hypothesis_links": [[(-1, 0)], *LINKS[1:]]}, "malformed link '-1-0'"),
    ],
)
def test_wrong_links_are_named(links, message):
    with pytest.raises(InputError, match=message):
        score(**links)


def test_links_may_be_pairs():
    pairs = [[(0, 0), (1, 1)]] * 4
    assert score(reference_links=pairs) == score()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"weights": "1,1"}, "six needed, one a case, found 2"),
        ({"weights": "1,1,1,1,1,1.5"}, "1.5 for case 6 is outside"),
        ({"weights": "1,1,-0.1,1,1,1"}, "-0.1 for case 3 is outside"),
        ({"weights": "1,x,0,0,0,0"}, "'x' for case 2 is not a number"),
        ({"weights": "p,0,0,0,0,0"}, "'p' for case 1 is not a number"),
        ({"weights": "nan,0,0,0,0,0"}, "nan for case 1 is outside"),
        ({"discard": "7"}, "unknown case '7'"),
        ({"discard": "five"}, "unknown case 'five'"),
        ({"other": "same"}, "Available: different, equal, missing"),
        ({"anchor": "target"}, "Available: source, reference"),
        ({"tokenize": "moses"}, "Available: words, none"),
        ({"lang": "tlh"}, "Available: de, en, es, fr"),
        ({"pronouns": "it, ,they"}, "expected words separated by commas"),
        ({"lang": "zh"}, "use --tokenize none"),
        ({"source_lang": "de"}, r"no likely translations of 'de'.*--no-heuristic"),
        ({"anchor": "reference", "positions": [(0, 0)]}, "do not go with anchor"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(OptionError, match=message):
        APT(**({"lang": "fr"} | settings))


@pytest.mark.parametrize("mark", ["²", "½", "†", "*", "\u2028", "…"])
def test_a_sign_after_the_pronoun_does_not_hide_it(mark):
    result = APT(lang="fr").sentence_score(
        "", "", f"He saw it{mark} .", reference_links="", hypothesis_links=""
    )
    assert [triple.pronoun for triple in result.triples] == ["it"]


def test_a_list_for_another_language_is_not_passed_over(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text('code = "de"\n')
    with pytest.raises(OptionError, match="a list for 'de' is given, but the languages are en-fr"):
        APT(lang="fr", lists=str(path))


def test_two_different_p_for_one_pair_of_groups(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text(
        'code = "fr"\n[[equivalent]]\npair = ["ce", "il"]\np = 0.9\n[[equivalent]]\npair = ["c\'", "il"]\np = 0.1\n'
    )
    with pytest.raises(OptionError, match=r"has p = 0\.1, but ce/il, .* has p = 0\.9"):
        APT(lang="fr", lists=str(path))
