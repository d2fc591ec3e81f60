"""The README's example is what the program prints."""

import re
import shlex
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_examples_in_the_readme_are_real(apt_score, examples, monkeypatch):
    found = re.findall(r"apt-score (examples/source\.en [^\n]*)\n```\n\n```\n(.*?)```", README, re.S)
    assert len(found) == 2
    monkeypatch.chdir(examples.parent)
    for command, shown in found:
        output = apt_score(*shlex.split(command)).out
        beginning, cut, _ = shown.partition("…\n")
        assert output.startswith(beginning)
        assert cut or output == shown


def test_the_library_example_in_the_readme_runs():
    program = re.search(r"```python\n(.*?)```", README, re.S)[1]
    names = {}
    exec(program, names)
    result = names["result"]
    assert (result.score, result.cases.different, result.confusion) == (0.0, 1, {("il", "elle"): 1})


def test_every_option_is_in_the_readme():
    from apt.cli.score import command

    table = README[README.index("| option |") : README.index("As a library")]
    for parameter in command.params:
        for option in (o for o in parameter.opts if o.startswith("--")):
            shown = {
                "--heuristic": "--no-heuristic",
                "--score-only": "-b",
                "--width": "-w N",
                "--quiet": "-q",
            }
            if option != "--version":
                assert f"`{shown.get(option, option)}" in table, option
