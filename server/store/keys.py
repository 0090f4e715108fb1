"""The names of the keys, and the scripts: of logs, of ordered bodies, of the leases of processes.

All keys of a table carry the same hash tag, so that they live in one slot of a cluster; so do the two of a
player's results, and of a ranking. Each other command touches one key only.
"""

from server.store.port import PlayerId, ProcessId, RecordId, TableId

LOBBY = "kop:lobby"
"""Sorted set of public tables, scored by the time they were opened; it does not expire."""

TOURNAMENTS = "kop:tournaments"
"""Sorted set of the listed tournaments, scored by the time they were opened; without expiry, as the lobby."""

PROCESSES = "kop:processes"
"""Sorted set of the server processes, scored by the end of their lease in ms of the clock of its server."""

PROBE = "kop:probe"
"""Written to see whether a store that refused a write takes writes again."""

BODY = b"b"
"""The field of an entry that holds its body."""


def log_key(table: TableId) -> str:
    """Stream of a table's entries; the version is the first half of the stream id."""
    return f"kop:{{{table}}}:log"


def snapshot_key(table: TableId) -> str:
    """Hash of a table's snapshot: `v` the version, `b` the body."""
    return f"kop:{{{table}}}:snap"


def player_key(token_hash: str) -> str:
    """Hash of a player: `id`, `name`."""
    return f"kop:player:{token_hash}"


def code_key(code: str) -> str:
    """The table a join code leads to."""
    return f"kop:code:{code}"


def record_key(record: RecordId) -> str:
    """The body of a record."""
    return f"kop:record:{record}"


def records_key(player: PlayerId) -> str:
    """Sorted set of a player's records, scored by the time of the deal."""
    return f"kop:records:{player}"


def shared_key(code: str) -> str:
    """The record that a code leads to."""
    return f"kop:shared:{code}"


def results_keys(player: PlayerId) -> tuple[str, str]:
    """Sorted set of the records of a player's results, scored by time, and hash of the results by record."""
    return f"kop:{{{player}}}:results", f"kop:{{{player}}}:result"


def day_key(day: str) -> str:
    """The secret of a day."""
    return f"kop:day:{day}"


def attempt_key(day: str, game: str, player: PlayerId) -> str:
    """The record of a player's first attempt at a deal of the day."""
    return f"kop:day:{day}:{game}:{player}"


def ranking_keys(day: str, game: str) -> tuple[str, str]:
    """Sorted set of the players in the ranking of a day, and hash of their lines by player."""
    return f"kop:{{{day}:{game}}}:ranking", f"kop:{{{day}:{game}}}:ranked"


def membership_key(player: PlayerId) -> str:
    """List of the tables a player is at, latest first."""
    return f"kop:at:{player}"


def entries_key(player: PlayerId) -> str:
    """List of the tournaments that a player entered or directs, latest first."""
    return f"kop:tournaments:{player}"


def attendance_key(table: TableId) -> str:
    """Hash of the processes that work on a table: the word of each."""
    return f"kop:{{{table}}}:at"


def process_tables_key(process: ProcessId) -> str:
    """Set of the tables that a process works on."""
    return f"kop:process:{{{process}}}:tables"


def process_channel(process: ProcessId) -> str:
    """Sharded channel of what is told to a process."""
    return f"kop:process:{{{process}}}"


_LAST = """
local function last(log)
  if redis.call('EXISTS', log) == 0 then return nil end
  local info = redis.call('XINFO', 'STREAM', log)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then return tonumber(string.match(info[i + 1], '^%d+')) end
  end
end
"""

# KEYS: log, snapshot. ARGV: version, body, lifetime. Answers with the value of `Appended`.
# What an expired table of the same name left behind must not become the snapshot of a new log. The entry is
# written first: after another write, be it a DEL, a script is no longer refused for want of memory.
APPEND_AND_RENEW = (
    _LAST
    + """
local version = tonumber(ARGV[1])
local before = last(KEYS[1])
if not before and version > 1 then return 'gone' end
if (before or 0) ~= version - 1 then return 'behind' end
redis.call('XADD', KEYS[1], ARGV[1] .. '-0', 'b', ARGV[2])
if not before then redis.call('DEL', KEYS[2]) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 'stored'
"""
)

# KEYS: sorted set, hash. ARGV: member, score, body, most, lifetime, which one makes room: ZPOPMIN or ZPOPMAX.
# What is there already stays as it is.
ADD_ONCE = """
if redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1]) == 1 then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
  while redis.call('ZCARD', KEYS[1]) > tonumber(ARGV[4]) do
    redis.call('HDEL', KEYS[2], redis.call(ARGV[6], KEYS[1])[1])
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
"""

# KEYS: sorted set. ARGV: member, score, most, lifetime. What is there already stays as it is.
NOTE_ONCE = """
redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -ARGV[3] - 1)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
"""

# KEYS: sorted set, hash. ARGV: from, to, lifetime (0: it stays). Answers with the bodies in the order of the set.
IN_ORDER = """
if tonumber(ARGV[3]) > 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
local found = {}
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2])) do
  local body = redis.call('HGET', KEYS[2], member)
  if body then found[#found + 1] = body end
end
return found
"""

# KEYS: log, snapshot. ARGV: version, body, lifetime. A snapshot that is not of the last version says
# nothing about the table's lifetime now: it then lives as long as the log. XTRIM never deletes the key.
SAVE_SNAPSHOT = (
    _LAST
    + """
local version = tonumber(ARGV[1])
local newest = last(KEYS[1])
if not newest or version > newest then return 0 end
if version < tonumber(redis.call('HGET', KEYS[2], 'v') or 0) then return 0 end
redis.call('HSET', KEYS[2], 'v', ARGV[1], 'b', ARGV[2])
redis.call('XTRIM', KEYS[1], 'MINID', (version + 1) .. '-0')
local lifetime = ARGV[3]
if version == newest then redis.call('PEXPIRE', KEYS[1], lifetime)
else lifetime = redis.call('PTTL', KEYS[1]) end
redis.call('PEXPIRE', KEYS[2], lifetime)
return 1
"""
)

_NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

# KEYS: processes. ARGV: process, lease, lifetime. Answers with all that live.
RENEW_LEASE = (
    _NOW
    + """
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')
"""
)

# KEYS: processes. Answers with those whose lease is over.
LAPSED_LEASES = _NOW + "return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)"

# KEYS: processes. ARGV: process.
CLEAR_LEASE = (
    _NOW
    + """
local ends = redis.call('ZSCORE', KEYS[1], ARGV[1])
if ends and tonumber(ends) <= now then redis.call('ZREM', KEYS[1], ARGV[1]) end
"""
)
