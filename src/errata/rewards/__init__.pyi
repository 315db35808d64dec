from errata.rewards.reward import Rewards as Rewards
from errata.rewards.utility_matrix import utilities as utilities
