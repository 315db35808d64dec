from errata.line_alignment.aligning import align_lines as align_lines
from errata.line_alignment.operations import LineAlignment as LineAlignment
from errata.line_alignment.operations import LineOperation as LineOperation
from errata.names import FILLS as FILLS
from errata.names import Fill as Fill
