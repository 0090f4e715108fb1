"""The stable words for everything that can be refused, and what each means.

A code never changes its meaning; clients translate it, the text here is the English fallback and
the documentation. `docs/protocol/errors.md` is generated from this table.
"""

from enum import IntEnum, StrEnum
from typing import Final


class ErrorCode(StrEnum):
    """One word for each way in which a message can be refused."""

    # The message itself
    UNDECODABLE = "undecodable"
    TOO_LONG = "too_long"
    UNKNOWN_TYPE = "unknown_type"
    BAD_FIELD = "bad_field"
    HELLO_FIRST = "hello_first"
    ALREADY_GREETED = "already_greeted"
    UNSUPPORTED_PROTOCOL = "unsupported_protocol"
    BAD_NAME = "bad_name"
    NAME_NEEDED = "name_needed"
    UNKNOWN_TOKEN = "unknown_token"
    # Limits
    TOO_MANY = "too_many"
    TOO_MANY_TABLES = "too_many_tables"
    # The command
    ID_REUSED = "id_reused"
    TOO_OLD = "too_old"
    STALE = "stale"
    UNKNOWN_ACTION = "unknown_action"
    STORE_AWAY = "store_away"
    DRAINING = "draining"
    SERVER_FAULT = "server_fault"
    # The table
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_SITTER = "no_such_sitter"
    NO_SUCH_RECORD = "no_such_record"
    NOT_YOUR_RECORD = "not_your_record"
    DAY_NOT_OVER = "day_not_over"
    SEAT_TAKEN = "seat_taken"
    TABLE_FULL = "table_full"
    NO_FREE_SEAT = "no_free_seat"
    NOT_SEATED = "not_seated"
    NOT_AT_TABLE = "not_at_table"
    ALREADY_SEATED = "already_seated"
    SAW_OTHER_HAND = "saw_other_hand"
    BARRED = "barred"
    NOT_OWNER = "not_owner"
    SEATS_EMPTY = "seats_empty"
    REMATCH_NEEDS_ALL = "rematch_needs_all"
    DEAL_RUNNING = "deal_running"
    NO_DEAL_RUNNING = "no_deal_running"
    DEAL_GOES_ON = "deal_goes_on"
    NOT_OPEN_ENDED = "not_open_ended"
    ALREADY_READY = "already_ready"
    NOT_YOUR_CUT = "not_your_cut"
    MATCH_BEGUN = "match_begun"
    NO_MATCH_RUNNING = "no_match_running"
    PAUSED = "paused"
    NOT_PAUSED = "not_paused"
    RESUME_LATER = "resume_later"
    NO_VOTE = "no_vote"
    TOURNAMENT_TABLE = "tournament_table"
    NOT_OF_TOURNAMENT = "not_of_tournament"
    WATCHING_CLOSED = "watching_closed"
    TABLE_FROZEN = "table_frozen"
    TABLE_NEWER = "table_newer"
    # The tournament
    NO_SUCH_TOURNAMENT = "no_such_tournament"
    TOURNAMENT_OVER = "tournament_over"
    TOURNAMENT_FULL = "tournament_full"
    TOURNAMENT_BEGUN = "tournament_begun"
    ENTRY_CLOSED = "entry_closed"
    ALREADY_ENTERED = "already_entered"
    NOT_ENTERED = "not_entered"
    INVITATION_NEEDED = "invitation_needed"
    INVITATION_USED = "invitation_used"
    NO_SUCH_INVITATION = "no_such_invitation"
    NO_SUCH_CODE = "no_such_code"
    NO_TEAMS = "no_teams"
    TEAM_FULL = "team_full"
    NOT_DIRECTOR = "not_director"
    DECIDED_MEANWHILE = "decided_meanwhile"
    TOO_MANY_DECISIONS = "too_many_decisions"
    TOO_MANY_DIRECTORS = "too_many_directors"
    TOO_MANY_INVITATIONS = "too_many_invitations"
    NO_SUCH_PLAYER = "no_such_player"
    NO_SUCH_ENTRANT = "no_such_entrant"
    NO_SUCH_ROUND = "no_such_round"
    NO_SUCH_TABLE_NUMBER = "no_such_table_number"
    NO_SUCH_DEAL = "no_such_deal"
    NO_SUCH_DECISION = "no_such_decision"
    NO_ROUND_RUNNING = "no_round_running"
    ROUND_RUNNING = "round_running"
    RESULTS_MISSING = "results_missing"
    TOO_FEW_ENTRANTS = "too_few_entrants"
    HALTED = "halted"
    NOT_HALTED = "not_halted"
    NOT_AT_A_TABLE = "not_at_a_table"
    TABLE_FINISHED = "table_finished"
    TABLE_PLAYING = "table_playing"
    RESULT_THERE = "result_there"
    REASON_NEEDED = "reason_needed"
    SUM_NOT_ZERO = "sum_not_zero"
    BAD_POINTS = "bad_points"
    CANNOT_UNDO = "cannot_undo"
    TOO_LATE_TO_UNDO = "too_late_to_undo"
    ALREADY_SO = "already_so"
    PAGE_TOO_LONG = "page_too_long"
    TOO_MANY_TOURNAMENTS = "too_many_tournaments"
    NOT_SAME_CARDS = "not_same_cards"
    # Talk
    TALK_OFF = "talk_off"
    PHRASES_ONLY = "phrases_only"
    NO_SUCH_PHRASE = "no_such_phrase"
    NOTHING_SAID = "nothing_said"
    BAD_TEXT = "bad_text"
    TALKED_TOO_MUCH = "talked_too_much"
    # Explanations
    ALREADY_THINKING = "already_thinking"
    THINKING_FAILED = "thinking_failed"
    # The options of a new table
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_OPTION = "unknown_option"
    BAD_OPTION = "bad_option"
    OPTIONS_CLASH = "options_clash"
    # The deal of the day
    NO_DAILY = "no_daily"
    DAILY_RUNNING = "daily_running"
    NO_SUCH_DAY = "no_such_day"
    # Kop: the fair deal
    NOTHING_TO_OPEN = "nothing_to_open"
    OPENING_WRONG = "opening_wrong"
    # Kop: calls
    NOT_IN_CALLS = "not_in_calls"
    CALL_TOO_LOW = "call_too_low"
    WESELE_NEEDS_QUEENS = "wesele_needs_queens"
    WESELE_TOO_LATE = "wesele_too_late"
    WESELE_JACK = "wesele_jack"
    ASKED_BARS_ZOLO = "asked_bars_zolo"
    DOUBLING_TAKEN = "doubling_taken"
    DOUBLING_OUT_OF_ORDER = "doubling_out_of_order"
    NO_MORE_DOUBLINGS = "no_more_doublings"
    NO_FIRST_DOUBLING = "no_first_doubling"
    NOT_LEADER = "not_leader"
    ALREADY_ASKED = "already_asked"
    NO_QUESTION = "no_question"
    ALREADY_WENT_ON = "already_went_on"
    LEADER_GOES_NOT_ON = "leader_goes_not_on"
    ASK_FIRST = "ask_first"
    AWAIT_ANSWERS = "await_answers"
    AWAIT_CALLS = "await_calls"
    # Kop: play
    NOT_YOUR_TURN = "not_your_turn"
    NOT_YOUR_CARD = "not_your_card"
    MUST_FOLLOW = "must_follow"
    MUST_BEAT = "must_beat"
    MUST_TRUMP = "must_trump"
    # Patience: hints and the solver
    NO_HINT = "no_hint"
    NOT_MARKED = "not_marked"
    NOT_WINNABLE = "not_winnable"
    NO_EVENING = "no_evening"
    # Patience: deals and steps
    BAD_NUMBER = "bad_number"
    UNDO_OFF = "undo_off"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_REDO = "nothing_to_redo"
    NOTHING_SAFE = "nothing_safe"
    TOO_MANY_MOVES = "too_many_moves"
    # Patience: moves
    DOES_NOT_FIT = "does_not_fit"
    PILE_EMPTY = "pile_empty"
    STAYS_EMPTY = "stays_empty"
    FOUNDATION_STAYS = "foundation_stays"
    CHANGES_NOTHING = "changes_nothing"
    STOCK_EMPTY = "stock_empty"
    STOCK_NOT_EMPTY = "stock_not_empty"
    NO_REDEAL_LEFT = "no_redeal_left"
    DRAW_FIRST = "draw_first"
    WASTE_FIRST = "waste_first"
    GAP_TAKEN = "gap_taken"
    BRAID_STAYS = "braid_stays"
    CORNER_NEEDS_BRAID = "corner_needs_braid"
    SIDE_NEEDS_WASTE = "side_needs_waste"
    CARPET_STAYS = "carpet_stays"
    PACKET_FIRST = "packet_first"


TEXTS: Final[dict[ErrorCode, str]] = {
    ErrorCode.UNDECODABLE: "This frame is not a message in the agreed encoding.",
    ErrorCode.TOO_LONG: "The message is longer than 16 KiB.",
    ErrorCode.UNKNOWN_TYPE: "There is no message of this type.",
    ErrorCode.BAD_FIELD: "A field is missing, unknown, of the wrong type or out of range.",
    ErrorCode.HELLO_FIRST: "The first message of a connection must be 'hello'.",
    ErrorCode.ALREADY_GREETED: "This connection has said 'hello' already.",
    ErrorCode.UNSUPPORTED_PROTOCOL: "This server speaks another version of the protocol.",
    ErrorCode.BAD_NAME: "A name has 1 to 24 visible characters, none of them a control, direction or invisible one.",
    ErrorCode.NAME_NEEDED: "A new player needs a name.",
    ErrorCode.UNKNOWN_TOKEN: "This token is unknown or has expired; say 'hello' with a name and no token.",
    ErrorCode.TOO_MANY: "Too many messages; wait a moment.",
    ErrorCode.TOO_MANY_TABLES: "Too many tables were opened from here; wait a while.",
    ErrorCode.ID_REUSED: "This id was used for another command.",
    ErrorCode.TOO_OLD: "This id is older than the commands that the table remembers.",
    ErrorCode.STALE: "The question has changed since; look at the newest view.",
    ErrorCode.UNKNOWN_ACTION: "This game knows no such action.",
    ErrorCode.STORE_AWAY: "The server has lost its store for the moment; nothing is lost, play goes on soon.",
    ErrorCode.DRAINING: "The server is about to restart; come back in a moment.",
    ErrorCode.SERVER_FAULT: "The server has made a mistake with this message; the operator can read of it in the log.",
    ErrorCode.NO_SUCH_TABLE: "There is no such table, or it needs its join code.",
    ErrorCode.NO_SUCH_SITTER: "This player does not sit here, or is yourself.",
    ErrorCode.NO_SUCH_RECORD: "There is no such record: the deal is not over, or was too long ago.",
    ErrorCode.NOT_YOUR_RECORD: "This record is private to those who sat there.",
    ErrorCode.DAY_NOT_OVER: "The record of a deal of the day can be read when the day is over.",
    ErrorCode.NO_SUCH_SEAT: "This table has no such seat.",
    ErrorCode.SEAT_TAKEN: "Somebody sits there.",
    ErrorCode.TABLE_FULL: "All seats are taken; you can watch.",
    ErrorCode.NO_FREE_SEAT: "All seats are taken; take somebody out first.",
    ErrorCode.NOT_SEATED: "You have no seat at this table.",
    ErrorCode.NOT_AT_TABLE: "You are not at this table; join or watch it first.",
    ErrorCode.ALREADY_SEATED: "You have a seat at this table.",
    ErrorCode.SAW_OTHER_HAND: "You have seen another seat's cards of this deal; take that seat or wait for the next.",
    ErrorCode.BARRED: "The owner has removed you from this table.",
    ErrorCode.NOT_OWNER: "Only the table's owner may do this.",
    ErrorCode.SEATS_EMPTY: "A seat is still empty.",
    ErrorCode.REMATCH_NEEDS_ALL: "A rematch needs everybody: each says 'rematch'.",
    ErrorCode.DEAL_RUNNING: "A deal is running; this is possible between deals.",
    ErrorCode.NO_DEAL_RUNNING: "No deal is running; say 'ready' first.",
    ErrorCode.DEAL_GOES_ON: "Only a deal that cannot go on, since a seat is empty, can be annulled.",
    ErrorCode.NOT_OPEN_ENDED: "The match has a fixed number of deals, or is over.",
    ErrorCode.ALREADY_READY: "You have said 'ready' already.",
    ErrorCode.NOT_YOUR_CUT: "Only the dealer's right neighbour cuts, 1 to 15 cards.",
    ErrorCode.MATCH_BEGUN: "Options can be changed before the first match only.",
    ErrorCode.NO_MATCH_RUNNING: "No match is running.",
    ErrorCode.PAUSED: "The table is paused; its owner, or after two minutes anybody who sits here, lets it go on.",
    ErrorCode.NOT_PAUSED: "The table is not paused.",
    ErrorCode.RESUME_LATER: "Until two minutes have passed only the owner may let the table go on.",
    ErrorCode.NO_VOTE: "There is nothing to vote on, or you have no voice in it.",
    ErrorCode.TOURNAMENT_TABLE: "This table belongs to a tournament: seats, pauses and the end are up to its director.",
    ErrorCode.NOT_OF_TOURNAMENT: "This table belongs to no tournament.",
    ErrorCode.WATCHING_CLOSED: "Other tables play the same cards: nobody watches; the records open when all are done.",
    ErrorCode.TABLE_FROZEN: "This table has stopped because of a fault; the operator has been told.",
    ErrorCode.TABLE_NEWER: "This table was written by a newer version of the server.",
    ErrorCode.NO_SUCH_TOURNAMENT: "There is no such tournament, or it is over and was too long ago.",
    ErrorCode.TOURNAMENT_OVER: "The tournament is over.",
    ErrorCode.TOURNAMENT_FULL: "The tournament has as many entrants as it can have.",
    ErrorCode.TOURNAMENT_BEGUN: "The terms can be changed before the first round only.",
    ErrorCode.ENTRY_CLOSED: "Entries are not taken any more.",
    ErrorCode.ALREADY_ENTERED: "You have entered already, or this entrant is in already.",
    ErrorCode.NOT_ENTERED: "This is not for who does not take part, or takes part no longer.",
    ErrorCode.INVITATION_NEEDED: "Only who has a personal invitation can enter; ask the director for its code.",
    ErrorCode.INVITATION_USED: "This invitation has been used.",
    ErrorCode.NO_SUCH_INVITATION: "There is no invitation with this code.",
    ErrorCode.NO_SUCH_CODE: "This code moves no place, or its five minutes are over; ask the director for a new one.",
    ErrorCode.NO_TEAMS: "There are no teams in this tournament.",
    ErrorCode.TEAM_FULL: "This team has all its members.",
    ErrorCode.NOT_DIRECTOR: "Only a director of the tournament may do this.",
    ErrorCode.DECIDED_MEANWHILE: "Something else has been decided meanwhile; look at it, and decide again.",
    ErrorCode.TOO_MANY_DECISIONS: "The tournament has had as many decisions as it can have.",
    ErrorCode.TOO_MANY_DIRECTORS: "The tournament has as many directors as it can have.",
    ErrorCode.TOO_MANY_INVITATIONS: "The tournament has as many invitations as it can have.",
    ErrorCode.NO_SUCH_PLAYER: "This player is not known here: he has to follow the tournament, or take part in it.",
    ErrorCode.NO_SUCH_ENTRANT: "There is no entrant of this number.",
    ErrorCode.NO_SUCH_ROUND: "There is no such round, or not yet.",
    ErrorCode.NO_SUCH_TABLE_NUMBER: "The round has no table of this number.",
    ErrorCode.NO_SUCH_DEAL: "The table has no deal of this number that could be annulled.",
    ErrorCode.NO_SUCH_DECISION: "There is no decision of this number.",
    ErrorCode.NO_ROUND_RUNNING: "No round is running.",
    ErrorCode.ROUND_RUNNING: "A round is running.",
    ErrorCode.RESULTS_MISSING: "A table has no result yet.",
    ErrorCode.TOO_FEW_ENTRANTS: "A round takes four entrants, or two where bots fill the tables.",
    ErrorCode.HALTED: "The tournament stands still; its director lets it go on.",
    ErrorCode.NOT_HALTED: "The tournament does not stand still.",
    ErrorCode.NOT_AT_A_TABLE: "There is no seat in the running round for this entrant.",
    ErrorCode.TABLE_FINISHED: "This table has its result already.",
    ErrorCode.TABLE_PLAYING: "This table has no result yet: there is nothing to correct.",
    ErrorCode.RESULT_THERE: "This table has a result; correct it instead.",
    ErrorCode.REASON_NEEDED: "A correction needs a reason, which all can read.",
    ErrorCode.SUM_NOT_ZERO: "The small points of a table must add up to 0.",
    ErrorCode.BAD_POINTS: "These points are not possible.",
    ErrorCode.CANNOT_UNDO: "This decision cannot be taken back, or it has been.",
    ErrorCode.TOO_LATE_TO_UNDO: "The first card of a later round is out: this decision stands.",
    ErrorCode.ALREADY_SO: "It is so already.",
    ErrorCode.PAGE_TOO_LONG: "This page is too long for a message; the tournament's page on the web has it all.",
    ErrorCode.TOO_MANY_TOURNAMENTS: "This connection follows as many tournaments as it may; unfollow one.",
    ErrorCode.NOT_SAME_CARDS: "The tables of this tournament do not play the same cards: there is nothing to compare.",
    ErrorCode.TALK_OFF: "Nothing is said at this table.",
    ErrorCode.PHRASES_ONLY: "At this table only the ready-made phrases are said.",
    ErrorCode.NO_SUCH_PHRASE: "There is no such phrase.",
    ErrorCode.NOTHING_SAID: "Say either a text or a phrase.",
    ErrorCode.BAD_TEXT: "A text has 1 to 200 visible characters, none of them a control, direction or invisible one.",
    ErrorCode.TALKED_TOO_MUCH: "That was said too fast after the last; wait a moment.",
    ErrorCode.ALREADY_THINKING: "The server already works on something that you have asked; wait for it.",
    ErrorCode.THINKING_FAILED: "The server could not work this out in time; ask again later.",
    ErrorCode.UNKNOWN_GAME: "This server does not offer such a game.",
    ErrorCode.UNKNOWN_OPTION: "This game has no such option.",
    ErrorCode.BAD_OPTION: "This value of the option is not possible.",
    ErrorCode.OPTIONS_CLASH: "These two options cannot be played together.",
    ErrorCode.NO_DAILY: "The deal of the day is played alone, by the usual rules of a patience.",
    ErrorCode.DAILY_RUNNING: "You are still playing your first attempt at this deal of the day; finish it first.",
    ErrorCode.NO_SUCH_DAY: "There is no such day.",
    ErrorCode.NOTHING_TO_OPEN: "You have not committed to anything, or have opened it.",
    ErrorCode.OPENING_WRONG: "This is not what you have committed to.",
    ErrorCode.NOT_IN_CALLS: "Calls end with the lead to the first trick.",
    ErrorCode.CALL_TOO_LOW: "Only a higher game can be called: wesele, zolo, zolo du.",
    ErrorCode.WESELE_NEEDS_QUEENS: "Wesele needs both black queens.",
    ErrorCode.WESELE_TOO_LATE: "Here wesele can be called only in your first utterance.",
    ErrorCode.WESELE_JACK: "Name a jack that you do not hold; without that rule name none.",
    ErrorCode.ASKED_BARS_ZOLO: "You asked first, so you cannot call zolo or zolo du in this deal.",
    ErrorCode.DOUBLING_TAKEN: "Somebody has said this doubling.",
    ErrorCode.DOUBLING_OUT_OF_ORDER: "Another doubling comes first.",
    ErrorCode.NO_MORE_DOUBLINGS: "There is no further doubling.",
    ErrorCode.NO_FIRST_DOUBLING: "You may not give the first doubling of your own game.",
    ErrorCode.NOT_LEADER: "Only the leader may ask.",
    ErrorCode.ALREADY_ASKED: "The question stands already.",
    ErrorCode.NO_QUESTION: "No question stands: the leader has not asked, or a call has withdrawn it.",
    ErrorCode.ALREADY_WENT_ON: "You have said 'go on' already.",
    ErrorCode.LEADER_GOES_NOT_ON: "The leader asks; the others say 'go on'.",
    ErrorCode.ASK_FIRST: "Ask 'May I?' before you lead.",
    ErrorCode.AWAIT_ANSWERS: "Not everybody has said 'go on' yet.",
    ErrorCode.AWAIT_CALLS: "Others may still call; wait a moment.",
    ErrorCode.NOT_YOUR_TURN: "It is not your turn.",
    ErrorCode.NOT_YOUR_CARD: "You do not hold this card.",
    ErrorCode.MUST_FOLLOW: "You must follow suit.",
    ErrorCode.MUST_BEAT: "You must beat the best card of the trick, since you can.",
    ErrorCode.MUST_TRUMP: "You cannot follow, so you must play a trump.",
    ErrorCode.NO_HINT: "This game gives no hints and no explanations.",
    ErrorCode.NOT_MARKED: "The solver sees all cards: act 'ask_solver' first, which marks the deal as helped.",
    ErrorCode.NOT_WINNABLE: "Deals that can be won are not looked for in this game.",
    ErrorCode.NO_EVENING: "A table for one has no sheet of the evening.",
    ErrorCode.BAD_NUMBER: "A deal's number has 1 to 20 digits, the first of them not 0.",
    ErrorCode.UNDO_OFF: "At this table no move is taken back.",
    ErrorCode.NOTHING_TO_UNDO: "There is no move to take back.",
    ErrorCode.NOTHING_TO_REDO: "There is no move that was taken back.",
    ErrorCode.NOTHING_SAFE: "There is no move that can never hurt.",
    ErrorCode.TOO_MANY_MOVES: "This deal has had all the moves that one may have; take some back, or give it up.",
    ErrorCode.DOES_NOT_FIT: "This card does not fit there.",
    ErrorCode.PILE_EMPTY: "There is no such card.",
    ErrorCode.STAYS_EMPTY: "This place stays empty.",
    ErrorCode.FOUNDATION_STAYS: "Nothing comes back from the foundations.",
    ErrorCode.CHANGES_NOTHING: "This move would change nothing.",
    ErrorCode.STOCK_EMPTY: "The stock is empty.",
    ErrorCode.STOCK_NOT_EMPTY: "The waste is turned over only when the stock is empty.",
    ErrorCode.NO_REDEAL_LEFT: "The waste may not be turned over again.",
    ErrorCode.DRAW_FIRST: "Turn a card of the stock first.",
    ErrorCode.WASTE_FIRST: "The waste's top card goes first.",
    ErrorCode.GAP_TAKEN: "A card lies there.",
    ErrorCode.BRAID_STAYS: "A card of the braid does not go there.",
    ErrorCode.CORNER_NEEDS_BRAID: "An empty corner takes only the last card of the braid.",
    ErrorCode.SIDE_NEEDS_WASTE: "An empty side takes only the top card of the waste.",
    ErrorCode.CARPET_STAYS: "Cards do not move within the carpet.",
    ErrorCode.PACKET_FIRST: "A packet's card fits, and goes first.",
}


class CloseCode(IntEnum):
    """Why the server closes a connection, beyond the codes of RFC 6455."""

    GOING_AWAY = 1001
    TOO_BIG = 1009
    NO_HELLO = 4000
    SILENT = 4001
    FLOOD = 4002
    SLOW = 4003


CLOSE_TEXTS: Final[dict[CloseCode, str]] = {
    CloseCode.GOING_AWAY: "The server is going away; come back in a moment with your token.",
    CloseCode.TOO_BIG: "A message was longer than 64 KiB.",
    CloseCode.NO_HELLO: "No 'hello' came within 5 seconds.",
    CloseCode.SILENT: "Nothing came for 45 seconds; send 'ping' every 15 seconds.",
    CloseCode.FLOOD: "The flood of messages did not stop.",
    CloseCode.SLOW: "The connection read too slowly; come back with your token.",
}
