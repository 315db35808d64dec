"""The compiled core: the same functions as errata._reference."""



class MaxMatchJudge:
    """MaxMatch counts of hypotheses against a corpus that is read once."""

    def __init__(self, sentences: list[tuple[tuple[str, ...], tuple[tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...], ...]]], max_unchanged: int) -> None: ...

    def counts(self, first: int, hypotheses: list[tuple[str, ...]]) -> list[tuple[tuple[int, int, int], ...]]:
        """
        Correct, proposed and gold edits of consecutive sentences from `first` on, one row for each annotator.
        """

    def edits(self, sentence: int, hypothesis: tuple[str, ...]) -> list[list[tuple[int, int, int, int, int]]]:
        """
        For each annotator the edits found: source span, hypothesis span, and the gold edit matched or -1.
        """

def three_way_counts(source: tuple[str, ...], hypothesis: tuple[str, ...], references: tuple[tuple[str, ...], ...], gap: int, mismatch: int) -> list[tuple[int, ...]]:
    """
    For each reference the classes of the columns of an exact alignment, of the hypothesis and of the source in its place.
    """

def align(source: tuple[str, ...], target: tuple[str, ...]) -> list[tuple[int, int, int, int]]:
    """
    The fewest edits of a shortest alignment: source span and target span of each.
    """
