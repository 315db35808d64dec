from errata.rewards.reward import Rewards as Rewards
