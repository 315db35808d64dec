from errata.line_alignment.aligning import align_lines as align_lines
from errata.line_alignment.fills import FILLS as FILLS
from errata.line_alignment.fills import Fill as Fill
from errata.line_alignment.operations import LineAlignment as LineAlignment
from errata.line_alignment.operations import LineOperation as LineOperation
