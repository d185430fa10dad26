# An attack as one 64-bit word, and how it stands: `adjudicator._conduct` gives the flags names for Python.

cdef enum:
    # Where the parts of the word begin; points and identities have 7 bits, kinds 4.
    AT_FROM = 0
    AT_TO = 7
    AT_ATTACKER = 14
    AT_VICTIM = 21
    AT_KIND = 28
    AT_TARGET = 32
    AT_SIDE = 36
    AT_FLAGS = 37

cdef enum:
    LEGAL = 1            # the capture exposes the attacker's general to nothing new
    RETAKEN = 2          # after it a recapture exposes nothing new: a real root
    ROOTED = 4           # after it something bears on the point, legally or not
    FREE_ROOT = 8        # and one of those was not pinned before
    STANDING_ROOT = 16   # a legal recapture on the board as it stands
    RETURNED = 32        # the victim may legally capture the attacker
    MUTUAL = 64          # the victim attacks the attacker, legally or not
    PINNED = 128         # the attacker's leaving exposes its general
    ON_PINNER = 256      # to the victim
    TIED = 512           # the victim's leaving exposes its general
    HELD = 1024          # to a horse
    ON_HOLDER = 2048     # the attacker is so tied to a horse, the victim
    CROSSED = 4096       # the victim stands beyond the river
    MOVED = 8192         # the attacker moved, and not along the line of this attack
    UNCOVERED = 16384    # another piece's move opened the attack
    STOOD = 32768        # the attacker attacked the victim before the move
    UNROOTED = 65536     # the move has pinned a protector of the victim
    BATTERY = 131072     # the move has put the attacker before a check
    WINS = 262144        # the exchange on the point wins material
    RUINS = 524288       # the capture runs into mate
    RETREATED = 1048576  # the attacker moved away from the victim along the line of this attack
    BY_CHECKS = 2097152  # the victim falls to the attacker after a run of checks; alone: that was not worked out

cdef enum:
    # Quiet moves, in the order of QUIET.
    Q_EXCHANGE = 0
    Q_SACRIFICE = 1
    Q_BLOCK = 2
    Q_FOLLOW = 3
    Q_IDLE = 4

cdef enum:
    MOST_WORDS = 160     # of one position: 64 of each side at once, 16 of each by runs of checks
