"""The connections between packages that are made at start-up."""


def connect() -> None:
    """Connect the parts of the site. Called once all models are loaded."""
    from games.store.visibility import set_policy
    from lobby.privacy.visibility import hidden_glances

    set_policy(hidden_glances)
