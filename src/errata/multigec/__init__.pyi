from errata.multigec.corpora import read_multigec as read_multigec
from errata.multigec.corpora import read_multigec_system as read_multigec_system
