"""A shared task that runs itself: teams, phases, submissions, hidden gold, leaderboards, and alternative answers that are judged.

Nothing here knows of HTTP: :mod:`errata.server` shows an event in a browser, and the command line manages it.
"""
