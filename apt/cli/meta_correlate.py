"""`apt-meta correlate TABLE`: how well do metrics agree with human scores?"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from apt.cli.common import progress_share
from apt.cli.reporting import report_options, seed_option, show
from apt.comparing import UNITS
from apt.errors import OptionError

if TYPE_CHECKING:
    from apt.meta.findings import Correlated, Grouping
    from apt.meta.mtme import Loaded
    from apt.meta.tables import SegmentTable, SystemTable

_STATISTICS = ("pearson", "spearman", "kendall", "accuracy", "accuracy_ties")
_COLUMNS = ("human", "systems", "segments", "documents", "raters")
_GROUPS: "dict[str, Grouping]" = {
    "systems": "systems",
    "pooled": "pooled",
    "by-system": "by system",
    "by-segment": "by segment",
}


@click.command(
    name="correlate",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: apt-meta correlate scores.csv --human DA --plot scores.svg",
)
@click.argument("table")
@click.option("--human", metavar="COLUMN", help="Column of human scores. [human]")
@click.option("--systems", metavar="COLUMN", help="Column of the systems' names. [the first]")
@click.option("--metrics", metavar="NAMES", help="Metrics to look at, separated by commas. [all others]")
@click.option(
    "--lower-better",
    multiple=True,
    metavar="METRIC",
    help="A metric whose scores are errors, such as TER: shown as -TER; repeatable.",
)
@click.option("--segments", metavar="COLUMN", help="Column of segments: a row a system and segment.")
@click.option("--documents", metavar="COLUMN", help="Column of the segments' documents.")
@click.option("--raters", metavar="COLUMN", help="Column of raters, whose scores are averaged.")
@click.option("--standardize", is_flag=True, help="Bring every rater to mean 0 and spread 1 first.")
@click.option(
    "--scores", multiple=True, metavar="PATH", help="Score files of further metrics, or folders of them."
)
@click.option("--lang-pair", metavar="LP", help="Of a folder of mt-metrics-eval. [the only one]")
@click.option("--gold", metavar="NAME", help="Which human scores of it. [the only ones]")
@click.option("--level", type=click.Choice(["sys", "doc", "seg"]), help="Which scores of it. [sys]")
@click.option("--with-references", is_flag=True, help="References that people judged count as systems.")
@click.option("--drop", multiple=True, metavar="SYSTEM", help="Also show results without it; repeatable.")
@click.option(
    "--outliers/--no-outliers",
    default=True,
    show_default=True,
    help="Also show results without systems whose human score is an outlier.",
)
@click.option("--common", is_flag=True, help="Only segments that all metrics have scored.")
@click.option(
    "--group",
    type=click.Choice(list(_GROUPS)),
    default="pooled",
    show_default=True,
    help="How segments are brought together for tests of metrics.",
)
@click.option(
    "--statistic",
    type=click.Choice(_STATISTICS),
    default="pearson",
    show_default=True,
    help="What tests and clusters go by.",
)
@click.option(
    "--resample",
    type=click.Choice(UNITS),
    default="segments",
    show_default=True,
    help="What is drawn, where scores are of segments.",
)
@click.option(
    "--confidence-n",
    type=click.IntRange(1, 1_000_000),
    help="Resamples for intervals. [10000 of systems, 1000 of segments]",
)
@click.option(
    "--permutations",
    type=click.IntRange(1, 1_000_000),
    help="Random swaps of the permutation test. [10000 of systems, 1000 of segments]",
)
@seed_option
@click.option("--plot", metavar="FILE", help="Draw human against metric scores: .svg, .png or .pdf.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@report_options
def command(table: str, **options: Any) -> None:
    """Correlate metric scores with human scores, with intervals and tests of the metrics' differences.

    TABLE is a CSV or TSV file with a row a system (or, with --segments, a row a system and segment), a folder
    of mt-metrics-eval, or a file of human scores NAME.sys.score (.seg, .doc) together with --scores.
    """
    from apt.meta.tables import negated
    from apt.render.meta_correlate import correlation_report

    loaded = _loaded(table, options)
    scores = negated(loaded.table, options["lower_better"])
    found = _correlated(scores, options)
    if options["plot"] is not None:
        from apt.meta.pictures import pictures
        from apt.meta.plots import draw

        inputs = [path for path in (table, *options["scores"]) if Path(path).is_file()]
        draw(pictures(_looked_at(scores, options), found), options["plot"], inputs)
    show(correlation_report(found, loaded.notes, options["width"]), options)


def _loaded(table: str, options: dict[str, Any]) -> "Loaded":
    from apt.meta.mtme import ENDING, Choice, Loaded, read_files, read_folder
    from apt.meta.score_tables import Columns, read_table

    metrics = None if options["metrics"] is None else [name.strip() for name in options["metrics"].split(",")]
    choice = Choice(metrics=metrics, references=options["with_references"])
    folder = _is_folder(table)
    if folder or table.endswith(ENDING):
        _refuse(options, (*_COLUMNS, "standardize"), "with a table of columns")
    if folder:
        chosen = replace(
            choice, level=options["level"] or "sys", pair=options["lang_pair"], gold=options["gold"]
        )
        return read_folder(table, chosen, options["scores"])
    _refuse(options, ("lang_pair", "gold", "level"), "with a folder of mt-metrics-eval")
    if table.endswith(ENDING):
        return read_files(table, options["scores"], choice)
    _refuse(options, ("scores",), f"with human scores of NAME.sys{ENDING}, or a folder of mt-metrics-eval")
    named = {name: options[name] for name in _COLUMNS if options[name] is not None}
    if options["standardize"] and options["raters"] is None:
        raise OptionError("--standardize goes with --raters")
    return Loaded(read_table(table, Columns(metrics=metrics, **named), standardize=options["standardize"]))


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except OSError:  # a name too long, for example: whoever opens it will say so
        return False


def _refuse(options: dict[str, Any], names: tuple[str, ...], where: str) -> None:
    for name in names:
        if options[name]:
            raise OptionError(f"--{name.replace('_', '-')} goes {where}")


def _looked_at(table: "SystemTable | SegmentTable", options: dict[str, Any]) -> "SystemTable | SegmentTable":
    """The scores that the findings speak of."""
    from apt.meta.tables import SystemTable

    return table.common() if options["common"] and not isinstance(table, SystemTable) else table


def _correlated(table: "SystemTable | SegmentTable", options: dict[str, Any]) -> "Correlated":
    from apt.meta.correlate import correlate
    from apt.meta.correlate_segments import correlate_segments
    from apt.meta.tables import SystemTable

    plan: dict[str, Any] = {
        "drop": options["drop"],
        "statistic": options["statistic"],
        "seed": options["seed"],
    }
    for name, number in (("resamples", "confidence_n"), ("permutations", "permutations")):
        if options[number] is not None:
            plan[name] = options[number]
    if isinstance(table, SystemTable):
        if options["common"] or options["resample"] != "segments" or options["group"] != "pooled":
            raise OptionError("--common, --group and --resample go with scores of segments")
        return correlate(table, find_outliers=options["outliers"], **plan)
    progress = progress_share(options["quiet"])
    return correlate_segments(
        table,
        find_outliers=options["outliers"],
        common=options["common"],
        unit=options["resample"],
        group=_GROUPS[options["group"]],
        progress=lambda share: progress("resampling", share),
        **plan,
    )
