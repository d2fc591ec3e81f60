"""`apt-contrast evaluate SET SCORES…`: accuracies of models on a contrastive set."""

from typing import Any

import click

from apt.cli.common import system_names, warn
from apt.cli.contrast_sets import check_standard_input, set_of, set_options
from apt.cli.reporting import report_options, show
from apt.errors import OptionError


@click.command(
    name="evaluate",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: apt-contrast evaluate contrapro.json model_a.scores model_b.scores",
)
@click.argument("test_set", metavar="SET")
@click.argument("scores", metavar="SCORES...", nargs=-1, required=True)
@set_options
@click.option(
    "--higher-is-better/--lower-is-better",
    default=False,
    help="Scores are log-probabilities; by default they are negative ones, lower being better.",
)
@click.option("--manifest", metavar="FILE", help="What apt-contrast prepare wrote: checked against SET.")
@click.option("--baseline", metavar="NAME", help="The model that others are compared with. [the first]")
@report_options
def command(test_set: str, scores: tuple[str, ...], **options: Any) -> None:
    """Accuracy of models: how often the correct translation has a better score than every contrastive one.

    SET is contrapro.json, Bawden's anaphora.json or lexical-choice.json, or a folder of ContraCAT; SCORES has
    a number a line, for every translation in the order of the prepared files, or JSON lines.
    """
    from apt.contrast.evaluation import compare, evaluate
    from apt.contrast.fields import read_json
    from apt.contrast.preferences import answered, preferences
    from apt.contrast.preparing import check_manifest
    from apt.contrast.scores import read_scores
    from apt.render.contrast import contrast_report, reversed_remark

    check_standard_input(test_set, *scores, options["manifest"], options=options)
    names = system_names(scores)
    baseline = options["baseline"] or names[0]
    if baseline not in names:
        raise OptionError(f"--baseline: no model is called {baseline!r}. Models: {', '.join(names)}")
    if options["baseline"] is not None and len(names) < 2:
        raise OptionError("--baseline needs at least two models")
    contrastive_set = set_of(test_set, options)
    if options["manifest"] is not None:
        check_manifest(read_json(options["manifest"]), options["manifest"], contrastive_set)
    given = {name: read_scores(path, contrastive_set) for name, path in zip(names, scores, strict=True)}
    higher = options["higher_is_better"]
    evaluations = {}
    for name, of_model in given.items():
        rest, of_rest = answered(contrastive_set, of_model)
        if rest.instances:  # a set may consist of priors
            evaluations[name] = evaluate(rest, of_rest, model=name, higher_is_better=higher)
    preferred = {
        name: preferences(contrastive_set, of_model, higher_is_better=higher)
        for name, of_model in given.items()
    }
    compared = [
        compare(evaluation, evaluations[baseline])
        for name, evaluation in evaluations.items()
        if name != baseline
    ]
    report = contrast_report(
        contrastive_set, list(evaluations.values()), compared, preferred, options["width"]
    )
    if options["output"] != "text":  # there it is said below the tables
        for evaluation in evaluations.values():
            if evaluation.looks_reversed:
                warn("apt-contrast", f"note: {evaluation.model}: {reversed_remark(evaluation)}")
    show(report, options)
