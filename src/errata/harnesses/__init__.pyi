from errata.harnesses.items import CollectedSentence as CollectedSentence
from errata.harnesses.items import score_items as score_items
from errata.harnesses.lighteval import make_metric as make_metric
from errata.harnesses.lm_evaluation import collect as collect
from errata.harnesses.lm_evaluation import make_aggregation as make_aggregation
