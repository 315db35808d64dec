from errata.studies.rewards.reward import Picks as Picks
from errata.studies.rewards.reward import Rewards as Rewards
from errata.studies.rewards.reward import pick_best as pick_best
from errata.studies.rewards.reward import rerank as rerank
from errata.studies.rewards.reward import utilities as utilities
from errata.studies.rewards.reward import weigh_scores as weigh_scores
