"""A shared task that runs itself: teams, phases, submissions, hidden gold, leaderboards, and alternative answers that are judged."""
