"""Limits, intervals and retention periods that no host needs to change.

Each name contains its unit or the thing that it counts. `config.settings` exports all of them, so
code reads `settings.NAME`. Values that a host may change come from the environment (`README.md`).

"Address" means a client network: an IPv4 address, or an IPv6 network of 64 bits. All computers of a
school often share one, so limits per address are sized for a school with a hundred players. Limits
per server are counted in each process. Other rates are counted in Redis if there is one, and stored
rows in the database.
"""

# -- HTTP connections and requests
REQUEST_HEADER_SECONDS = 10  # for the request line and headers, which browsers send together
REQUEST_BODY_SECONDS = 20  # for the body of a request
IDLE_CONNECTION_SECONDS = 75  # to read part of a response or send a request; longer than nginx's 60
# The maximum size of a request's body. The largest form, a list of names for a class, is much
# smaller. A URL-encoded form may be three times as long, because a byte can take three characters.
MAX_BODY_BYTES = 64 * 1024
# Enough for the longest request: a new tournament with a description of 2,000 characters.
MAX_API_BODY_BYTES = 16 * 1024
QUEUED_PAGES_PER_ADDRESS = 200  # requests waiting for a thread; further requests get a 503

# -- websockets
SOCKETS_PER_PLAYER = 30  # open on one server; a tab opens one or two
MAX_FRAME_BYTES = 8 * 1024  # the longest message from a client is a few hundred bytes long
FRAMES_PER_SECOND = 20  # from one socket; programs may be faster than people
FRAMES_BURST = 60
CONTROL_FRAMES_PER_SECOND = 2  # pings, pongs and fragments; a browser sends one pong per ping
# For all sockets of one address on one server. If a hundred players act as fast as they can, they
# send a third of this. Frames over the limit are read later, not refused.
ADDRESS_FRAMES_PER_SECOND = 500
ADDRESS_FRAMES_BURST = 1000
SOCKET_OPENINGS_PER_SECOND = 20  # from one address on one server
SOCKET_OPENINGS_BURST = 600  # after a restart, every tab of a school reconnects
MAX_REFUSED_FRAMES = 100  # frames refused in quick succession before the socket is closed
MAX_QUEUED_FRAMES = 500  # unread frames before the socket is closed
# Unread data before the socket of a client is closed: some hundred states of the largest board.
MAX_SEND_BUFFER_BYTES = 256 * 1024
PING_INTERVAL_SECONDS = 10  # between two pings; also the time in which a client must answer one
PRESENCE_TIMEOUT_SECONDS = 10  # before a silent player is shown as away
DB_POLL_SECONDS = 2  # between two reads of the database that find changes whose hint was lost
# The minimum time between two frames of a lobby, a tournament or the TV.
LOBBY_INTERVAL_SECONDS = 1
LOBBY_MATCHES = 12  # live matches drawn in a lobby; more would not fit on a screen
LOBBY_SEEKS = 50  # seeks listed in a lobby

# -- actions that cost a transaction, per server. An action in a match costs 1, a refused one 5, and
# a message to the lobby 4.
ACTIONS_PER_SECOND = 10  # for one player
ACTIONS_BURST = 40
ADDRESS_ACTIONS_PER_SECOND = 100
ADDRESS_ACTIONS_BURST = 300

# -- seeks, challenges and matches
SEEKS_PER_MINUTE = 30  # seeks, joins, invitations and challenges of one player
SEEKS_PER_MINUTE_PER_ADDRESS = 120
OPEN_SEEKS_PER_PLAYER = 3
OPEN_INVITATIONS_PER_PLAYER = 10
OPEN_CHALLENGES_PER_PLAYER = 10
CHALLENGES_PER_MINUTE = 10  # sent by one player
TIMED_CHALLENGE_MINUTES = 10  # until a challenge expires; the challenger must wait for the answer
UNTIMED_CHALLENGE_HOURS = 24  # the same for untimed matches; players may visit once a day
MATCHES_PER_MINUTE = 15  # opened with one player, except by tournaments
MATCHES_PER_DAY = 500
REMATCHES_PER_MINUTE_PER_ADDRESS = 240
SHARED_SCREEN_MATCHES_PER_PLAYER = 10  # live matches between two people who share a screen

# -- the course of a match
FIRST_MOVE_SECONDS = 60  # before a timed match without a first move is aborted
# How long a player must be absent before the opponent can claim a win. After three times as long,
# the referee ends the match. The time is never less than PRESENCE_TIMEOUT_SECONDS.
ABANDONED_SECONDS = 60  # in a timed match
ABANDONED_DAYS = 7  # in an untimed match
STALLED_DAYS = 3  # without a move in an untimed match, even if the player is present
# The network delay that the server measures is added back to a player's clock. A slow connection is
# compensated for a while; a client that fakes a delay gains at most the budget with its refills.
LAG_ALLOWANCE_MS = 300  # for one action
LAG_BUDGET_MS = 2000  # for a whole match, besides refills
LAG_REFILL_MS = 60  # added to the budget by each action of the player

# -- accounts and sessions
LOGIN_WINDOW_MINUTES = 10  # the period in which login attempts are counted
LOGIN_ATTEMPTS_PER_ACCOUNT = 10  # attempts with passwords, recovery words and codes
LOGIN_ATTEMPTS_PER_ADDRESS = 20  # a group's organiser can raise the limit for the group's network
CONCURRENT_PASSWORD_HASHES = 2  # in one process; Argon2 takes 46 MiB for each hash
SESSION_MAX_SECONDS = 180 * 24 * 60 * 60  # after logging in, even if the session is in use
STAFF_SESSION_SECONDS = 8 * 60 * 60  # for staff, about a working day
MAILS_PER_HOUR_PER_RECIPIENT = 5  # requested e-mails, such as login codes and password resets
MAILS_PER_HOUR_PER_ADDRESS = 30
RENAME_INTERVAL_DAYS = 30  # before an account can change its name again
FORMER_NAME_DAYS = 90  # during which a former name leads to the new one and stays reserved
ALIAS_NAME_DAYS = 30  # before others can choose the name of a guest who logged in to an account
# Between the request to close an account or a class and its closing. The request can be cancelled.
ACCOUNT_CLOSING_DAYS = 7
# New guests per hour from an address where a suspended player played recently. Otherwise, that
# player could return as a new guest every minute.
RESTRICTED_GUESTS_PER_HOUR = 3
RESTRICTED_NETWORK_DAYS = 7

# -- groups and tournaments
GROUPS_PER_PLAYER = 20
ACCOUNTS_PER_CLASS = 40  # accounts that one form creates; the size of the largest usual class
CLASSES_PER_HOUR = 10  # for one organiser; enough for all classes of a school at the start of term
CLASS_LOGIN_HOURS = 8  # the longest time for which the login of a class may be open: a school day
# For one organiser; each opening allows new attempts with pictures.
CLASS_LOGIN_OPENINGS_PER_HOUR = 20
# Wrong codes, cards and pictures in LOGIN_WINDOW_MINUTES. All young children of a school share this
# limit. The code of a class has 39 bits, and that of a card has 99.
CLASS_LOGIN_ERRORS_PER_ADDRESS = 100
# Wrong pictures before the organiser must open the login again. There are 3,375 picture passwords,
# so with 30 attempts, a stranger in the classroom finds one in at most 1 of 112 openings.
PICTURE_ERRORS_PER_ACCOUNT = 5
PICTURE_ERRORS_PER_CLASS = 30
UNFINISHED_TOURNAMENTS_PER_ORGANISER = 10

# -- the computer
BOT_PAUSE_MS = 350  # before the computer acts; people cannot follow faster actions
BOT_MATCHES_PER_PLAYER = 10  # live matches against the computer
BOT_MATCHES_PER_ADDRESS = 200
ANALYSIS_MS_PER_MOVE = 250
QUEUED_ANALYSES_PER_PLAYER = 3  # matches waiting for analysis
QUEUED_ANALYSES_PER_ADDRESS = 60
EVALUATIONS_PER_MINUTE = 20  # evaluations of single positions, requested from one address
MAX_QUEUED_EVALUATIONS = 100  # for all visitors: 25 seconds of work for one core

# -- records, downloads and the API
PLAYER_SEARCHES_PER_MINUTE = 120  # from one address
PICTURES_PER_MINUTE = 60  # preview pictures, rendered for one address
RECORDS_PER_MINUTE = 300  # records and diagrams that one address downloads or uploads
LOG_FILES_PER_MINUTE = 600  # files of the transparency log; a mirror reads 150,000 entries a minute
# For one player: downloads of all matches, and exports of classes, which are counted separately.
DOWNLOADS_PER_HOUR = 6
API_REQUESTS_PER_MINUTE = 600  # with one token, or from one address without a token
TOKENS_PER_ACCOUNT = 50
WEBHOOKS_PER_ACCOUNT = 5

# -- the review
REPORTS_PER_DAY = 5  # by one player
CASE_LOCK_MINUTES = 60  # during which a player from the queue is assigned to one moderator
# How long after the end of a match the referee can still queue it for the search for signs.
SIGN_SEARCH_HOURS = 48
DELIVERED_EVENT_DAYS = 30  # before a delivered event is deleted; it only helps debugging
