"""The notebook runs from top to bottom, and shows what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOK = Path("examples/tour.ipynb")


def test_no_outputs_are_stored() -> None:
    """They would be out of date soon."""
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells if cell["cell_type"] == "code")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_notebook_runs() -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    for name in ("ipykernel", "pandas", "altair", "vl_convert", "pyarrow"):
        pytest.importorskip(name)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(Path.cwd())}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output.data for output in outputs if output.output_type == "execute_result"]
    html = [data["text/html"] for data in shown if "text/html" in data]
    texts = [data["text/plain"] for data in shown]
    assert texts[0] == "<Corpus 'learner.m2', 72 sentences, 2 annotators>"
    for part in ("0.6552", "<ins>", "corrected p", "dataframe"):
        assert part in "".join(html)
    assert sum("<svg" in part for part in html) == 2
    assert texts[-1] == "True"
    assert not any("<script" in part for part in html)
    assert "report.html" in outputs[-1].text
    assert not any(output.get("name") == "stderr" for output in outputs)
