"""Progress on standard error: on a terminal only, and only of what takes long."""

import io

from apt.cli import common


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch):
    """In place of standard error; called in the test, because capturing sets its own stream before it."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    return stream


def test_long_work_shows_how_far_it_is_and_cleans_up(monkeypatch):
    stream = terminal(monkeypatch)
    monkeypatch.setattr(common, "_SECONDS_WITHOUT_PROGRESS", 0.0)
    with common.progress_line(quiet=False) as progress:
        progress(1024)
        assert "1,024 segments" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_short_work_shows_nothing(monkeypatch):
    stream = terminal(monkeypatch)
    with common.progress_line(quiet=False) as progress:
        progress(1024)
    assert stream.getvalue() == ""


def test_quiet_is_quiet(monkeypatch):
    stream = terminal(monkeypatch)
    monkeypatch.setattr(common, "_SECONDS_WITHOUT_PROGRESS", 0.0)
    with common.progress_line(quiet=True) as progress:
        progress(1024)
    assert stream.getvalue() == ""


def test_a_pipe_gets_no_progress(apt_score, examples, monkeypatch):
    monkeypatch.setattr(common, "_SECONDS_WITHOUT_PROGRESS", 0.0)
    texts = [examples / name for name in ("source.en", "reference.fr", "system_a.fr")]
    assert apt_score(*texts, "--lang", "fr").err == ""


def test_a_run_tells_how_far_it_is(examples, monkeypatch):
    stream = terminal(monkeypatch)
    from apt.cli.score import command

    monkeypatch.setattr(common, "_SECONDS_WITHOUT_PROGRESS", 0.0)
    monkeypatch.setattr("apt.corpus.CHUNK_LINES", 20)
    texts = [str(examples / name) for name in ("source.en", "reference.fr", "system_a.fr")]
    command.main([*texts, "--lang", "fr"], standalone_mode=False)
    shown = stream.getvalue()
    assert [f"\r{n} segments" in shown for n in (20, 40, 49)] == [True, True, True]
