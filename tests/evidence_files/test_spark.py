"""Spark counts the same, as the documentation shows it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import errata

from evidence_folders import LongCorpus

SCRIPT = """\
import json, sys
from pyspark.sql import SparkSession
from errata.scoring.evidence_files import BatchCounter, score_rows

folder = sys.argv[1]
settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "3", "spark.sql.execution.arrow.maxRecordsPerBatch": "64"}
spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
texts = spark.read.parquet(f"{folder}/texts.parquet").repartition(3)
scores = []
for metric in ("maxmatch", "gleu"):
    count = BatchCounter(metric, source="src", references=["ref0", "ref1"], output="eager", keep=["id"])
    rows = texts.mapInArrow(count, count.write_spark_schema(texts.dtypes))
    rows.orderBy("id", "row").write.parquet(f"{folder}/{metric}")
    scores.append([score_rows(rows.toArrow(), metric).value, score_rows(f"{folder}/{metric}", metric).value])
spark.stop()
print(json.dumps(scores))
"""


@pytest.mark.slow
def test_spark_counts_the_same(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="PySpark is not installed")
    pytest.importorskip("pandas", reason="PySpark needs pandas for mapInArrow")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java")
    import pyarrow as pa
    from pyarrow import parquet

    corpus = LongCorpus(tmp_path, 500)
    table = parquet.read_table(corpus.path("all.parquet"))
    parquet.write_table(table.append_column("id", pa.array(range(500))), tmp_path / "texts.parquet")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    gold = errata.read(corpus.path("src.txt"), references=[corpus.path("ref0.txt"), corpus.path("ref1.txt")])
    expected = [errata.score(gold, errata.read_system(corpus.path("eager.txt")), metric).value for metric in ("maxmatch", "gleu")]
    assert json.loads(done.stdout.splitlines()[-1]) == [[value, value] for value in expected]
