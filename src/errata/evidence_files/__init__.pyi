from errata.evidence_files.making import Making as Making
from errata.evidence_files.making import make_from_corpus as make_from_corpus
from errata.evidence_files.making import make_from_texts as make_from_texts
from errata.evidence_files.merging import merge_evidence as merge_evidence
from errata.evidence_files.reading import EvidenceFolder as EvidenceFolder
from errata.evidence_files.reading import is_evidence as is_evidence
