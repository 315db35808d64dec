from errata.nucle.conversion import OFFICIAL as OFFICIAL
from errata.nucle.conversion import PROFILES as PROFILES
from errata.nucle.conversion import ProfileName as ProfileName
from errata.nucle.reading import essays_in as essays_in
from errata.nucle.reading import read_nucle as read_nucle
from errata.nucle.token_edits import Language as Language
