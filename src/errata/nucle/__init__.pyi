from errata.nucle.conversion import OFFICIAL as OFFICIAL
from errata.nucle.conversion import PROFILES as PROFILES
from errata.nucle.conversion import ProfileName as ProfileName
from errata.nucle.reading import MistakeCounts as MistakeCounts
from errata.nucle.reading import read_essay_file as read_essay_file
from errata.nucle.reading import read_nucle as read_nucle
from errata.nucle.reading import read_with_mistakes as read_with_mistakes
from errata.nucle.token_edits import Language as Language
