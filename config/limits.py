"""Limits, intervals and retention periods that no host needs to change.

Each name contains its unit or the thing that it counts. `config.settings` exports all of them, so
code reads `settings.NAME`. Values that a host may change come from the environment (`README.md`).

"Address" means a client network: an IPv4 address, or an IPv6 network of 64 bits. A school or a
network often shares one, so limits per address are sized for a school with a hundred players.
Limits per server are counted in each process; the others are shared through Redis if there is one.
"""

# -- HTTP connections and requests
REQUEST_HEADER_SECONDS = 10  # for the request line and headers, which browsers send together
REQUEST_BODY_SECONDS = 20  # for the rest of a request, at most MAX_BODY_BYTES
IDLE_CONNECTION_SECONDS = 75  # to read the response or send a request; more than nginx's 60
# Size of a request. The largest form, a list of names for a class, is far below it. A URL-encoded
# form may be three times as long, because each byte can be written as three.
MAX_BODY_BYTES = 64 * 1024
MAX_API_BODY_BYTES = 16 * 1024  # the longest request creates a tournament, in about a kilobyte
QUEUED_PAGES_PER_ADDRESS = 200  # requests waiting for a thread; further ones get a 503

# -- websockets
SOCKETS_PER_PLAYER = 30  # open at one server, one or two per tab
MAX_FRAME_BYTES = 8 * 1024  # the longest message that clients send has a few hundred bytes
FRAMES_PER_SECOND = 20  # from one socket; faster than anyone clicks, for clients that are programs
FRAMES_BURST = 60
CONTROL_FRAMES_PER_SECOND = 2  # pings, pongs and fragments; a browser sends one pong per ping
# All sockets of one address at one server. A hundred players who act as fast as they can send a
# third of this. Frames over the limit are read later, not refused.
ADDRESS_FRAMES_PER_SECOND = 500
ADDRESS_FRAMES_BURST = 1000
SOCKET_OPENINGS_PER_SECOND = 20  # from one address at one server
SOCKET_OPENINGS_BURST = 600  # every tab of a school reconnects after a restart
MAX_REFUSED_FRAMES = 100  # frames refused as too fast before the socket is closed
MAX_QUEUED_FRAMES = 500  # unread frames of one socket before it is closed
# Unread data of one client before its socket is closed: some hundred states of the largest board.
MAX_SEND_BUFFER_BYTES = 256 * 1024
PING_INTERVAL_SECONDS = 10  # between pings, and for the answer to each
PRESENCE_TIMEOUT_SECONDS = 10  # without a sign of life before a player is shown as away
DB_POLL_SECONDS = 2  # between reads that find changes whose channel-layer hint was lost
LOBBY_INTERVAL_SECONDS = 1  # the shortest time between two lobby frames
LOBBY_MATCHES = 12  # live matches drawn in the lobby; more would not fit on a screen
LOBBY_SEEKS = 50  # seeks listed in the lobby

# -- actions that cost a transaction, per server. An action in a match counts 1, a refused one 5,
# a message to the lobby 4.
ACTIONS_PER_SECOND = 10  # of one player
ACTIONS_BURST = 40
ADDRESS_ACTIONS_PER_SECOND = 100
ADDRESS_ACTIONS_BURST = 300

# -- seeks, challenges and matches
SEEKS_PER_MINUTE = 30  # seeks, joins and invitations of one player
SEEKS_PER_MINUTE_PER_ADDRESS = 120
OPEN_SEEKS_PER_PLAYER = 3
OPEN_INVITATIONS_PER_PLAYER = 10
OPEN_CHALLENGES_PER_PLAYER = 10
CHALLENGES_PER_MINUTE = 10  # of one player
TIMED_CHALLENGE_MINUTES = 10  # before a challenge to a timed match expires: both must be there
UNTIMED_CHALLENGE_HOURS = 24  # the same for an untimed match, whose players come once a day
MATCHES_PER_MINUTE = 15  # started by one player, by any means
MATCHES_PER_DAY = 500
REMATCHES_PER_MINUTE_PER_ADDRESS = 240
SHARED_SCREEN_MATCHES_PER_PLAYER = 10  # live matches between two people at one screen

# -- the course of a match
FIRST_MOVE_SECONDS = 60  # without a first move before a timed match is aborted
# Absence after which the opponent may claim the match; after three times as long the referee ends
# it. Never less than PRESENCE_TIMEOUT_SECONDS.
ABANDONED_SECONDS = 60  # in a timed match
ABANDONED_DAYS = 7  # in an untimed match
STALLED_DAYS = 3  # the same for a player who is present in an untimed match and does not move
# Network delay, as the server measures it, is added back to a player's clock. A slow connection is
# compensated for a while; a client that fakes one gains LAG_BUDGET_MS and no more.
LAG_ALLOWANCE_MS = 300  # for one action
LAG_BUDGET_MS = 2000  # for a whole match
LAG_REFILL_MS = 60  # added to the budget by each action of the player

# -- accounts and sessions
LOGIN_WINDOW_MINUTES = 10  # the period in which login attempts are counted
LOGIN_ATTEMPTS_PER_ACCOUNT = 10  # passwords, recovery words and codes
LOGIN_ATTEMPTS_PER_ADDRESS = 20  # a group's organiser raises it for the group's network
CONCURRENT_PASSWORD_HASHES = 2  # in one process; Argon2 takes 46 MiB for each
SESSION_MAX_SECONDS = 180 * 24 * 60 * 60  # after logging in, however much the session is used
STAFF_SESSION_SECONDS = 8 * 60 * 60  # the same for staff: a working day
MAILS_PER_HOUR_PER_RECIPIENT = 5  # requested by visitors, to one mailbox
MAILS_PER_HOUR_PER_ADDRESS = 30
RENAME_INTERVAL_DAYS = 30  # between two names that an account chooses
FORMER_NAME_DAYS = 90  # while a former name leads to the new one and nobody else can take it
ALIAS_NAME_DAYS = 30  # before the name of a guest who logged in to an account is free again
ACCOUNT_CLOSING_DAYS = 7  # before an account is closed on request; logging in cancels it
# New guests per hour from an address where a player who is now suspended played recently. A
# suspended player could otherwise return as a new guest every minute.
RESTRICTED_GUESTS_PER_HOUR = 3
RESTRICTED_NETWORK_DAYS = 7

# -- groups and tournaments
GROUPS_PER_PLAYER = 20
ACCOUNTS_PER_CLASS = 40  # created by one form; the largest usual class
CLASSES_PER_HOUR = 10  # by one organiser: a school's year at the start of term
UNFINISHED_TOURNAMENTS_PER_ORGANISER = 10
GROUP_TOURNAMENT_DELAY_MINUTES = 2  # before a group's quick tournament starts, so that all can join

# -- the computer
BOT_PAUSE_MS = 350  # before the computer acts: people cannot follow an action that comes sooner
BOT_MATCHES_PER_PLAYER = 10  # live matches with the computer
BOT_MATCHES_PER_ADDRESS = 200
ANALYSIS_MS_PER_MOVE = 250
QUEUED_ANALYSES_PER_PLAYER = 3  # matches waiting to be analysed
QUEUED_ANALYSES_PER_ADDRESS = 60
EVALUATIONS_PER_MINUTE = 20  # of single positions, requested from one address
MAX_QUEUED_EVALUATIONS = 100  # of all visitors: 25 seconds of work for one core

# -- records, downloads and the API
PLAYER_SEARCHES_PER_MINUTE = 120  # from one address
PICTURES_PER_MINUTE = 60  # preview pictures drawn for one address
RECORDS_PER_MINUTE = 300  # records and diagrams sent to or read from one address
LOG_FILES_PER_MINUTE = 600  # of the transparency log: a mirror reads 150,000 entries a minute
DOWNLOADS_PER_HOUR = 6  # of all matches of a player
API_REQUESTS_PER_MINUTE = 600  # with one token, or from one address without a token
TOKENS_PER_ACCOUNT = 50
WEBHOOKS_PER_ACCOUNT = 5

# -- the review
REPORTS_PER_DAY = 5  # by one player
CASE_LOCK_MINUTES = 60  # a moderator has a player to themselves after taking them from the queue
SIGN_SEARCH_HOURS = 48  # how far back the referee looks for matches never searched for signs
DELIVERED_EVENT_DAYS = 30  # before an event that was delivered is deleted; for debugging only
