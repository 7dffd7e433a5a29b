"""Names that players cannot choose in any spelling. `games.messages.names` compares their keys."""

OF_STAFF = (
    *(
        "admin",
        "admins",
        "administrator",
        "administrators",
        "moderator",
        "moderators",
        "mod",
        "mods",
    ),
    *("staff", "official", "system", "support", "helpdesk", "security", "referee", "reviewer"),
    *("webmaster", "postmaster", "hostmaster", "sysadmin", "sysop", "operator", "owner", "root"),
    *("superuser", "organiser", "organizer"),
)
"""Whole words that only the names of staff may contain."""

NOBODYS = (
    *(
        "hidden player",
        "closed account",
        "deleted player",
        "deleted account",
        "deleted user",
        "deleted",
        "removed",
        "banned",
    ),
    *("account", "accounts", "player", "players", "player one", "player two", "xplayer", "oplayer"),
    *("guest", "guests", "anonymous", "anybody", "somebody", "nobody", "everybody", "everyone"),
    *("unknown", "none", "null", "undefined", "nan", "true", "false", "test user", "username"),
    *("you", "yourself", "myself", "opponent", "your opponent", "watcher", "spectator", "winner"),
    *("draw", "the site", "site", "parlour", "bot", "the bot", "robot", "engine", "stockfish"),
    *("notice", "notices", "warning", "error", "login", "logout", "signup", "settings", "profile"),
    *("json", "games", "ratings", "tournaments", "rules", "healthz", "readyz", "metrics", "static"),
)
"""Whole names that could be mistaken for something other than a player."""

RUDE = (
    *("anal", "anus", "arse", "arsehole", "ass", "asshole", "bastard", "bitch", "blowjob", "boner"),
    *("bullshit", "clit", "cock", "cocksucker", "coon", "cum", "cunt", "dick", "dickhead", "dildo"),
    *("dyke", "fag", "faggot", "fuck", "fucked", "fucker", "fucking", "fuckyou", "gook", "handjob"),
    *("heil", "hitler", "horny", "jizz", "kike", "kkk", "milf", "motherfucker", "nazi", "nigga"),
    *("nigger", "nude", "nudes", "orgasm", "paedo", "paki", "pedo", "pedophile", "penis", "piss"),
    *(
        "porn",
        "porno",
        "prick",
        "pussy",
        "rape",
        "raped",
        "rapist",
        "retard",
        "semen",
        "sex",
        "shit",
    ),
    *("shithead", "slut", "spastic", "spic", "tits", "tosser", "tranny", "twat", "vagina", "wank"),
    *(
        "wanker",
        "wetback",
        "whore",
        "arschloch",
        "fotze",
        "hure",
        "hurensohn",
        "scheisse",
        "scheiße",
    ),
    *("schlampe", "wichser", "connard", "connasse", "encule", "merde", "pute", "salope", "cabron"),
    *("coño", "joder", "mierda", "puta", "puto", "cazzo", "stronzo", "troia", "blyat", "блядь"),
    *("пизда", "сука", "хуй"),
)
"""Whole words that no name may contain. Moderators handle variants of them."""
