"""Programs that run large tournaments."""
