from errata.studies.rewards.reranking import Picks as Picks
from errata.studies.rewards.reranking import pick_best as pick_best
from errata.studies.rewards.reranking import rerank as rerank
from errata.studies.rewards.reranking import utilities as utilities
from errata.studies.rewards.reranking import weigh_scores as weigh_scores
from errata.studies.rewards.reward import Rewards as Rewards
