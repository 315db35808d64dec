from errata.rewards.reranking import Picks as Picks
from errata.rewards.reranking import pick_best as pick_best
from errata.rewards.reranking import rerank as rerank
from errata.rewards.reranking import weigh_scores as weigh_scores
from errata.rewards.reward import Rewards as Rewards
from errata.rewards.utility_matrix import utilities as utilities
