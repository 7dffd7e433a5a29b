"""Games from rule sheets in GDL, the Game Description Language of general game playing."""
