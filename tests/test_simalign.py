"""The simalign backend: with a tiny BERT made here, against simalign itself and on what simalign fails on."""

import json
import logging
import random
import shutil
import socket
import string
import subprocess
import sys
from hashlib import sha256
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest

from apt.align.simalign_backend import METHODS, OFFLINE_VARIABLES, SimalignAligner
from apt.errors import OptionError

WORDS = ["it", "they", "works", "il", "ils", "marche", "the", "cat", "le", "chat", "when", "quand"]
SIGNS = string.ascii_lowercase + "éèç.,'-"


def simalign(test):
    """Marks a test that needs the extra."""
    absent = find_spec("simalign") is None
    skip = pytest.mark.skipif(absent, reason="simalign is missing: pip install 'apt-score[simalign]'")
    return pytest.mark.simalign(skip(test))


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Whatever goes online fails, and with it the test."""

    def refuse(*arguments, **keywords):
        pytest.fail(f"network used: {arguments}")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    for variable in OFFLINE_VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def make_bert(folder: Path, positions=512, layers=8, seed=1) -> Path:
    """A BERT that knows a few words and all signs, with random weights."""
    import torch
    from transformers import BertConfig, BertModel

    folder.mkdir(parents=True)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *SIGNS, *(f"##{s}" for s in SIGNS)]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=positions,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        BertModel(config).save_pretrained(folder)
    return folder


def change_weights(folder: Path, change) -> None:
    """Put in place of each weight what `change(name, weight)` gives; nothing for None."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    changed = {name: change(name, weight) for name, weight in load_file(path).items()}
    save_file({n: weight for n, weight in changed.items() if weight is not None}, path, {"format": "pt"})


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> str:
    """Takes 510 subwords, like the real ones."""
    return str(make_bert(tmp_path_factory.mktemp("models") / "tiny"))


@pytest.fixture(scope="session")
def tying(tiny, tmp_path_factory) -> str:
    """Does not know where a word stands, so that a word is the same wherever it does."""
    folder = Path(shutil.copytree(tiny, tmp_path_factory.mktemp("models") / "tying"))
    change_weights(folder, lambda name, weight: weight * 0 if "position_embeddings" in name else weight)
    return str(folder)


@pytest.fixture(scope="session")
def short(tmp_path_factory) -> str:
    """Takes 32 subwords."""
    return str(make_bert(tmp_path_factory.mktemp("models") / "short", positions=34))


@pytest.fixture(scope="session")
def aligners(tiny) -> dict[str, SimalignAligner]:
    return {method: SimalignAligner(tiny, method) for method in METHODS}


@pytest.fixture(scope="session")
def aligner(aligners) -> SimalignAligner:
    return aligners["itermax"]


@pytest.fixture(scope="session")
def short_aligner(short) -> SimalignAligner:
    return SimalignAligner(short)


def sentences(number, longest, seed=1):
    """Some words that the model knows, some that it splits."""
    rng = random.Random(seed)

    def word():
        return rng.choice(WORDS) if rng.random() < 0.6 else "".join(rng.choices(SIGNS, k=rng.randint(1, 4)))

    return [[word() for _ in range(rng.randint(1, longest))] for _ in range(number)]


def check_form(links, source, target):
    """Positions in range and ascending, no empty entries."""
    assert list(links) == sorted(links)
    for i, targets in links.items():
        assert 0 <= i < len(source)
        assert targets == sorted(set(targets)) != []
        assert 0 <= targets[0] <= targets[-1] < len(target)


def diagonal(words):
    return {i: [i] for i in range(len(words))}


def message(*arguments, **keywords) -> str:
    with pytest.raises(OptionError) as caught:
        SimalignAligner(*arguments, **keywords)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- links ----


def by_simalign(model, method, sources, targets):
    """What `get_word_aligns` gives, in our form."""
    import simalign

    letter = {"mwmf": "m", "inter": "a", "itermax": "i"}[method]
    original = simalign.SentenceAligner(model=model, matching_methods=letter)
    results = []
    for source, target in zip(sources, targets, strict=True):
        links = {}
        for i, j in original.get_word_aligns(source, target)[method]:
            links.setdefault(i, []).append(j)
        results.append(links)
    return results


@simalign
@pytest.mark.parametrize("method", METHODS)
def test_links_are_those_of_simalign_where_it_has_no_trouble(tiny, aligners, method):
    sources, targets = sentences(30, 12, seed=1), sentences(30, 12, seed=2)
    links = aligners[method].align(sources, targets)
    assert links == by_simalign(tiny, method, sources, targets)
    for entry in zip(links, sources, targets, strict=True):
        check_form(*entry)


@simalign
def test_the_methods_differ(aligners):
    """Or the test above would not show that the right one is taken."""
    sources, targets = sentences(30, 12, seed=1), sentences(30, 12, seed=2)
    results = [aligners[method].align(sources, targets) for method in METHODS]
    assert results[0] != results[1] != results[2] != results[0]


@simalign
@pytest.mark.parametrize("method", METHODS)
def test_a_sentence_and_itself(aligners, method):
    """Every subword is most like itself, so every word has itself among its links."""
    words = ["when", "it", "works", ",", "they", "see", "the", "cat"]
    (links,) = aligners[method].align([words], [words])
    assert all(i in links[i] for i in range(len(words)))
    if method != "itermax":  # which goes on to link subwords a second time
        assert links == diagonal(words)


@simalign
@pytest.mark.parametrize(("model", "method"), [("tiny", "itermax"), ("tying", "inter")])
def test_a_pairs_links_depend_on_that_pair_alone(request, model, method):
    """Alone, in any order, in any batch; also where equal words are exactly equally similar."""
    folder = request.getfixturevalue(model)
    sources, targets = sentences(40, 25, seed=3), sentences(40, 25, seed=4)
    expected = SimalignAligner(folder, method, batch_size=1).align(sources, targets)
    order = list(range(40))
    random.Random(1).shuffle(order)
    for batch_size in (3, 100):
        aligner = SimalignAligner(folder, method, batch_size=batch_size)
        links = aligner.align([sources[n] for n in order], [targets[n] for n in order])
        assert links == [expected[n] for n in order]


@simalign
def test_a_tie_goes_to_the_first_word(tying):
    words = ["it", "cat", "it", "cat", "they", "it"]
    (links,) = SimalignAligner(tying, "inter").align([words], [words])
    assert links == {0: [0], 1: [1], 4: [4]}


@simalign
def test_a_near_tie_is_decided_by_similarity_and_not_by_order(tying, tmp_path):
    """Two words whose vectors differ so little that single precision has them equal."""
    folder = Path(shutil.copytree(tying, tmp_path / "near"))
    one, other = 5 + WORDS.index("cat"), 5 + WORDS.index("chat")  # behind five special tokens

    def nearly_equal(name, weight):
        if name == "embeddings.word_embeddings.weight":
            weight[one, 0] = 0
            weight[other] = weight[one]
            weight[other, 0] = 5e-10
        return weight

    change_weights(folder, nearly_equal)
    aligner = SimalignAligner(str(folder), "inter")
    links = aligner.align([["it"], ["it"]], [["cat", "chat"], ["chat", "cat"]])
    assert links in ([{0: [0]}, {0: [1]}], [{0: [1]}, {0: [0]}])


@simalign
def test_sides_of_different_number_are_an_error(aligner):
    with pytest.raises(ValueError, match="shorter"):
        aligner.align([["it"], ["they"]], [["il"]])


# ---- what simalign fails on ----


@simalign
def test_empty_sides_have_no_links(aligner):
    assert aligner.align([], []) == []
    assert aligner.align([[], ["it"], []], [["il"], [], []]) == [{}, {}, {}]
    # ... and do not shift those of other pairs.
    assert aligner.align([[], ["it"]], [["il"], ["il"]]) == [{}, {0: [0]}]


WITHOUT_SUBWORDS = ["\u200b", "\x00", "\x07", "", " ", "\u00ad", "\ufe0f"]


@simalign
@pytest.mark.parametrize("odd", WITHOUT_SUBWORDS, ids=ascii)
@pytest.mark.parametrize("method", METHODS)
def test_a_word_without_subwords_has_no_links_and_changes_no_others(aligners, method, odd):
    source, target = ["it", "works", "when", "they", "see"], ["quand", "ils", "marche", "le"]
    (plain,) = aligners[method].align([source], [target])
    (links,) = aligners[method].align(
        [[odd, *source[:2], odd, odd, *source[2:]]], [[*target[:1], odd, *target[1:]]]
    )
    new_i, new_j = [1, 2, 5, 6, 7], [0, 2, 3, 4]
    assert links == {new_i[i]: [new_j[j] for j in targets] for i, targets in plain.items()}


@simalign
def test_a_side_of_nothing_but_words_without_subwords(aligner):
    assert aligner.align([WITHOUT_SUBWORDS], [["il"]]) == [{}]
    assert aligner.align([["it"]], [WITHOUT_SUBWORDS]) == [{}]


# ---- long pairs ----


@simalign
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("length", [510, 511, 600, 2000])
def test_nothing_of_a_long_sentence_is_cut_off(aligners, method, length):
    """Every word finds itself, far behind the 510th subword too."""
    words = random.Random(1).choices(WORDS, k=length)
    (links,) = aligners[method].align([words], [words])
    check_form(links, words, words)
    if method == "itermax":
        assert all(i in links[i] for i in range(length))
    else:
        assert links == diagonal(words)


@simalign
def test_what_just_fits_is_one_window(short):
    """32 subwords are aligned as a whole, as by simalign; of 33 simalign makes nothing."""
    source, target = (random.Random(n).choices(WORDS, k=32) for n in (1, 2))
    aligner = SimalignAligner(short)
    assert aligner.align([source], [target]) == by_simalign(short, "itermax", [source], [target])
    with pytest.raises((RuntimeError, IndexError)):
        by_simalign(short, "itermax", [[*source, "it"]], [target])
    check_form(aligner.align([[*source, "it"]], [target])[0], [*source, "it"], target)


@simalign
def test_windows_are_those_documented(short, short_aligner):
    """By hand: 48 words a side, one subword each; 32 fit, 16 of them core and 8 either side context.

    So 3 windows: words 0-23, 8-39, 24-47, of which those of the source in 0-15, 16-31, 32-47 count.
    """
    source, target = (random.Random(n).choices(WORDS, k=48) for n in (1, 2))
    expected = {}
    for first, last, core in ((0, 24, range(16)), (8, 40, range(16, 32)), (24, 48, range(32, 48))):
        (part,) = by_simalign(short, "itermax", [source[first:last]], [target[first:last]])
        for i, targets in part.items():
            if i + first in core:
                expected[i + first] = [j + first for j in targets]
    assert short_aligner.align([source], [target]) == [expected]


@simalign
def test_sides_of_very_different_length(short_aligner):
    """Opposite a part of the long side stands the same share of the short one, or all of it."""
    few, many = ["il", "marche"], random.Random(1).choices(WORDS, k=300)
    one, other = short_aligner.align([few, many], [many, few])
    check_form(one, few, many)
    check_form(other, many, few)
    assert one
    assert max(other) > 250


@simalign
def test_a_long_pair_does_not_disturb_others(short_aligner):
    long = random.Random(1).choices(WORDS, k=100)
    pairs = [(["it", "works"], ["il", "marche"]), (long, long[::-1]), (["they"], ["ils"])]
    together = short_aligner.align([s for s, _ in pairs], [t for _, t in pairs])
    assert together == [short_aligner.align([s], [t])[0] for s, t in pairs]


@simalign
def test_a_single_word_that_is_too_long(aligner):
    """A dotted line has a subword a dot: more than fit."""
    (links,) = aligner.align([["the", "." * 1500, "cat"]], [["le", "." * 1500, "chat"]])
    assert 1 in links[1]
    assert set(links) <= {0, 1, 2}


@simalign
def test_ten_thousand_words(short_aligner):
    words = random.Random(1).choices(WORDS, k=10_000)
    (links,) = short_aligner.align([words], [words])
    assert all(i in links[i] for i in range(10_000))


# ---- which model ----


@simalign
def test_the_version_names_library_model_and_method(tiny):
    digest = sha256((Path(tiny) / "config.json").read_bytes()).hexdigest()[:8]
    for model in (tiny, tiny + "/", tiny + "/."):
        aligner = SimalignAligner(model, "inter")
        assert (aligner.name, aligner.version) == (
            "simalign",
            f"{metadata.version('simalign')}-tiny-{digest}-inter",
        )


@simalign
def test_what_means_something_in_a_signature_is_not_in_the_version(tiny, tmp_path):
    folder = tmp_path / "a|b:c é"
    shutil.copytree(tiny, folder)
    assert "-a_b_c_é-" in SimalignAligner(str(folder)).version


@simalign
@pytest.mark.parametrize("variable", OFFLINE_VARIABLES)
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bert", "bert-base-multilingual-cased"),
        ("xlmr", "xlm-roberta-base"),
        ("someone/none", "someone/none"),
    ],
)
def test_offline_a_missing_model_is_an_error(monkeypatch, empty_hub_cache, variable, name, said):
    monkeypatch.setenv(variable, "1")
    fetched = []
    assert message(name, notify=fetched.append) == (
        f"simalign: the model '{said}' is neither a folder nor fetched already, and {variable} is set"
    )
    assert not fetched


@simalign
@pytest.mark.parametrize("value", ["true", "ON", "yes", "y", "2"])
def test_ways_to_say_offline(monkeypatch, empty_hub_cache, value):
    monkeypatch.setenv("APT_OFFLINE", value)
    assert "APT_OFFLINE is set" in message("someone/none")


@simalign
@pytest.mark.parametrize("value", ["", "0", "false", "NO", "off"])
def test_what_is_fetched_is_said_before(monkeypatch, empty_hub_cache, value):
    """The hub is not reachable here; simalign, which would ask it, is told to say what it would say."""
    import simalign

    monkeypatch.setenv("APT_OFFLINE", value)
    events = []

    def unreachable(model):
        events.append(("loading", model))
        raise OSError("We couldn't connect to the hub.\nCheck your connection.")

    monkeypatch.setattr(simalign, "SentenceAligner", unreachable)
    error = message(notify=lambda text: events.append(("notified", text)))
    assert events == [
        ("notified", "fetching the model bert-base-multilingual-cased from the Hugging Face Hub"),
        ("loading", "bert-base-multilingual-cased"),
    ]
    assert error == (
        "simalign cannot use the model 'bert-base-multilingual-cased': We couldn't connect to the hub"
    )
    assert message("someone/none").startswith("simalign cannot use the model 'someone/none'")  # no notify


@pytest.fixture
def empty_hub_cache(monkeypatch, tmp_path) -> Path:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def put_into_cache(cache: Path, name: str, model: str) -> Path:
    """As the hub's library stores what it fetches."""
    repository = cache / f"models--{name.replace('/', '--')}"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("abc123")
    return Path(shutil.copytree(model, repository / "snapshots" / "abc123"))


@simalign
@pytest.mark.parametrize("offline", [False, True])
def test_a_model_fetched_before_needs_no_network(monkeypatch, empty_hub_cache, tiny, aligner, offline):
    put_into_cache(empty_hub_cache, "someone/tiny", tiny)
    if offline:
        monkeypatch.setenv("APT_OFFLINE", "1")
    fetched = []
    cached = SimalignAligner("someone/tiny", notify=fetched.append)
    assert not fetched
    assert cached.version == f"{metadata.version('simalign')}-someone/tiny-itermax"
    sources, targets = sentences(5, 10, seed=1), sentences(5, 10, seed=2)
    assert cached.align(sources, targets) == aligner.align(sources, targets)


@simalign
@pytest.mark.parametrize("wanting", ["model.safetensors", "vocab.txt"])
def test_a_model_fetched_in_part_is_not_there(monkeypatch, empty_hub_cache, tiny, wanting):
    (put_into_cache(empty_hub_cache, "someone/tiny", tiny) / wanting).unlink()
    monkeypatch.setenv("APT_OFFLINE", "1")
    assert "neither a folder nor fetched already" in message("someone/tiny")


@simalign
@pytest.mark.parametrize(
    "name", ["./nowhere", "/no/such/folder", "a/b/c", "", "C:\\models\\bert", "bert base"]
)
def test_what_can_only_be_a_folder_is_never_looked_for_online(name):
    assert (
        message(name) == f"simalign: there is no folder {name!r}, and this is no name of a model on the hub"
    )


# ---- models that cannot be used ----


@simalign
def test_a_folder_without_a_model(tmp_path):
    assert message(str(tmp_path)) == f"simalign: {tmp_path} holds no model: it has no config.json"


@simalign
def test_a_model_with_too_few_layers(tmp_path):
    """simalign takes the vectors of layer 8."""
    model = make_bert(tmp_path / "flat", layers=7)
    message_start = f"simalign cannot use the model '{model}': Specified to take embeddings from layer 8"
    assert message(str(model)).startswith(message_start)


@simalign
def test_a_model_whose_files_lack_weights(tmp_path, monkeypatch):
    """transformers fills in random numbers and only warns, or does not even do that."""
    model = make_bert(tmp_path / "gaps", layers=7)
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 9}))
    for level in (logging.WARNING, logging.ERROR):
        monkeypatch.setattr(logging.getLogger("transformers"), "level", level)
        assert "its files have no weights for encoder.layer." in message(str(model))
        assert logging.getLogger("transformers").level == level


@simalign
def test_a_model_without_pooler_is_fine(tiny, tmp_path, aligner):
    """As those trained on masked words alone, such as XLM-RoBERTa: it is not used."""
    folder = Path(shutil.copytree(tiny, tmp_path / "tiny"))
    change_weights(folder, lambda name, weight: None if "pooler" in name else weight)
    words = sentences(3, 10)
    assert SimalignAligner(str(folder)).align(words, words[::-1]) == aligner.align(words, words[::-1])


@simalign
def test_a_tokenizer_without_special_tokens(tiny, tmp_path):
    """simalign leaves off the first vector and the last, whatever they are of."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    folder = Path(shutil.copytree(tiny, tmp_path / "bare"))
    (folder / "vocab.txt").unlink()
    bare = Tokenizer(models.WordLevel({"[PAD]": 0, "[UNK]": 1, "a": 2}, unk_token="[UNK]"))
    PreTrainedTokenizerFast(tokenizer_object=bare, pad_token="[PAD]").save_pretrained(folder)
    assert "one special token before a sentence and one behind it" in message(str(folder))


@simalign
@pytest.mark.parametrize(
    ("name", "content"),
    [("config.json", b"{"), ("model.safetensors", b"nonsense"), ("config.json", b'{"model_type": "none"}')],
)
def test_spoilt_files(tiny, tmp_path, name, content):
    folder = Path(shutil.copytree(tiny, tmp_path / "spoilt"))
    (folder / name).write_bytes(content)
    assert message(str(folder)).startswith(f"simalign cannot use the model '{folder}': ")


# ---- what it leaves alone ----


@simalign
def test_nothing_is_written_and_no_handler_of_simalign_stays(tiny):
    script = """
import logging, sys
from apt.align.simalign_backend import SimalignAligner
SimalignAligner(sys.argv[1]).align([["it"], ["." * 1500]], [["il"], ["."]])
logger = logging.getLogger("simalign.simalign")
assert "simalign.simalign" in sys.modules
assert (logger.handlers, logger.level, logger.propagate) == ([], logging.NOTSET, True)
assert logging.root.handlers == []
for name in "transformers", "huggingface_hub":
    (handler,) = logging.getLogger(name).handlers
    assert type(handler) is logging.StreamHandler  # its own, as importing it alone would leave it
from transformers.utils.logging import is_progress_bar_enabled
assert is_progress_bar_enabled()
"""
    done = subprocess.run([sys.executable, "-c", script, tiny], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@simalign
def test_the_users_own_handlers_and_levels_stay(tiny, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "simalign"]:
        monkeypatch.delitem(sys.modules, name)
    logger = logging.getLogger("simalign.simalign")
    own = logging.NullHandler()
    monkeypatch.setattr(logger, "handlers", [own])
    monkeypatch.setattr(logger, "level", logging.ERROR)
    SimalignAligner(tiny)
    assert (logger.handlers, logger.level) == ([own], logging.ERROR)


# ---- without the extra ----


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "simalign", None)
    assert message().endswith("To install it: pip install 'apt-score[simalign]'")
    assert message().startswith("the aligner simalign cannot be imported (")


def test_the_module_imports_nothing_heavy():
    script = """
import sys, apt.align.simalign_backend
print({"simalign", "torch", "transformers", "huggingface_hub", "scipy"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_an_unknown_method_is_an_error_that_lists_the_methods():
    assert message(method="max") == "unknown simalign method 'max'. Available: mwmf, inter, itermax"


def test_a_batch_holds_at_least_one_pair():
    assert message(batch_size=0) == "batch size 0: expected at least 1"
