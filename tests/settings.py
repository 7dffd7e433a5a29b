"""The site's settings, with any constant of `config.limits` overridden by an environment variable.

Tests run real servers with shorter times and lower limits: `PRESENCE_TIMEOUT_SECONDS=2`.
"""

import os

from config import limits

for _name, _default in list(vars(limits).items()):
    if _name.isupper() and _name in os.environ:
        setattr(limits, _name, type(_default)(os.environ[_name]))

# After the overrides: the settings copy the constants and derive others from them.
from config.settings import *  # noqa: E402, F403

# A folder with the catalog of the pseudo-language (`tests.builders.catalogs`).
_catalogs = os.environ.get("PSEUDO_LANGUAGE")
if _catalogs:
    LOCALE_PATHS = [_catalogs, *LOCALE_PATHS]  # noqa: F405
    LANGUAGES = [*LANGUAGES, ("en-xa", "Þśéúđó")]  # noqa: F405
