"""What is wrong with a record, said so that a person can go and look.

A fault of the data is a value, never an exception: one broken game yields its good prefix and a
`Finding`. The codes are a stable, documented list; a code never changes its meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "note")
"""The gravest first."""


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding: how grave, and its message in English and Chinese (``str.format`` fields)."""

    severity: Severity
    english: str
    chinese: str


@dataclass(slots=True)
class Finding:
    """One fault of one record.

    ``ply`` is the ply concerned (1 = the first move, 0 = the start position, None = the whole record or
    file); ``line`` and ``column`` count from 1, ``byte`` from 0, all in the source as stored; ``game`` is
    the 0-based ordinal of the record in its source. ``text`` is what was read, ``candidates`` what was
    possible there (coordinate moves, ranks from 1), ``details`` the named values of the message. ``unpacked``
    says that ``byte`` is not one of the file, but of what is unpacked of it.
    """

    code: str
    game: int | None = None
    ply: int | None = None
    text: str | None = None
    candidates: tuple[str, ...] = ()
    suggestion: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    source: str | None = None
    line: int | None = None
    column: int | None = None
    byte: int | None = None
    unpacked: bool = False

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity

    @property
    def place(self) -> tuple[int, ...]:
        """Where in its record, to sort by: ply, line, column and byte; at one place the graver finding is first."""
        where = (at or 0 for at in (self.ply, self.line, self.column, self.byte))
        return (*where, SEVERITIES.index(self.severity))

    def message(self, language: str = "en") -> str:
        """The message in ``language`` ("en" or "zh"), with what was read and what was possible.

        Of a value that comes in Chinese as well (``why`` and ``why_zh``) the one that fits is taken.
        """
        code, chinese = CODES[self.code], language == "zh"
        values = {"text": self.text, "because": "", **self.details}
        for name, value in self.details.items():
            if name in _SPOKEN:
                values[name] = _SPOKEN[name].get(value, (value, value))[chinese]
            if chinese and f"{name}_zh" in self.details:
                values[name] = self.details[f"{name}_zh"]
        return (code.chinese if chinese else code.english).format_map(_Blank(values))

    def suggested(self, language: str = "en") -> str | None:
        """What was probably meant, in ``language`` where it is a sentence."""
        return self.details.get("suggestion_zh", self.suggestion) if language == "zh" else self.suggestion


LONGEST_TEXT: Final = 120
"""What a finding repeats of a record is no longer."""

MOST_ALIKE: Final = 40
"""So many findings of one code are told of one tag or place."""


def shown(text: str) -> str:
    """``text`` as findings repeat it: all of it, or its beginning."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def limited(findings: Iterable[Finding]) -> list[Finding]:
    """The first `MOST_ALIKE` of ``findings`` of every code, then for each code how many more there are."""
    kept: dict[str, list[Finding]] = {}
    left: dict[str, Finding] = {}
    for finding in findings:
        code = finding.code
        alike = kept.setdefault(code, [])
        if len(alike) < MOST_ALIKE:
            alike.append(finding)
        else:
            more = left.setdefault(code, Finding("and-more", text=finding.text, details={"kind": code}))
            more.details["count"] = more.details.get("count", 0) + 1
    return [finding for alike in kept.values() for finding in alike] + list(left.values())


class _Blank(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "?"


_RESULTS = {
    "red": ("a win for Red", "红胜"),
    "black": ("a win for Black", "黑胜"),
    "draw": ("a draw", "和棋"),
    "*": ("no end", "未完"),
}
_SPOKEN: dict[str, dict[Any, tuple[str, str]]] = {
    "side": {"red": ("Red", "红方"), "black": ("Black", "黑方")},
    "claimed": _RESULTS,
    "ruled": _RESULTS,
    "where": {
        "comment": ("comment", "注释"),
        "variation": ("variation", "变着"),
        "game header": ("game header", "棋谱信息"),
        "list of moves": ("list of moves", "着法"),
        "record": ("record", "棋谱"),
    },
}
"""Words in which values of messages are said, English and Chinese."""

CODES: dict[str, Code] = {
    # -- the file ------------------------------------------------------------------------------
    "binary-data": Code("error", "not a text of game records (binary data)", "不是棋谱文本(二进制数据)"),
    "foreign-format": Code("error", "{format} is not read; {advice}", "不读取 {format} 格式,{advice}"),
    "left-aside": Code("note", "left aside: {why}", "已略过:{why}"),
    "mixed-encoding": Code(
        "warning", "some bytes do not fit the encoding {encoding}", "部分字节不符合编码 {encoding}"
    ),
    "no-games": Code("warning", "no games found{because}", "没有棋谱{because}"),
    "other-encoding": Code(
        "warning",
        "the text is plainly {found}, but was read as {given}, as asked",
        "文本显然是 {found} 编码,却按要求以 {given} 读取",
    ),
    "refused-member": Code(
        "warning", "archive member {text} was not read: {why}", "压缩包成员 {text} 未读取:{why}"
    ),
    "truncated-file": Code("warning", "the file ends inside a {where}", "文件在{where}中途结束"),
    "unreadable-file": Code("error", "{text} cannot be read: {why}", "{text} 无法读取:{why}"),
    # -- the record ----------------------------------------------------------------------------
    "and-more": Code(
        "note", "further findings {kind} are left out: {count}", "其余 {kind} 已略去:{count} 个"
    ),
    "bad-branch": Code("warning", "{text} has no place in the game: {why}", "{text} 在棋谱中无处可放:{why}"),
    "bad-length": Code(
        "error",
        "{length} bytes of comment are announced where {left} are left; the record stops here",
        "注释长度为 {length} 字节,而只剩 {left} 字节;棋谱到此为止",
    ),
    "bad-tag": Code("warning", "tag line cannot be read: {text}", "标签行无法读取:{text}"),
    "drop-with-from": Code("warning", "a move is a drop and has a from as well", "着法既为打入又有 from"),
    "duplicate-tag": Code(
        "note",
        "a tag is given twice; the first filled value counts: {text}",
        "标签重复,以首个非空值为准:{text}",
    ),
    "event-refused": Code("warning", "an event was skipped: {why}", "事件已略过:{why}"),
    "empty-game": Code("note", "the record has no moves", "棋谱没有着法"),
    "log-without-start": Code(
        "note", "the log begins in the middle: its first event is {text}", "日志不完整,首个事件为 {text}"
    ),
    "long-game": Code(
        "warning",
        "the game goes on for too long; moves from here on were left out",
        "着法过多,此后的着法已略去",
    ),
    "long-token": Code(
        "warning", "a word of the moves is too long and was cut: {text}", "着法文字过长,已截断:{text}"
    ),
    "malformed-json": Code("warning", "not JSON: {why}", "不是合法的 JSON:{why}"),
    "malformed-xml": Code("warning", "not XML from here on: {why}", "自此不是合法的 XML:{why}"),
    "missing-record": Code(
        "warning",
        "the library's index lists {text}, but no record begins at byte {place}",
        "棋谱库目录列有 {text},但第 {place} 字节处没有棋谱",
    ),
    "missing-terminator": Code("note", "no result token at the end of the moves", "着法末尾没有结果标记"),
    "move-fields": Code("warning", "a move without {missing}", "着法缺少 {missing}"),
    "move-number": Code(
        "note", "move number {text} where {expected} was due", "着法序号 {text},应为 {expected}"
    ),
    "nested-comment": Code(
        "note",
        "a comment holds an opening brace; one before it may not be closed",
        "注释中又有左大括号,前面的注释可能未结束",
    ),
    "no-move-list": Code("warning", "the record has no list of moves", "棋谱没有着法列表"),
    "not-a-record": Code(
        "note", "neither a game nor an event; it was skipped: {text}", "不是棋谱或事件,已略过:{text}"
    ),
    "not-moves": Code(
        "warning", "from here on the text is not moves and was skipped", "此后的文字不是着法,已略过"
    ),
    "other-variant": Code(
        "warning",
        "the record names the variant {text}, which is another than {rules}",
        "棋谱注明的棋种是 {text},不是 {rules}",
    ),
    "piece-on-piece": Code(
        "warning",
        "{on} and {text} stand on one point, {square}; the second counts",
        "{square} 上有 {on} 和 {text},以后者为准",
    ),
    "ply-count": Code(
        "warning", "PlyCount says {claimed}, the record holds {found}", "PlyCount 为 {claimed},实际 {found}"
    ),
    "result-mismatch": Code(
        "warning",
        "the Result tag says {tag}, the moves end with {terminator}",
        "结果标签为 {tag},着法末尾为 {terminator}",
    ),
    "text-after-end": Code("note", "text after the end of the game was skipped", "终局之后的文字已略过"),
    "text-before-game": Code(
        "note", "text before the first game was skipped: {text}", "首局之前的文字已略过:{text}"
    ),
    "text-before-moves": Code("note", "words before the moves were skipped", "着法之前的文字已略过"),
    "unclosed-comment": Code("warning", "a comment is never closed", "注释没有结束"),
    "unclosed-tag": Code("warning", "the tag {text} is never closed", "标签 {text} 没有结束"),
    "unclosed-variation": Code("warning", "a variation is never closed", "变着没有结束"),
    "unknown-event": Code("note", "{text} is not a known event; it was skipped", "未知事件 {text},已略过"),
    "unknown-variant": Code(
        "warning",
        "the record names the variant {text}, which no rule set is called; it was read as {rules}",
        "棋谱注明的棋种 {text} 没有对应的规则;按 {rules} 处理",
    ),
    "unopened-comment": Code("warning", "a bracket is closed that was never opened", "多余的括号"),
    "unopened-variation": Code("warning", "a variation is closed that was never opened", "多余的变着结束符"),
    # -- the start position ----------------------------------------------------------------------
    "bad-setup": Code("error", "the start position cannot be read: {why}", "起始局面无法读取:{why}"),
    "fen-counter": Code(
        "warning",
        "{found} in the FEN is no number of plies or moves; it counts as unsaid",
        "FEN 中的 {found} 不是着数,按未注明处理",
    ),
    "fen-file-count": Code(
        "error",
        "rank {rank} of the FEN has {found} files, not {expected}",
        "FEN 第 {rank} 行有 {found} 路,应为 {expected}",
    ),
    "fen-illegal-hand": Code("error", "{piece} cannot be in a reserve", "{piece} 不能在持子中"),
    "fen-not-a-fen": Code("error", "not a FEN: {text}", "不是 FEN:{text}"),
    "fen-passed-over": Code(
        "note", "{found} says nothing in the FEN and is passed over", "FEN 中的 {found} 无意义,已略过"
    ),
    "fen-rank-count": Code(
        "error", "the FEN has {found} ranks, not {expected}", "FEN 有 {found} 行,应为 {expected}"
    ),
    "fen-side": Code(
        "note", "the FEN does not say who moves; {side} does by the record", "FEN 未注明先行方;按棋谱为{side}"
    ),
    "fen-unclosed-hand": Code("error", "the reserve in the FEN is not closed", "FEN 中持子括号未关闭"),
    "fen-unknown-piece": Code("error", "{piece} is not a piece of this game", "{piece} 不是本棋种的棋子"),
    "generals-face": Code(
        "error", "the generals face each other and {side} is to move", "将帅照面而轮到{side}走"
    ),
    "general-count": Code("error", "{side} has {found} generals", "{side}有 {found} 个将帅"),
    "general-gone": Code(
        "note",
        "{side} is to move without a general: an explosion has ended the game before its first move",
        "{side}轮走而没有将帅:对局在首着之前已因爆炸结束",
    ),
    "handicap-iron": Code(
        "warning",
        "handicap {text}: no piece that could be iron on {point}",
        "让子 {text}:{point} 没有可作铁子的棋子",
    ),
    "handicap-mismatch": Code(
        "warning",
        "the handicap is declared as {declared}, the start position lacks {lacking}; the position counts",
        "让子记为{declared},起始局面为{lacking},以局面为准",
    ),
    "handicap-moves": Code(
        "warning",
        "handicap {text}: {moves} moves first need a FEN with the position after the extra ones",
        "让子 {text}:让先多于一步的棋谱须注明让后的 FEN",
    ),
    "handicap-not-start": Code(
        "note",
        "handicap {text}: pieces stand elsewhere than at the start, so only those named as iron are protected",
        "让子 {text}:局面不是起始局面,只保护注明的铁子",
    ),
    "handicap-not-there": Code(
        "warning",
        "handicap {text}: the start position has no {words}; nothing is given for it",
        "让子 {text}:起始局面没有{words},不予让出",
    ),
    "handicap-unreadable": Code(
        "warning", "handicap {text}: {words} is not understood", "让子 {text}:不明白 {words}"
    ),
    "illegal-relocation": Code(
        "error",
        "{text} cannot be a relocation before the first turn: {why}; nothing is relocated",
        "{text} 不能作为开局前的移置:{why},全部不移置",
    ),
    "missing-general": Code("error", "{side} has no general", "{side}缺少将帅"),
    "opponent-in-check": Code(
        "error", "{side} stands in check with the other side to move", "{side}被将军而轮到对方走"
    ),
    "piece-location": Code("error", "a {piece} cannot stand on {square}", "{piece}不能位于 {square}"),
    "reserve-not-won": Code(
        "error",
        "{side} holds {found} of the piece {piece}, at most {most} have been won",
        "{side}持有 {found} 个{piece},最多赢得 {most} 个",
    ),
    "too-many-in-all": Code(
        "error",
        "on the board and in the reserves there are {found} of the piece {piece}, at most {most} are possible",
        "棋盘与持子中共有 {found} 个{piece},最多 {most} 个",
    ),
    "too-many-pieces": Code(
        "error",
        "{side} has {found} of the piece {piece}, at most {most} are possible",
        "{side}有 {found} 个{piece},最多 {most} 个",
    ),
    "unreachable-soldier": Code(
        "warning", "a {piece} cannot have reached {square}", "{piece}不可能到达 {square}"
    ),
    # -- the moves -------------------------------------------------------------------------------
    "ambiguity-settled": Code(
        "note",
        "{text} fits several legal moves; only {used} lets the record go on",
        "{text} 可指多着,只有 {used} 与后文相合",
    ),
    "ambiguous-coordinate-base": Code(
        "error",
        "{text} is a move with ranks from 0 and another with ranks from 1",
        "{text} 按 0 起与按 1 起计行是两着不同的棋",
    ),
    "ambiguous-dialect": Code(
        "error", "{text} names different soldiers in two dialects", "{text} 在两种记法中指不同的兵"
    ),
    "ambiguous-move": Code(
        "error", "{text} fits several legal moves: {candidates}", "{text} 可指多着:{candidates}"
    ),
    "drop-in-non-drop-ruleset": Code(
        "error", "{text}: there are no drops in this game", "{text}:本棋种没有打入"
    ),
    "illegal-move": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "blast-own-general": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "drop-beside-fortress": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "drop-on-occupied": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "drop-outside-region": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "general-captures": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "iron-piece": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "king-on-attacked": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "king-not-placed": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "not-in-hand": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "promotion-impossible": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "promotion-missing": Code("error", "{text} is illegal: {why}", "{text} 不合法:{why}"),
    "third-creation": Code(
        "error",
        "{text} is illegal: it creates a position for the third time (before at plies {plies})",
        "{text} 不合法:第三次造成同一局面(前两次在第 {plies} 着)",
    ),
    "over-disambiguated": Code(
        "note", "more is written than is needed at plies {plies}", "第 {plies} 着写得过细"
    ),
    "unreadable-token": Code("error", "{text} is not a move in any notation", "{text} 不是任何记法的着法"),
    "wrong-side": Code(
        "error", "{text} is a move of the side that is not to move", "{text} 是未轮到一方的着法"
    ),
    # -- writing ------------------------------------------------------------------------------------
    "no-words": Code(
        "note",
        "{notation} has no words for {count} moves, which are written as coordinates: {moves}",
        "{notation} 没有 {count} 着的记法,这些着法写作坐标:{moves}",
    ),
    "stays-as-written": Code(
        "warning",
        "{text} and what follows it in its variation stay as written: {why}",
        "{text} 及此变着其后的着法保持原样:{why}",
    ),
    # -- the result ------------------------------------------------------------------------------
    "played-on": Code(
        "note",
        "the rules end the game at ply {end} ({reason}); the record plays on",
        "按规则第 {end} 着已终局({reason}),棋谱仍继续",
    ),
    "result-contradicts": Code(
        "warning",
        "the record claims {claimed}, the rules give {ruled} ({reason})",
        "棋谱记为 {claimed},按规则为 {ruled}({reason})",
    ),
}
