from errata.hoo.edits import HooEdit as HooEdit
from errata.hoo.measures import HooCounts as HooCounts
from errata.hoo.measures import HooScores as HooScores
from errata.hoo.scorer import count_edits as count_edits
