"""UA-GEC as a corpus format: a folder with annotated texts and their sentences, or one annotated text of it."""

from errata.formats.registry import CorpusFormat
from errata.ua_gec.corpora import read_annotated

UA_GEC = CorpusFormat("ua-gec", read_annotated, reads_folders=True)
