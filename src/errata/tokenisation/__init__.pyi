from errata.tokenisation.choosing import TOKENISERS as TOKENISERS
from errata.tokenisation.choosing import find_tokeniser as find_tokeniser
from errata.tokenisation.systems import tokenise_system as tokenise_system
from errata.tokenisation.tokeniser import Tokeniser as Tokeniser
