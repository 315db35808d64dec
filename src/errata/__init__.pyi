from collections.abc import Callable
from typing import Any

from errata.corpus.alternatives import list_unclear as list_unclear
from errata.corpus.corpus import Annotation as Annotation
from errata.corpus.corpus import Corpus as Corpus
from errata.corpus.corpus import Edit as Edit
from errata.corpus.corpus import Sentence as Sentence
from errata.corpus.corpus import System as System
from errata.corpus.corpus import extract_edits as extract_edits
from errata.corpus.line_alignment import align_lines as align_lines
from errata.errors import ErrataError as ErrataError
from errata.errors import FormatError as FormatError
from errata.errors import InputError as InputError
from errata.errors import InputWarning as InputWarning
from errata.errors import MismatchError as MismatchError
from errata.errors import RequestError as RequestError
from errata.errors import UsageError as UsageError
from errata.formats.datasets import read_data_set as read_data_set
from errata.formats.graphs import read_graphs as read_graphs
from errata.formats.graphs import write_graphs as write_graphs
from errata.formats.lines import limit_input as limit_input
from errata.formats.reading import read as read
from errata.formats.reading import read_system as read_system
from errata.formats.reading import write as write
from errata.formats.rows import from_rows as from_rows
from errata.language.graphs import GraphBank as GraphBank
from errata.language.parse_bank import ParseBank as ParseBank
from errata.metrics.base import Metric as Metric
from errata.metrics.errant import Errant as Errant
from errata.metrics.evidence import Evidence as Evidence
from errata.metrics.exact import Accuracy as Accuracy
from errata.metrics.exact import IndexMatch as IndexMatch
from errata.metrics.gleu import Gleu as Gleu
from errata.metrics.hoo import Hoo as Hoo
from errata.metrics.imeasure import IMeasure as IMeasure
from errata.metrics.maxmatch import MaxMatch as MaxMatch
from errata.metrics.meaning import DistSim as DistSim
from errata.metrics.meaning import UccaSim as UccaSim
from errata.metrics.registry import METRICS as METRICS
from errata.metrics.registry import metric as metric
from errata.report.charts.scores import draw_chart as draw_chart
from errata.report.page.document import report_page as report_page
from errata.scoring.evaluator import Evaluator as Evaluator
from errata.scoring.evaluator import compute as compute
from errata.scoring.evaluator import merge as merge
from errata.scoring.evaluator import score as score
from errata.scoring.scores import Score as Score
from errata.scoring.scores import Scores as Scores
from errata.scoring.scores import SentenceScore as SentenceScore
from errata.stats.bootstrap import Bootstrap as Bootstrap
from errata.stats.comparison import Comparison as Comparison
from errata.stats.comparison import SourceComparison as SourceComparison
from errata.stats.comparison import compare as compare
from errata.stats.comparison import compare_with_source as compare_with_source
from errata.stats.correlation import Correlation as Correlation
from errata.stats.correlation import correlate as correlate
from errata.stats.gating import Gate as Gate
from errata.stats.gating import gate as gate
from errata.stats.intervals import Interval as Interval
from errata.stats.intervals import Matches as Matches
from errata.stats.intervals import compute_intervals as compute_intervals
from errata.studies.rewards import Rewards as Rewards
from errata.studies.rewards import utilities as utilities

__version__: str

def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]: ...
def _list_names(package: str) -> dict[str, str]: ...
