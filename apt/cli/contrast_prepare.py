"""`apt-contrast prepare SET -o DIR`: files for a model to score, and a manifest."""

import json
from typing import Any

import click

from apt.cli.common import warn
from apt.cli.contrast_sets import check_standard_input, set_of, set_options
from apt.errors import OptionError


@click.command(
    name="prepare",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: apt-contrast prepare contrapro.json -o prepared --context 1 --separator ' <SEP> '",
)
@click.argument("test_set", metavar="SET")
@click.option("--output", "-o", required=True, metavar="DIR", help="Where to write the files.")
@set_options
@click.option(
    "--context",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Sentences before each.",
)
@click.option("--no-target-context", is_flag=True, help="Context of the source alone.")
@click.option("--separator", help="Put context and sentence into one line, with this between them.")
@click.option("--quiet", "-q", is_flag=True, help="No remarks on standard error.")
def command(test_set: str, **options: Any) -> None:
    """Write source.txt and target.txt, a line a translation, for a model to score, and manifest.json.

    The order is that of the set: instance after instance, the correct translation first. With --context K
    and no --separator the sentences before are in files of their own, source.context1.txt being the nearest.
    """
    from apt.contrast.preparing import MANIFEST, prepare
    from apt.render.folders import complaining, output_folder

    check_standard_input(test_set, options=options)
    if options["no_target_context"] and not options["context"]:
        raise OptionError("--no-target-context goes with --context")
    contrastive_set = set_of(test_set, options)
    prepared = prepare(
        contrastive_set,
        context=options["context"],
        target_context=not options["no_target_context"],
        separator=options["separator"],
    )
    with output_folder(options["output"]) as place, complaining(options["output"]):
        for name, lines in prepared.files.items():
            (place / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        manifest = json.dumps(prepared.manifest, ensure_ascii=False, indent=1)
        (place / MANIFEST).write_text(f"{manifest}\n", encoding="utf-8", newline="\n")
    if not options["quiet"]:
        count, names = sum(contrastive_set.sizes), ", ".join(prepared.files)
        warn("apt-contrast", f"{options['output']}: {count:,} lines to score ({names})")
