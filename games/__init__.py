"""The four games: their rules, their boards, and the matches that people play."""
