"""Who a player is to others: what they have played, whom they block, what they prefer."""
