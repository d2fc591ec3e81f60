"""Meta-evaluation: how well do metric scores agree with what people say, and how sure is that?

Scores of systems or segments against human ones (`correlate`, `correlate_segments`), triples against
judgments (`judged_cases`), raters against each other (`gwet_ac1`, `cohen_kappa`, `fleiss_kappa`), weights
(`tune`) and lists of equivalents (`learn_equivalents`) from what people say; plots in `apt.meta.plots`. See
docs/meta.md for what is computed.
"""

from apt.meta.agreement import Coefficient, cohen_kappa, fleiss_kappa, gwet_ac1
from apt.meta.cases_judged import judged_cases
from apt.meta.correlate import correlate, outliers
from apt.meta.correlate_segments import correlate_segments
from apt.meta.correlation import accuracy, accuracy_with_ties, kendall, pearson, spearman
from apt.meta.details import read_details
from apt.meta.differences import permutation_test, williams_test
from apt.meta.findings import Correlated, Estimate, MetricAgreement, PairTest, View
from apt.meta.judgments import read_judgments
from apt.meta.list_learning import learn_equivalents
from apt.meta.mtme import Choice, read_files, read_folder
from apt.meta.score_tables import Columns, read_table
from apt.meta.tables import SegmentTable, SystemTable, negated
from apt.meta.tuning import tune
from apt.meta.tuning_data import read_tuning_data

__all__ = [
    "Choice",
    "Coefficient",
    "Columns",
    "Correlated",
    "Estimate",
    "MetricAgreement",
    "PairTest",
    "SegmentTable",
    "SystemTable",
    "View",
    "accuracy",
    "accuracy_with_ties",
    "cohen_kappa",
    "correlate",
    "correlate_segments",
    "fleiss_kappa",
    "gwet_ac1",
    "judged_cases",
    "kendall",
    "learn_equivalents",
    "negated",
    "outliers",
    "pearson",
    "permutation_test",
    "read_details",
    "read_files",
    "read_folder",
    "read_judgments",
    "read_table",
    "read_tuning_data",
    "spearman",
    "tune",
    "williams_test",
]
