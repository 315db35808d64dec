from errata.nucle.conversion import OFFICIAL as OFFICIAL
from errata.nucle.conversion import PROFILES as PROFILES
from errata.nucle.conversion import ProfileName as ProfileName
from errata.nucle.reading import read_essay_file as read_essay_file
from errata.nucle.reading import read_nucle as read_nucle
from errata.nucle.token_edits import Language as Language
