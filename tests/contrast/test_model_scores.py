"""Scores of a model: what is summed, in which order, for which tokens; and models that cannot be used."""

import json
import math
import shutil
import socket
from pathlib import Path

import pytest
from tiny_translators import make_bart, make_m2m100, make_marian, models, sentences, slow_logs

from apt.align.simalign_model import OFFLINE_VARIABLES
from apt.contrast.model_loading import load_translator
from apt.contrast.model_scores import ModelScorer, model_scores, token_pairs
from apt.errors import AptError, InputError, OptionError

# Of different lengths, in no order, with an unknown sign and an empty translation among them.
PAIRS = [
    *[(source, target) for source, target, _ in sentences()][::5],
    ("The dog sleeps .", "Der Hund schläft ."),
    ("The cat waits because it is young . The dog waits .", "Die Katze wartet , weil sie jung ist ."),
    ("The dog sleeps .", "Ω Hund ."),
    ("The dog sleeps .", ""),
]
SOURCES, TARGETS = ([pair[side] for pair in PAIRS] for side in (0, 1))
CLOSE = {"rel": 0, "abs": 2e-5}


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*arguments, **keywords):
        pytest.fail(f"network used: {arguments}")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    for variable in OFFLINE_VARIABLES:
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A folder for each kind of model, made when it is first asked for."""
    place = tmp_path_factory.mktemp("models")
    made = {"marian": make_marian, "bart": make_bart, "m2m100": make_m2m100}
    return lambda kind: place / kind if (place / kind).exists() else made[kind](place / kind)


@pytest.fixture(scope="module")
def marian(folders):
    return load_translator(str(folders("marian")))


def scores(translator, **options):
    return [*model_scores(translator, SOURCES, TARGETS, **options)]


# ---- what a score is ----

LANGUAGES = {"m2m100": ("en", "de")}


@models
@pytest.mark.parametrize(("kind", "given"), [("marian", 0), ("bart", 1), ("m2m100", 1)])
def test_a_score_is_the_sum_over_tokens_taken_the_slow_way(folders, kind, given):
    """`given`: tokens before the text, a beginning or a language, which are not scored."""
    languages = LANGUAGES.get(kind, ())
    options = dict(zip(("src_lang", "tgt_lang"), languages, strict=False))
    found = scores(load_translator(str(folders(kind)), **options), batch_size=4)
    slow = [slow_logs(folders(kind), *pair, languages)[given:] for pair in PAIRS]
    assert found == pytest.approx([-math.fsum(logs) for logs in slow], **CLOSE)
    assert len({*found[:-1]}) == len(found) - 1  # they are not all the same
    assert all(score > 0 for score in found)


@models
def test_length_normalisation_is_the_mean_over_the_same_tokens(folders, marian):
    slow = [slow_logs(folders("marian"), *pair) for pair in PAIRS]
    means = [-math.fsum(logs) / len(logs) for logs in slow]
    assert scores(marian, length_normalisation="tokens") == pytest.approx(means, **CLOSE)


@models
def test_an_empty_translation_has_the_score_of_the_end_of_the_sentence(folders, marian):
    logs = slow_logs(folders("marian"), "The dog sleeps .", "")
    assert len(logs) == 1
    assert scores(marian)[-1] == pytest.approx(-logs[0], **CLOSE)


@models
@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_batches_change_neither_scores_nor_order(marian, size):
    assert scores(marian, batch_size=size) == pytest.approx(scores(marian, batch_size=16), **CLOSE)


@models
def test_the_same_run_gives_the_same_bits(folders, marian):
    assert scores(marian) == scores(marian) == scores(load_translator(str(folders("marian"))))


@models
def test_work_taken_up_at_a_block_gives_the_same_bits(marian):
    scorer = ModelScorer(marian, batch_size=1)
    pairs = token_pairs(marian, SOURCES * 4, TARGETS * 4)
    assert len(pairs) > 3 * scorer.block
    whole = [*scorer.scores(pairs)]
    assert [*scorer.scores(pairs, start=2 * scorer.block)] == whole[2:]
    with pytest.raises(OptionError, match="no block"):
        next(scorer.scores(pairs, start=1))


@models
def test_a_model_in_half_precision_is_computed_in_single(folders, tmp_path):
    from transformers import AutoModelForSeq2SeqLM

    folder = Path(shutil.copytree(folders("marian"), tmp_path / "half"))
    AutoModelForSeq2SeqLM.from_pretrained(folder).half().save_pretrained(folder)
    translator = load_translator(str(folder))
    assert {str(weight.dtype) for weight in translator.model.parameters()} == {"torch.float32"}
    assert scores(translator) == pytest.approx(scores(load_translator(str(folders("marian")))), abs=0.1)


# ---- the last sentence only ----


@models
@pytest.mark.parametrize("kind", ["marian", "bart"])
@pytest.mark.parametrize("context", ["Die Katze schläft .", "Der Hund frisst . <SEP> Die Katze schläft ."])
def test_of_the_last_sentence_the_tokens_behind_the_separator_count(folders, kind, context):
    from transformers import AutoTokenizer

    source, last = "The dog sleeps because it is young .", "Der Hund schläft , weil er jung ist ."
    whole = f"{context} <SEP> {last}"
    tokenizer = AutoTokenizer.from_pretrained(folders(kind))
    count = len(tokenizer(text_target=last)["input_ids"]) - (kind == "bart")
    expected = -math.fsum(slow_logs(folders(kind), source, whole)[-count:])
    translator = load_translator(str(folders(kind)))
    (found,) = model_scores(translator, [source], [whole], separator=" <SEP> ")
    (mean,) = model_scores(translator, [source], [whole], separator=" <SEP> ", length_normalisation="tokens")
    assert found == pytest.approx(expected, **CLOSE)
    assert mean == pytest.approx(expected / count, **CLOSE)
    assert found < next(model_scores(translator, [source], [whole]))


@models
def test_without_a_separator_in_it_a_line_is_its_last_sentence(marian):
    assert scores(marian, separator=" <SEP> ") == scores(marian)


@models
def test_a_separator_that_runs_into_the_sentence_is_an_error(folders):
    translator = load_translator(str(folders("bart")))
    with pytest.raises(InputError, match="targets, line 2: the tokenizer joins the separator '<SEP>'"):
        [*model_scores(translator, ["The dog"] * 2, ["Hund", "Der<SEP>Hund schläft"], separator="<SEP>")]


# ---- lines that cannot be scored ----


@models
@pytest.mark.parametrize("side", [0, 1])
def test_a_line_that_is_too_long_is_an_error_and_not_cut(marian, side):
    longest = ("dog sleeps " * 80, "Der Hund " * 80)[side]
    lines = [["The dog ."] * 3, ["Der Hund ."] * 3]
    lines[side][1] = longest
    tokens = (marian.source_tokens, marian.target_tokens)[side]([longest])[0]
    with pytest.raises(InputError) as caught:
        [*model_scores(marian, *lines)]
    place = ("sources", "targets")[side]
    assert str(caught.value).startswith(f"{place}, line 2: {len(tokens)} tokens are more than the 128 that ")


@models
def test_a_line_of_just_the_length_is_scored(tmp_path):
    """`<s>`, two words, `</s>`."""
    translator = load_translator(str(make_bart(tmp_path / "short", positions=4, steps=0)))
    assert len([*model_scores(translator, ["dog sleeps"], ["Hund schläft"])]) == 1
    for pair in (["dog sleeps ."], ["Hund"]), (["dog"], ["Hund schläft ."]):
        with pytest.raises(InputError, match="5 tokens are more than the 4"):
            [*model_scores(translator, *pair)]


@models
def test_as_many_targets_as_sources(marian):
    with pytest.raises(InputError, match="targets: 2 lines expected to match sources, found 1"):
        [*model_scores(marian, ["a", "b"], ["a"])]
    assert [*model_scores(marian, [], [])] == []


@models
def test_what_a_model_cannot_do_is_said_with_the_line(marian, monkeypatch):
    def fail(*arguments, **keywords):
        raise RuntimeError("out of memory: tried to allocate 9 GiB\nmore of it")

    monkeypatch.setattr(marian.model, "forward", fail)
    message = "targets, line 1: .*out of memory: tried to allocate 9 GiB; a smaller batch needs less memory$"
    with pytest.raises(InputError, match=message):
        scores(marian)


@models
def test_a_translation_of_no_probability_is_an_error(folders):
    translator = load_translator(str(folders("bart")))
    token = translator.target_tokens(["Pferd"])[0][1]
    translator.model.final_logits_bias[0, token] = -math.inf
    with pytest.raises(InputError, match="targets, line 2: the model gives this translation the score inf"):
        [*model_scores(translator, ["The dog", "The horse"], ["Der Hund", "Pferd"])]


@models
def test_wrong_options(marian):
    for options in {"batch_size": 0}, {"length_normalisation": "characters"}:
        with pytest.raises(OptionError):
            scores(marian, **options)


# ---- models ----


def message(model, **options) -> str:
    with pytest.raises(OptionError) as caught:
        load_translator(str(model), **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@models
def test_a_model_is_named_by_its_content(folders, marian, tmp_path):
    copy = shutil.copytree(folders("marian"), tmp_path / "marian")
    assert load_translator(str(copy)).version == marian.version
    other = make_marian(tmp_path / "other" / "marian", steps=1)
    assert load_translator(str(other)).version != marian.version


@models
@pytest.mark.parametrize(
    ("languages", "said"),
    [
        ({}, "--src-lang is needed"),
        ({"src_lang": "en"}, "--tgt-lang is needed"),
        ({"src_lang": "english", "tgt_lang": "de"}, "--src-lang: .* has no language 'english'"),
        ({"src_lang": "en", "tgt_lang": "xx"}, "--tgt-lang: .* has no language 'xx'"),
    ],
)
def test_a_model_of_many_languages_must_be_told_which(folders, languages, said):
    with pytest.raises(OptionError, match=said):
        load_translator(str(folders("m2m100")), **languages)


@models
def test_languages_change_scores(folders):
    found = [
        scores(load_translator(str(folders("m2m100")), src_lang="en", tgt_lang=language))
        for language in ("de", "fr")
    ]
    assert found[0] != found[1]


@models
def test_a_model_of_two_languages_has_none_to_choose_from(folders):
    assert "--tgt-lang: the tokenizer of" in message(folders("marian"), tgt_lang="de")


@models
def test_models_that_cannot_be_used(folders, tmp_path):
    assert "there is no folder" in message(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    assert "holds no model: it has no config.json" in message(tmp_path / "empty")
    for number, (file, content) in enumerate(
        [("config.json", "{"), ("model.safetensors", "x"), ("vocab.json", "[")]
    ):
        folder = shutil.copytree(folders("marian"), tmp_path / f"spoilt{number}")
        (folder / file).write_text(content)
        assert "cannot be used: " in message(folder)


@models
def test_a_model_without_all_its_weights_is_not_filled_up_with_chance(folders, tmp_path):
    from safetensors.torch import load_file, save_file

    folder = Path(shutil.copytree(folders("marian"), tmp_path / "lacking"))
    weights = load_file(folder / "model.safetensors")
    name = next(name for name in weights if name.endswith("decoder.layers.0.fc1.weight"))
    del weights[name]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    assert message(folder).endswith("its files have no weights for model.decoder.layers.0.fc1.weight")


@models
def test_a_model_that_does_not_translate(tmp_path, folders):
    from transformers import BertConfig, BertModel

    folder = Path(shutil.copytree(folders("bart"), tmp_path / "bert"))
    config = BertConfig(vocab_size=50, hidden_size=8, num_hidden_layers=1, num_attention_heads=1)
    (folder / "config.json").unlink()
    BertModel(config).save_pretrained(folder)
    assert "cannot be used: " in message(folder)


@models
def test_a_tokenizer_that_ends_no_sentence(folders, tmp_path):
    folder = Path(shutil.copytree(folders("bart"), tmp_path / "endless"))
    content = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    content["post_processor"] = None
    (folder / "tokenizer.json").write_text(json.dumps(content), encoding="utf-8")
    assert message(folder).endswith("puts no end-of-sentence token behind a translation")


@models
def test_a_device_that_is_not_there(folders):
    import torch

    if not torch.cuda.is_available():
        assert message(folders("marian"), device="cuda") == "torch finds no device 'cuda' on this machine"
    assert "Available: auto, cpu, cuda, mps" in message(folders("marian"), device="tpu")


@models
def test_a_named_model_that_is_not_there_is_fetched_and_that_is_said_before(monkeypatch, tmp_path):
    """The hub is not reachable here; transformers, which would ask it, is told to say what it would say."""
    import huggingface_hub
    import transformers

    events = []

    def unreachable(name, **options):
        events.append(("loading", name, options["local_files_only"]))
        raise OSError("We couldn't connect to the hub.\nCheck your connection.")

    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", lambda *arguments: None)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", unreachable)
    said = message("someone/none", notify=events.append)
    assert said == "the model 'someone/none' cannot be used: We couldn't connect to the hub"
    assert events == [
        "fetching the model someone/none (configuration, tokenizer and weights) from the Hugging Face Hub: "
        "it is not in the cache",
        ("loading", "someone/none", False),
    ]
    monkeypatch.setenv("APT_OFFLINE", "1")
    assert message("someone/none") == (
        "the model 'someone/none' is neither a folder nor fetched already, and APT_OFFLINE is set"
    )


@models
def test_nothing_is_written_to_the_terminal(folders, capfd):
    scores(load_translator(str(folders("marian"))))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("missing", ["torch", "transformers"])
def test_a_missing_extra_is_said_with_how_to_install_it(monkeypatch, missing):
    import sys

    monkeypatch.setitem(sys.modules, missing, None)
    if missing == "transformers":
        monkeypatch.setitem(sys.modules, "torch", object())
    said = message("any")
    assert "torch and transformers are needed and cannot be imported" in said
    assert said.endswith("To install them: pip install 'apt-score[models]'")
    assert issubclass(OptionError, AptError)
