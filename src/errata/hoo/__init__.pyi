from errata.hoo.corpora import read_hoo as read_hoo
from errata.hoo.edits import HooEdit as HooEdit
from errata.hoo.measures import HooCounts as HooCounts
from errata.hoo.measures import HooScores as HooScores
from errata.hoo.output_texts import read_hoo_system as read_hoo_system
from errata.hoo.scorer import count_edits as count_edits
