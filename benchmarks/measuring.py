"""What the benchmarks of speed share: processes timed and weighed, and goals. Needs a POSIX system."""

import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT / os.environ.get("APT_SHARED_DATA", "../shared/data")

# A process begins with the peak memory of the one that started it, so a small one starts those measured.
LAUNCHER_CODE = """
import os, sys, time
start = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - start, usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""

Command = Sequence[str]


@dataclass(frozen=True)
class Run:
    """One process: how long it ran, its peak memory (its largest process if it started some), its output."""

    seconds: float
    megabytes: float
    output: str


@dataclass(frozen=True)
class Median:
    """The medians of the runs of one command, and everything it printed."""

    seconds: float
    megabytes: float
    outputs: frozenset[str]


@dataclass(frozen=True)
class Bench:
    """Where commands are run, and with what environment."""

    folder: Path
    environment: Mapping[str, str]

    def run(self, command: Command) -> Run:
        launched = subprocess.run(
            [sys.executable, "-S", "-c", LAUNCHER_CODE, *command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        if launched.returncode:
            raise SystemExit(f"{' '.join(command)}\nended with {launched.returncode}:\n{launched.stderr}")
        *output, measured = launched.stdout.splitlines()
        seconds, peak = measured.split()
        kilobytes = int(peak) / 1024 if sys.platform == "darwin" else int(peak)
        return Run(float(seconds), kilobytes / 1024, "\n".join(output))

    def interleaved(self, commands: Mapping[str, Command], repeats: int) -> dict[str, Median]:
        """Run all commands once, then all again, …"""
        runs: dict[str, list[Run]] = {name: [] for name in commands}
        for _ in range(repeats):
            for name, command in commands.items():
                runs[name].append(self.run(command))
        return {name: _median(done) for name, done in runs.items()}


def _median(runs: Sequence[Run]) -> Median:
    return Median(
        statistics.median(run.seconds for run in runs),
        statistics.median(run.megabytes for run in runs),
        frozenset(run.output for run in runs),
    )


def environment(folder: Path) -> dict[str, str]:
    """The environment, but bytecode is kept, as it is for an installed package: in a folder of our own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def apt_score(*arguments: str) -> Command:
    """What the console script runs."""
    return [sys.executable, "-c", "from apt.cli.score import main; main()", *arguments]


@dataclass(frozen=True)
class Goal:
    """A number to reach: at least or at most `limit`; `measured` is None if it was not measured."""

    name: str
    measured: float | None
    limit: float
    at_least: bool = False

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        if self.measured is None:
            return f"  {'not measured':15} {self.name} ({sign} {self.limit:g})"
        reached = self.measured >= self.limit if self.at_least else self.measured <= self.limit
        verdict = "reached" if reached else "NOT reached"
        return f"  {verdict:15} {self.name}: {self.measured:.2f} ({sign} {self.limit:g})"


def divide(above: float | None, below: float | None) -> float | None:
    """The quotient, if both were measured."""
    return None if above is None or below is None else above / below


def print_versions(*packages: str) -> None:
    """What is compared, and on what."""
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"{versions}, Python {platform.python_version()}, {os.cpu_count()} processors")


def sizes(written: str) -> list[int]:
    """The value of --sizes: numbers of segments, by commas."""
    return [int(size) for size in written.split(",")]
