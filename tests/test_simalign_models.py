"""Models of the simalign backend: which is taken, which cannot be used, what is left alone meanwhile."""

import json
import logging
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from simalign_models import change_weights, make_bert, refuse_network, sentences, simalign

from apt.align.simalign_backend import SimalignAligner
from apt.align.simalign_model import OFFLINE_VARIABLES
from apt.errors import OptionError


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    refuse_network(monkeypatch)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> str:
    return str(make_bert(tmp_path_factory.mktemp("models") / "tiny"))


@pytest.fixture(scope="session")
def aligner(tiny) -> SimalignAligner:
    return SimalignAligner(tiny)


def message(*arguments, **keywords) -> str:
    with pytest.raises(OptionError) as caught:
        SimalignAligner(*arguments, **keywords)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- which model ----


@simalign
def test_the_version_names_library_model_and_method(tiny):
    versions = {SimalignAligner(model, "inter").version for model in (tiny, tiny + "/", tiny + "/.")}
    assert SimalignAligner(tiny).name == "simalign"
    (version,) = versions
    library = re.escape(metadata.version("simalign"))
    assert re.fullmatch(rf"{library}-tiny-[0-9a-f]{{8}}-inter", version)


def as_one_file(folder: Path) -> None:
    pass


def as_shards(folder: Path) -> None:
    from transformers import BertModel

    model = BertModel.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder, max_shard_size="100KB")
    assert len([*folder.glob("model-*.safetensors")]) > 1


def as_pickle(folder: Path) -> None:
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


@simalign
@pytest.mark.parametrize("store", [as_one_file, as_shards, as_pickle])
def test_other_weights_are_another_version(tmp_path, store):
    """Two models of one configuration."""
    one, other = (make_bert(tmp_path / f"{seed}" / "same", seed=seed) for seed in (1, 2))
    store(one)
    store(other)
    assert (one / "config.json").read_bytes() == (other / "config.json").read_bytes()
    assert SimalignAligner(str(one)).version != SimalignAligner(str(other)).version


@simalign
def test_another_tokenizer_is_another_version(tiny, tmp_path, aligner):
    folder = Path(shutil.copytree(tiny, tmp_path / "tiny"))
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    vocabulary[5:7] = vocabulary[6:4:-1]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    assert SimalignAligner(str(folder)).version != aligner.version


@simalign
def test_the_same_model_is_the_same_version_wherever_it_is(tiny, tmp_path, aligner):
    """Whatever else lies beside it."""
    folder = Path(shutil.copytree(tiny, tmp_path / "tiny"))
    for name in ("README.md", "optimizer.pt", "training_args.bin", "trainer_state.json"):
        (folder / name).write_bytes(b"{}")
    assert SimalignAligner(str(folder)).version == aligner.version


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


REVISION = "0123abcd" * 5


def put_into_cache(cache: Path, name: str, model: str, revision: str = REVISION) -> Path:
    """As the hub's library stores what it fetches."""
    repository = cache / f"models--{name.replace('/', '--')}"
    (repository / "refs").mkdir(parents=True, exist_ok=True)
    (repository / "refs" / "main").write_text(revision)
    return Path(shutil.copytree(model, repository / "snapshots" / revision))


@simalign
@pytest.mark.parametrize("offline", [False, True])
def test_a_model_fetched_before_needs_no_network(monkeypatch, empty_hub_cache, tiny, aligner, offline):
    put_into_cache(empty_hub_cache, "someone/tiny", tiny)
    if offline:
        monkeypatch.setenv("APT_OFFLINE", "1")
    fetched = []
    cached = SimalignAligner("someone/tiny", notify=fetched.append)
    assert not fetched
    assert cached.version == f"{metadata.version('simalign')}-someone/tiny-0123abcd-itermax"
    sources, targets = sentences(5, 10, seed=1), sentences(5, 10, seed=2)
    assert cached.align(sources, targets) == aligner.align(sources, targets)


@simalign
def test_the_version_is_the_same_when_fetched_and_when_fetched_before(monkeypatch, empty_hub_cache, tiny):
    """The hub is not reachable here; simalign is made to find there what it asks for."""
    import simalign

    load = simalign.SentenceAligner

    def fetching(model):
        return load(model=str(put_into_cache(empty_hub_cache, model, tiny)))

    with monkeypatch.context() as patch:
        patch.setattr(simalign, "SentenceAligner", fetching)
        fetched = SimalignAligner("someone/tiny").version
    assert fetched == SimalignAligner("someone/tiny").version
    put_into_cache(empty_hub_cache, "someone/tiny", tiny, revision="4567cdef" * 5)
    assert fetched.replace("0123abcd", "4567cdef") == SimalignAligner("someone/tiny").version != fetched


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
    assert message(method="max") == "unknown simalign method 'max'. Available: itermax, inter, mwmf"


def test_a_batch_holds_at_least_one_pair():
    assert message(batch_size=0) == "batch size 0: expected at least 1"
