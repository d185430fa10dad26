"use strict";
(() => {
  const study = JSON.parse(document.getElementById("study").textContent);
  const { rules, games, words } = study;
  const { board } = rules;
  const NS = "http://www.w3.org/2000/svg";
  const $ = (id) => document.getElementById(id);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const byFen = new Map(rules.pieces.map((piece) => [piece.fen, piece]));
  const byLetter = new Map(rules.pieces.map((piece) => [piece.letter, piece]));
  const NOTATIONS = ["chinese", "chinese-traditional", "wxf", "algebraic", "long", "uci", "token"];
  const MARKS = ["key", "explosion", "check", "drop", "forced", "repetition", "comment"];
  const state = {
    game: 0, line: 0, ply: 0, flipped: false, letters: false, marks: "key",
    notation: study.notation, language: study.language, contents: games.length > 1,
  };

  // ---- words -------------------------------------------------------------------------------------------

  function word(name, values = {}) {
    const text = words[state.language][name] ?? name;
    return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
  }
  const both = (texts) => (texts ? texts[state.language] ?? texts.en : "");
  const isChinese = () => state.language === "zh";
  const list = (items) => items.join(isChinese() ? "、" : ", ");

  /** 2nd, 3rd, 11th; in Chinese the number. */
  function ordinal(n) {
    if (isChinese()) return String(n);
    const teens = n % 100 > 10 && n % 100 < 14;
    return `${n}${(!teens && ["th", "st", "nd", "rd"][n % 10]) || "th"}`;
  }

  const colon = () => (isChinese() ? "：" : ": ");
  const isBlack = (letter) => letter !== letter.toUpperCase();

  /** What a piece is called: by its letter in moves, or by that in a FEN; small letters are Black's. */
  const named = (kind, black) => (isChinese() ? (black ? kind.black : kind.red) : kind.name);
  const pieceName = (letter) => named(byLetter.get(letter.toUpperCase()), isBlack(letter));
  const manName = (letter) => named(byFen.get(letter.toUpperCase()), isBlack(letter));

  function element(tag, options = {}, ...children) {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(options)) {
      if (key === "class") made.className = value;
      else if (key === "text") made.textContent = value;
      else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value !== undefined && value !== null) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  function drawn(tag, attributes = {}, ...children) {
    const made = document.createElementNS(NS, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // ---- the game as a tree --------------------------------------------------------------------------------

  const game = () => games[state.game];

  /** The ply played at `ply` on `line` or on the lines that it leaves; null is the start. */
  function plyAt(g, line, ply) {
    while (line !== null && ply < g.lines[line].from) line = g.lines[line].parent;
    return line === null || ply < 1 ? null : g.lines[line].plies[ply - g.lines[line].from] ?? null;
  }

  /** The line that holds `ply` when one stands on `line`. */
  function holder(g, line, ply) {
    while (g.lines[line].parent !== null && ply < g.lines[line].from) line = g.lines[line].parent;
    return line;
  }
  const lastPly = (g, line) => g.lines[line].from - 1 + g.lines[line].plies.length;
  const current = () => plyAt(game(), state.line, state.ply);

  function tags(g, line, p) {
    const found = [];
    if (p.explosion) found.push("explosion");
    if (p.checks) found.push("check");
    if (!p.from) found.push("drop");
    if (p.replies === 1) found.push("forced");
    if (p.occurrence > 1) found.push("repetition");
    if (p.comments?.some((text) => text !== "book")) found.push("comment");
    if (p.mate) found.push("mate");
    if (line === 0 && g.decided?.ply === p.ply) found.push("decided");
    if (line === 0 && g.end === p.ply && g.reason) found.push("end");
    return found;
  }

  function isMarked(g, line, p) {
    const found = tags(g, line, p);
    if (state.marks !== "key") return found.includes(state.marks) || (state.marks === "check" && p.mate);
    return found.some((name) => ["explosion", "mate", "decided", "end", "comment"].includes(name)) || p.occurrence > 2;
  }

  // ---- the board -----------------------------------------------------------------------------------------

  const pointName = (file, rank) => String.fromCharCode(97 + file) + (rank + 1);

  function centre(point, flipped) {
    const file = point.charCodeAt(0) - 97;
    const rank = Number(point.slice(1)) - 1;
    return [
      board.margin + (flipped ? board.files - 1 - file : file) * board.cell,
      board.margin + (flipped ? rank : board.ranks - 1 - rank) * board.cell,
    ];
  }

  /** Pieces by point and reserves of a FEN: [point, letter] and {letter: count}, small letters are Black's. */
  function readFen(fen) {
    const [placement] = (fen ?? "").split(" "); // a record whose start cannot be played has no position
    const [rows, hand = ""] = placement.replace("]", "").split("[");
    const men = [];
    rows.split("/").forEach((row, fromTop) => {
      let file = 0;
      for (const [, digits, letter] of row.matchAll(/(\d+)|(.)/g)) {
        if (digits) file += Number(digits);
        else men.push([pointName(file++, board.ranks - 1 - fromTop), letter]);
      }
    });
    const hands = {};
    for (const letter of hand) hands[letter] = (hands[letter] ?? 0) + 1;
    return { men, hands };
  }

  function drawPiece(kind, black, radius = 22) {
    const face = state.letters ? kind.letter : black ? kind.black : kind.red;
    const size = radius * (state.letters ? 1.2 : 1.25);
    const text = drawn("text", { y: (size * 0.36).toFixed(1), "font-size": size });
    text.textContent = face;
    return drawn(
      "g", { class: `piece ${black ? "black" : "red"}` },
      drawn("circle", { class: "disc", r: radius }), drawn("circle", { class: "ring", r: radius - 3 }), text,
    );
  }

  const place = (node, [x, y]) => (node.setAttribute("transform", `translate(${x} ${y})`), node);

  function star(radius) {
    const corners = [];
    for (let k = 0; k < 24; k++) {
      const r = k % 2 ? radius * 0.7 : radius;
      corners.push(`${(r * Math.sin((Math.PI * k) / 12)).toFixed(1)} ${(-r * Math.cos((Math.PI * k) / 12)).toFixed(1)}`);
    }
    return `M${corners.join("L")}Z`;
  }

  function arrow([ax, ay], [bx, by], name) {
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    const [leave, arrive] = length < 1.5 * board.cell ? [11, 13] : [22, 24]; // neighbours: from within their rims
    const [x1, y1, x2, y2] = [ax + leave * ux, ay + leave * uy, bx - arrive * ux, by - arrive * uy];
    const [mx, my] = [x2 - 11 * ux, y2 - 11 * uy];
    return drawn(
      "g", { class: `arrow ${name}` },
      drawn("path", { class: "shaft", d: `M${x1} ${y1}L${mx} ${my}` }),
      drawn("path", { class: "head", d: `M${x2} ${y2}L${mx - 7 * uy} ${my + 7 * ux}L${mx + 7 * uy} ${my - 7 * ux}Z` }),
    );
  }

  function edgeNames(flipped) {
    const group = drawn("g", { class: "names", "aria-hidden": "true" });
    const put = (x, y, text) => {
      const node = drawn("text", { x, y });
      node.textContent = text;
      group.append(node);
    };
    const counted = ["chinese", "chinese-traditional", "wxf"].includes(state.notation) && !board.checkered;
    for (let file = 0; file < board.files; file++) {
      const [x] = centre(pointName(file, 0), flipped);
      const letter = String.fromCharCode(97 + file);
      const red = state.notation === "wxf" ? board.files - file : "一二三四五六七八九"[board.files - file - 1] ?? board.files - file;
      const [south, north] = counted ? (flipped ? [file + 1, red] : [red, file + 1]) : [letter, letter];
      put(x, board.height - 7, south);
      put(x, 17, north);
    }
    if (!counted)
      for (let rank = 0; rank < board.ranks; rank++) {
        const [, y] = centre(pointName(0, rank), flipped);
        put(12, y + 5, rank + 1);
        put(board.width - 12, y + 5, rank + 1);
      }
    return group;
  }

  /** Draw the position after `p` (null: the start) into `svg`; returns what moves and what goes, to be animated. */
  function drawBoard(svg, g, p, flipped) {
    svg.setAttribute("viewBox", `0 0 ${board.width} ${board.height}`);
    const ground = drawn("g", { "aria-hidden": "true" });
    ground.innerHTML = board.ground;
    const under = drawn("g");
    const men = drawn("g");
    const over = drawn("g");
    const at = (point) => centre(point, flipped);
    const parts = { gone: [], mover: null, captured: null };
    if (p?.from) under.append(place(drawn("circle", { class: "origin", r: 9 }), at(p.from)));
    for (const { point, piece } of p?.gone ?? []) {
      const ghost = drawPiece(byLetter.get(piece.toUpperCase()), isBlack(piece), 16);
      const burst = p.explosion ? [drawn("path", { class: "star", d: star(point === p.to ? 34 : 29) })] : [];
      const group = drawn("g", { class: "gone", "data-gone": point, "data-was": piece }, ...burst, ghost);
      under.append(place(group, at(point)));
      parts.gone.push(group);
    }
    for (const [point, letter] of readFen(p ? p.fen : g.start).men) {
      const node = drawPiece(byFen.get(letter.toUpperCase()), isBlack(letter));
      node.setAttribute("data-point", point);
      node.setAttribute("data-piece", letter);
      men.append(place(node, at(point)));
      if (p && point === p.to && !p.gone) parts.mover = node;
    }
    if (p && !p.gone) over.append(place(drawn("circle", { class: p.from ? "target" : "target drop", r: 25 }), at(p.to)));
    if (p?.checks) {
      const { general, direct = [], wide = [] } = p.checks;
      over.append(place(drawn("circle", { class: direct.length ? "alarm" : "alarm wide", r: 26 }), at(general)));
      for (const [from, to] of wide) over.append(arrow(at(from), at(to), "wide"));
      for (const point of direct) over.append(arrow(at(point), at(general), "direct"));
    }
    svg.replaceChildren(ground, edgeNames(flipped), under, men, over);
    parts.over = over;
    return parts;
  }

  /** Let the piece go its way, and what its capture took besides go after it. */
  function animate(parts, p, flipped) {
    if (still.matches || !document.body.animate) return;
    const at = (point) => centre(point, flipped);
    const path = p.from
      ? [`translate(${at(p.from)[0]}px, ${at(p.from)[1]}px)`, `translate(${at(p.to)[0]}px, ${at(p.to)[1]}px)`]
      : [`translate(${at(p.to)[0]}px, ${at(p.to)[1]}px) scale(1.7)`, `translate(${at(p.to)[0]}px, ${at(p.to)[1]}px) scale(1)`];
    let mover = parts.mover;
    if (!mover && p.gone) {
      mover = drawPiece(byLetter.get(p.piece), p.side === "black");
      parts.over.append(mover);
    }
    mover?.parentNode.append(mover);
    const moved = mover?.animate({ transform: path }, { duration: 190, easing: "ease-in-out", fill: p.gone ? "forwards" : "none" });
    if (!p.gone) {
      if (p.captured && p.from) {
        const ghost = place(drawPiece(byLetter.get(p.captured.toUpperCase()), isBlack(p.captured)), at(p.to));
        mover?.before(ghost);
        ghost.animate({ opacity: [1, 1, 0] }, { duration: 220, fill: "forwards" }).onfinish = () => ghost.remove();
      }
      return;
    }
    moved.onfinish = () => mover.remove();
    for (const group of parts.gone) {
      const ghost = group.lastChild;
      group.querySelector(".star")?.animate({ transform: ["scale(.2)", "scale(1.7)", "scale(1)"], opacity: [0, 1, 1] }, { duration: 620, delay: 170, fill: "backwards", easing: "ease-out" });
      ghost.animate({ opacity: [1, 1, 0.75], transform: ["scale(1.375)", "scale(1.5)", "scale(1)"] }, { duration: 620, delay: 170, fill: "backwards" });
    }
  }

  // ---- words about a ply -----------------------------------------------------------------------------------

  function moveText(p) {
    const text = state.notation === "token" ? p.token : p.text[state.notation];
    return text ?? p.move;
  }

  function number(value) {
    return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
  }

  function describe(g, line, p) {
    const facts = [];
    if (p.promotion) facts.push(word("promotes", { piece: pieceName(p.promotion) }));
    if (p.explosion) {
      const gone = p.gone.map(({ point, piece }) => `${word(isBlack(piece) ? "black" : "red")}${isChinese() ? "" : " "}${pieceName(piece)} ${point}`);
      const capturer = word("with-capturer", { piece: pieceName(p.side === "black" ? p.piece.toLowerCase() : p.piece) });
      facts.push([word(gone.length > 1 ? "explosion" : "explosion-one", { list: list(gone) }), capturer].join(isChinese() ? "，" : ", "));
    } else if (p.gone) facts.push(word("shot", { piece: pieceName(p.captured) }));
    else if (p.captured) facts.push(word("takes", { piece: pieceName(p.captured) }));
    if (p.checks) {
      const men = new Map(readFen(p.fen).men);
      const called = (point) => `${manName(men.get(point))} ${point}`;
      const { direct = [], wide = [] } = p.checks;
      const near = direct.filter((point) => !byFen.get(men.get(point).toUpperCase()).royal);
      if (near.length) facts.push(word(direct.length > 1 ? "double-check-by" : "check-by", { list: list(near.map(called)) }));
      if (near.length < direct.length) facts.push(word("facing"));
      if (wide.length) facts.push(word("wide-by", { list: list(wide.map(([from, to]) => `${called(from)}×${to}`)) }));
    }
    if (p.mate) facts.push(word("mate"));
    else if (p.stalemate) facts.push(word("stalemate"));
    else if (p.replies === 1) facts.push(word("reply-one"));
    else if (p.replies) facts.push(word("replies", { n: p.replies }));
    if (p.occurrence > 1) facts.push(word(p.occurrence > 2 ? "occurrence" : "occurrence-second", { n: ordinal(p.occurrence), before: [...(p.before ?? []), ...(p.occurrence - 1 > p.before?.length ? ["…"] : [])].join(", ") }));
    const value = evaluationText(p);
    if (value) facts.push(list([value, ...(p.depth ? [word("depth", { depth: p.depth })] : [])]));
    return facts;
  }

  function evaluationText(p) {
    if (p.mate_in) return word("announced", { value: word("mate-in", { side: word(p.mate_in > 0 ? "red" : "black"), n: Math.abs(p.mate_in) }) });
    return p.evaluation === undefined ? "" : word("eval", { value: number(p.evaluation) });
  }

  const NAG = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "+/=", 15: "=/+", 16: "±", 17: "∓", 18: "+−", 19: "−+", 146: "N" };
  const nags = (p) => (p.nags ?? []).map((nag) => NAG[nag] ?? (nag === 220 ? "" : `$${nag}`)).join("");
  const SIGNS = { explosion: "✺", check: "+", drop: "↓", forced: "□", repetition: "⟳", mate: "#", decided: "★" };

  function signs(g, line, p) {
    const found = tags(g, line, p);
    const signed = p.checks?.direct?.length && /[+#†]$/.test(moveText(p));
    return found
      .filter((name) => SIGNS[name] && !(name === "check" && (found.includes("mate") || signed)) && !(name === "mate" && signed))
      .map((name) => (name === "check" && !p.checks.direct?.length ? "(+)" : name === "repetition" ? `⟳${p.occurrence}` : SIGNS[name]))
      .join(" ");
  }

  // ---- showing ---------------------------------------------------------------------------------------------

  function go(line, ply, animated = false) {
    const g = game();
    state.line = holder(g, line, ply);
    state.ply = Math.max(0, Math.min(ply, lastPly(g, state.line)));
    showPly(animated);
    const hash = `#g${state.game + 1}${state.line ? `/l${state.line}` : ""}/${state.ply}`;
    if (state.contents) return;
    try { history.replaceState(null, "", hash); } catch { /* a page in a frame may not */ }
  }

  const step = (by) => {
    const ply = state.ply + by;
    if (ply >= 0 && ply <= lastPly(game(), state.line)) go(state.line, ply, by === 1);
  };

  function jump(by) {
    const g = game();
    for (let ply = state.ply + by; ply >= 1 && ply <= lastPly(g, state.line); ply += by) {
      const line = holder(g, state.line, ply);
      if (isMarked(g, line, plyAt(g, line, ply))) return go(state.line, ply, by === 1);
    }
    go(state.line, by > 0 ? lastPly(g, state.line) : 0);
  }

  function showPly(animated) {
    const g = game();
    const p = current();
    const parts = drawBoard($("board"), g, p, state.flipped);
    if (animated && p) animate(parts, p, state.flipped);
    const side = p ? (p.side === "red" ? "black" : "red") : g.side;
    const ended = state.line === 0 && g.reason && state.ply >= g.end;
    for (const [id, who] of [["near", state.flipped ? "black" : "red"], ["far", state.flipped ? "red" : "black"]])
      showPlayer($(id), g, who, !ended && who === side, p ? p.fen : g.start);
    $("slider").max = lastPly(g, state.line);
    $("slider").value = state.ply;
    $("slider").setAttribute("aria-valuetext", p ? `${p.label} ${moveText(p)}` : word("start"));
    for (const id of ["first", "previous", "previous-mark"]) $(id).setAttribute("aria-disabled", state.ply === 0);
    for (const id of ["last", "next", "next-mark"]) $(id).setAttribute("aria-disabled", state.ply >= lastPly(g, state.line));
    $("banner").hidden = !(animated && state.line === 0 && g.reason && state.ply === g.end);
    $("banner").textContent = both(g.result_words);
    showSaid(g, p, ended);
    showBranches(g);
    showHere();
    drawGraphHere();
    showAsText(g, p);
  }

  function showPlayer(node, g, who, turn, fen) {
    const name = element("span", { class: "name", text: g[who] || word(who), title: g[who] || null });
    const about = element("span", { class: "who" }, element("span", { class: `dot ${who}` }), name);
    node.replaceChildren(about);
    if (turn) about.append(element("span", { class: "turn", text: [...(g[who] ? [word(who)] : []), word("to-move")].join(isChinese() ? "" : " ") }));
    if (!rules.reserves) return;
    const held = Object.entries(readFen(fen).hands).filter(([letter]) => isBlack(letter) === (who === "black"));
    const hand = element("ul", { class: "hand", "aria-label": word("hand-of", { side: word(who) }) });
    for (const [letter, count] of held) {
      const kind = byFen.get(letter.toUpperCase());
      const picture = drawn("svg", { viewBox: "-25 -25 50 50", role: "img", "aria-label": manName(letter) }, drawPiece(kind, isBlack(letter)));
      const item = element("li", { "data-hand": letter, "data-count": count }, picture);
      if (count > 1) item.append(`×${count}`);
      hand.append(item);
    }
    if (!held.length) hand.append(element("li", { class: "none", text: word("nothing-in-hand") }));
    node.append(hand);
  }

  function showSaid(g, p, ended) {
    const box = $("said");
    const head = p ? word("said", { label: p.label, side: word(p.side), text: `${moveText(p)}${nags(p)}` }) : word("start");
    box.replaceChildren(element("p", { class: "what", text: head }));
    if (p) {
      const facts = describe(g, state.line, p);
      if (facts.length) box.append(element("ul", {}, ...facts.map((text) => element("li", { text }))));
    }
    for (const text of (p ? p.comments : g.comments) ?? []) box.append(element("p", { class: "comment", text: text === "book" ? word("book") : text }));
    if (state.line === 0 && p && g.decided?.ply === p.ply) box.append(element("p", { class: "end", text: `★ ${both(g.decided)}` }));
    if (ended && p && g.end === p.ply) box.append(element("p", { class: "end", text: both(g.ruling) }));
    else if (ended && state.ply > g.end) box.append(element("p", { class: "end", text: word("ended", { ply: g.end }) }));
  }

  function showBranches(g) {
    const box = $("branches");
    box.replaceChildren();
    if (state.line) box.append(element("button", { type: "button", text: word("to-main"), onclick: leave }));
    g.lines.forEach((line, k) => {
      if (line.parent === state.line && line.from === state.ply + 1 && line.plies.length)
        box.append(element("button", { type: "button", text: `${word("variation")}${colon()}${line.plies[0].label} ${moveText(line.plies[0])}`, onclick: () => go(k, line.from, true) }));
    });
  }

  function leave() {
    const line = game().lines[state.line];
    if (line.parent !== null) go(line.parent, line.from - 1);
  }

  function enter() {
    const k = game().lines.findIndex((line) => line.parent === state.line && line.from === state.ply + 1 && line.plies.length);
    if (k > 0) go(k, game().lines[k].from, true);
  }

  function showAsText(g, p) {
    const names = { red: [], black: [] };
    const { men } = readFen(p ? p.fen : g.start);
    for (const [point, letter] of men) names[isBlack(letter) ? "black" : "red"].push(`${manName(letter)} ${point}`);
    const lines = ["red", "black"].map((side) => element("p", { text: word("stand", { side: word(side), list: list(names[side].sort()) }) }));
    $("as-text").replaceChildren(...lines, element("p", { text: `FEN ${(p ? p.fen : g.start) ?? "–"}` }));
  }

  // ---- the list of moves -----------------------------------------------------------------------------------

  function moveButton(g, line, p, shownLabel) {
    const button = element("button", {
      type: "button", class: "move", tabindex: "-1", "data-line": line, "data-ply": p.ply,
      text: `${shownLabel ? `${p.label} ` : ""}${moveText(p)}${nags(p)}`,
    });
    const found = signs(g, line, p);
    if (found) button.append(element("span", { class: "tags", text: found, title: tags(g, line, p).filter((name) => SIGNS[name]).map((name) => word({ mate: "mate", decided: "decided" }[name] ?? `marks-${name}`)).join(", ") }));
    return button;
  }

  function variationBlock(g, number, inner) {
    const line = g.lines[number];
    const block = element("div", { class: "variation" });
    for (const text of line.comments ?? []) block.append(element("span", { class: "note", text }));
    line.plies.forEach((p, k) => {
      block.append(moveButton(g, number, p, k === 0 || p.side === "red" || inner.get(`${number}/${p.ply - 1}`)), " ");
      for (const text of p.comments ?? []) block.append(element("span", { class: "note", text }), " ");
    });
    if (line.unread?.length) block.append(element("span", { class: "note", text: word("unread", { moves: line.unread.join(" ") }) }));
    return block;
  }

  function showMoves() {
    const g = game();
    const box = $("moves");
    box.replaceChildren();
    // Variations stand below the ply they are an alternative to; deeper ones inside the block of their line.
    const inner = new Map();
    const blocks = g.lines.map((line, k) => (k && line.plies.length + (line.unread?.length ?? 0) ? variationBlock(g, k, inner) : null));
    g.lines.forEach((line, k) => {
      if (!blocks[k]) return;
      if (line.parent > 0 && blocks[line.parent]) blocks[line.parent].append(blocks[k]);
      else inner.set(`0/${line.from}`, [...(inner.get(`0/${line.from}`) ?? []), blocks[k]]);
    });
    for (const text of g.comments ?? []) box.append(element("p", { class: "note", text }));
    let pair = null;
    for (const p of g.lines[0].plies) {
      if (!pair || p.side === "red") {
        pair = element("div", { class: "pair" }, element("span", { class: "n", text: p.label.replace(/\.+$/, ".") }));
        if (p.side === "black") pair.append(element("span", { class: "gap", text: "…" }));
        box.append(pair);
      }
      pair.append(moveButton(g, 0, p, false));
      const notes = (p.comments ?? []).filter((text) => text !== "book");
      const lines = inner.get(`0/${p.ply}`) ?? [];
      for (const text of notes) box.append(element("p", { class: "note", text }));
      box.append(...lines);
      if (notes.length || lines.length) pair = null;
    }
    for (const block of inner.get(`0/${lastPly(g, 0) + 1}`) ?? []) box.append(block);
    box.parentNode.hidden = !box.hasChildNodes() && !g.lines[0].unread?.length;
    const unread = g.lines[0].unread;
    if (g.stopped) box.append(element("p", { class: "unread", text: word("stopped", { why: both(g.stopped) }) }));
    if (unread?.length) box.append(element("p", { class: "unread", text: word("unread", { moves: unread.slice(0, 40).join(" ") + (unread.length > 40 ? " …" : "") }) }));
    if (g.lines_left_out) box.append(element("p", { class: "unread", text: word("left-out", { n: g.lines_left_out }) }));
  }

  function showHere() {
    const box = $("moves");
    box.querySelector('[aria-current="true"]')?.removeAttribute("aria-current");
    box.querySelector('.move[tabindex="0"]')?.setAttribute("tabindex", "-1");
    const here = box.querySelector(`.move[data-line="${state.line}"][data-ply="${state.ply}"]`);
    if (!here) {
      box.scrollTop = 0;
      return;
    }
    here.setAttribute("aria-current", "true");
    here.setAttribute("tabindex", "0");
    const top = here.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
  }

  // ---- evaluations -------------------------------------------------------------------------------------------

  const WIDTH = 1000;
  const HEIGHT = 100;
  const INSET = 4;
  const x = (g, ply) => INSET + ((WIDTH - 2 * INSET) * ply) / Math.max(1, lastPly(g, 0));

  function share(p) {
    if (p.mate_in) return p.mate_in > 0 ? 1 : -1;
    return p.evaluation === undefined ? null : ofPawns(p.evaluation);
  }

  const ofPawns = (pawns) => Math.tanh(pawns / 6);

  const SCALED = [3, 0, -3];  // pawns

  const height = (value) => HEIGHT / 2 - (HEIGHT / 2 - INSET) * value;

  /** What heights mean, beside the curve: it is drawn as wide as there is room, which text could not bear. */
  function showScale() {
    const label = (value, text) => {
      const made = element("span", { text });
      made.style.top = `${(100 * height(value)) / HEIGHT}%`;
      return made;
    };
    const pawns = (n) => label(ofPawns(n), n ? number(n).replace(".00", "") : "0");
    $("scale").replaceChildren(label(1, word("scale-mate")), ...SCALED.map(pawns), label(-1, word("scale-mate")));
  }

  function showGraph() {
    const g = game();
    const points = g.lines[0].plies.map((p) => [p.ply, share(p)]).filter(([, value]) => value !== null);
    $("graph-box").hidden = points.length < 2;
    if (points.length < 2) return;
    const svg = $("graph");
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("aria-label", word("graph-label"));
    showScale();
    const half = HEIGHT / 2;
    const area = (clip) => {
      const way = points.map(([ply, value]) => `${x(g, ply).toFixed(1)} ${height(clip(value)).toFixed(1)}`);
      return `M${x(g, points[0][0]).toFixed(1)} ${half}L${way.join("L")}L${x(g, points.at(-1)[0]).toFixed(1)} ${half}Z`;
    };
    svg.replaceChildren(
      drawn("path", { class: "scale", d: SCALED.map((n) => `M0 ${height(ofPawns(n))}H${WIDTH}`).join("") }),
      drawn("path", { class: "up", d: area((value) => Math.max(0, value)) }),
      drawn("path", { class: "down", d: area((value) => Math.min(0, value)) }),
      drawn("path", { class: "zero", d: `M0 ${half}H${WIDTH}` }),
      drawn("path", { class: "star", d: g.decided?.ply ? `M${x(g, g.decided.ply)} 0V${HEIGHT}` : "M0 0" }),
      drawn("path", { class: "here", d: "M0 0" }),
    );
  }

  function drawGraphHere() {
    const ply = state.line ? game().lines[state.line].from - 1 : state.ply;
    $("graph").querySelector(".here")?.setAttribute("d", `M${x(game(), ply)} 0V${HEIGHT}`);
  }

  // ---- the game, the contents, the switches --------------------------------------------------------------------

  /** The players as nodes; each name keeps its own direction of writing to itself. */
  const names = (g) => [element("bdi", { text: g.red || word("red") }), " – ", element("bdi", { text: g.black || word("black") })];

  const where = (g) => [
    g.event, g.round && word("round", { round: g.round }), g.site, g.date,
    g.handicap && word("handicap", { handicap: g.handicap }),
    games.length > 1 && g.source && word("record", { source: g.source, n: g.number }),
  ].filter(Boolean);

  function showGame() {
    const g = game();
    $("players").replaceChildren(...names(g));
    $("players").hidden = $("players").textContent === $("title").textContent;
    $("where").textContent = where(g).join(" · ");
    $("ruling").textContent = both(g.ruling);
    $("stopped").hidden = !g.stopped;
    $("stopped").textContent = g.stopped ? word("stopped", { why: both(g.stopped) }) : "";
    $("claim").textContent = word("claimed", { claim: both(g.claim_words) });
    $("decided").hidden = !g.decided;
    if (g.decided) {
      const p = plyAt(g, 0, g.decided.ply);
      $("decided-text").replaceChildren();
      if (p) $("decided-text").append(element("button", { type: "button", text: `${p.label} ${moveText(p)}`, onclick: () => go(0, p.ply, true) }));
      $("decided-text").append(both(g.decided));
      $("decided-sure").textContent = both(g.decided.sure);
    }
    $("findings").hidden = !g.findings?.length;
    $("findings-list").replaceChildren(...(g.findings ?? []).map((f) => element("li", { text: `${f.ply ? `${word("ply", { ply: f.ply })}${colon()}` : ""}${both(f)}` })));
    $("game-steps").replaceChildren();
    if (games.length > 1) {
      const button = (name, by) => element("button", { type: "button", text: word(name), disabled: games[state.game + by] ? null : "", onclick: () => open(state.game + by) });
      const place = element("span", { text: word("game-of", { n: state.game + 1, all: games.length }) });
      $("game-steps").append(button("previous-game", -1), place, button("next-game", 1));
    }
    $("foot").textContent = word("foot", { version: study.version, rules: rules.title, fingerprint: rules.fingerprint, book: g.book });
    showMoves();
    showGraph();
    for (const row of $("contents-body").children) row.removeAttribute("aria-current");
    $("contents-body").children[state.game]?.setAttribute("aria-current", "true");
  }

  function open(k, line = 0, ply = 0) {
    state.game = k;
    state.line = 0;
    state.ply = 0;
    showGame();
    go(line, ply);
    turnTo(false);
  }

  /** Show the list of games, or the game. */
  function turnTo(contents) {
    state.contents = contents && games.length > 1;
    $("contents").hidden = !state.contents;
    $("game").hidden = state.contents;
    $("contents-button").setAttribute("aria-pressed", String(state.contents));
    if (!state.contents) showHere();
  }

  function showContents() {
    $("contents-button").hidden = games.length < 2;
    if (games.length < 2) return;
    const columns = ["number", "red", "black", "result", "plies", ...(rules.explodes ? ["explosions"] : []), ...(rules.reserves ? ["drops"] : []), "decided"];
    $("contents-head").replaceChildren(element("tr", {}, ...columns.map((name) => element("th", { scope: "col", text: word(["red", "black"].includes(name) ? name : `col-${name}`) }))));
    $("contents-body").replaceChildren(
      ...games.map((g, k) => {
        const plies = g.lines[0].plies;
        const p = g.decided && plyAt(g, 0, g.decided.ply);
        const cells = {
          number: g.number,
          result: both(g.result_words),
          plies: plies.length, explosions: plies.filter((q) => q.explosion).length, drops: plies.filter((q) => !q.from).length,
          decided: g.decided ? `${p ? `${p.label} ${moveText(p)}${colon()}` : ""}${both(g.decided)}` : word("nothing-decided"),
        };
        cells.red = g.red || word("unnamed");
        cells.black = g.black || word("unnamed");
        return element("tr", {}, ...columns.map((name) => {
          const counted = ["plies", "explosions", "drops"].includes(name);
          const kinds = [["red", "black"].includes(name) && "name", (counted || name === "number") && "num", `col-${name}`];
          // The whole line leads to the game; the Tab key stops at it once.
          const link = element("a", { href: `#g${k + 1}/0`, tabindex: name === "red" ? null : "-1", text: cells[name] });
          return element("td", { class: kinds.filter(Boolean).join(" "), "data-label": counted ? word(`col-${name}`).toLowerCase() : null }, link);
        }));
      }),
    );
  }

  function showWords() {
    document.documentElement.lang = state.language === "zh" ? "zh-Hans" : "en";
    $("title").textContent = both(study.title);
    document.title = both(study.title);
    for (const node of document.querySelectorAll("[data-word]")) node.textContent = word(node.dataset.word);
    $("language").textContent = word("language");
    $("language").setAttribute("aria-label", word("language-label"));
    $("language").lang = state.language === "zh" ? "en" : "zh-Hans";
    $("theme").textContent = "◐";
    for (const id of ["first", "previous", "next", "last", "previous-mark", "next-mark", "flip", "theme", "contents-button"]) label($(id), word(id));
    label($("help-button"), word("help"));
    $("contents-button").textContent = word("games");
    label($("faces"), word(state.letters ? "faces-chinese" : "faces-letters"));
    $("faces").textContent = state.letters ? rules.pieces[0].red : rules.pieces[0].letter;
    $("slider").setAttribute("aria-label", word("slider"));
    $("controls").setAttribute("aria-label", word("controls"));
    $("moves").setAttribute("aria-label", word("moves"));
    choices($("notation"), NOTATIONS, (name) => word(name), state.notation);
    choices($("marks"), MARKS.filter((name) => (name !== "explosion" || rules.explodes) && (name !== "drop" || rules.reserves)), (name) => word(`marks-${name}`), state.marks);
    const keys = { "← →": "key-steps", "Home End": "key-ends", "N P": "key-marks", "↓ Esc": "key-variation", F: "key-flip", C: "key-faces", M: "key-notation", L: "key-language" };
    if (games.length > 1) Object.assign(keys, { "[ ]": "key-games", G: "contents-button" });
    $("keys").replaceChildren(...Object.entries(keys).flatMap(([key, name]) => [element("dt", { text: key }), element("dd", { text: word(name) })]));
    showContents();
    showGame();
    showPly(false);
  }

  function label(node, text) {
    node.setAttribute("aria-label", text);
    node.title = text;
  }

  function choices(select, names, text, chosen) {
    select.replaceChildren(...names.map((name) => element("option", { value: name, text: text(name) })));
    select.value = chosen;
  }

  function set(name, value) {
    state[name] = value;
    showWords();
  }

  const doing = {
    first: () => go(state.line, 0),
    previous: () => step(-1),
    next: () => step(1),
    last: () => go(state.line, lastPly(game(), state.line)),
    "previous-mark": () => jump(-1),
    "next-mark": () => jump(1),
    flip: () => { state.flipped = !state.flipped; showPly(false); },
    faces: () => set("letters", !state.letters),
    language: () => set("language", state.language === "en" ? "zh" : "en"),
    notation: () => set("notation", NOTATIONS[(NOTATIONS.indexOf(state.notation) + 1) % NOTATIONS.length]),
    theme: () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    },
    "help-button": () => {
      $("help").hidden = !$("help").hidden;
      $("help-button").setAttribute("aria-expanded", String(!$("help").hidden));
    },
    "contents-button": () => {
      turnTo(!state.contents);
      scrollTo(0, 0);
      if (state.contents) $("contents-body").children[state.game]?.querySelector("a:not([tabindex])")?.focus();
    },
  };
  for (const id of Object.keys(doing)) if ($(id)?.tagName === "BUTTON") $(id).addEventListener("click", doing[id]);
  $("notation").addEventListener("change", (event) => set("notation", event.target.value));
  $("marks").addEventListener("change", (event) => { state.marks = event.target.value; });
  $("slider").addEventListener("input", (event) => go(state.line, Number(event.target.value)));
  $("moves").addEventListener("click", (event) => {
    const button = event.target.closest(".move");
    if (button) go(Number(button.dataset.line), Number(button.dataset.ply), true);
  });
  $("graph").addEventListener("click", (event) => {
    const box = $("graph").getBoundingClientRect();
    go(0, Math.round(((event.clientX - box.left) / box.width) * lastPly(game(), 0)));
  });

  const KEYS = {
    ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", n: "next-mark", p: "previous-mark", f: "flip",
    g: "contents-button", c: "faces", l: "language", m: "notation", "?": "help-button",
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tag = event.target.tagName;
    if (tag === "SELECT" || tag === "TEXTAREA") return;
    if (tag === "INPUT" && ["ArrowLeft", "ArrowRight", "Home", "End", "ArrowDown"].includes(event.key)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (state.contents && !["?", "g", "c", "l", "m"].includes(key)) return;
    if (key in KEYS) doing[KEYS[key]]();
    else if (key === "Escape" && state.line) leave();
    else if (key === "ArrowDown" && event.target.id !== "moves") enter();
    else if (key === "[" && games[state.game - 1]) open(state.game - 1);
    else if (key === "]" && games[state.game + 1]) open(state.game + 1);
    else return;
    if (event.target.classList?.contains("move")) $("moves").querySelector('[tabindex="0"].move')?.focus({ preventScroll: true });
    if (!state.contents) $("board").scrollIntoView({ block: "nearest" });
    if (key !== "ArrowDown" || state.line) event.preventDefault();
  });

  let rolled = 0;
  $("board").addEventListener("wheel", (event) => {
    const ends = event.deltaY > 0 ? lastPly(game(), state.line) : 0;
    if (event.ctrlKey || state.ply === ends) return; // nothing to turn: the page scrolls
    event.preventDefault();
    rolled += event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
    if (Math.abs(rolled) < 40) return;
    step(rolled > 0 ? 1 : -1);
    rolled = 0;
  }, { passive: false });

  let touched = null;
  $("board").addEventListener("touchstart", (event) => {
    touched = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
  }, { passive: true });
  $("board").addEventListener("touchend", (event) => {
    if (!touched) return;
    const [dx, dy] = [event.changedTouches[0].clientX - touched[0], event.changedTouches[0].clientY - touched[1]];
    const box = $("board").getBoundingClientRect();
    if (Math.abs(dx) > 30 && Math.abs(dx) > 1.5 * Math.abs(dy)) step(dx < 0 ? 1 : -1);
    else if (Math.hypot(dx, dy) < 10) step(touched[0] > box.left + box.width / 2 ? 1 : -1);
    touched = null;
  });

  function fromHash() {
    const found = /^#g(\d+)(?:\/l(\d+))?\/(\d+)$/.exec(location.hash);
    if (!found || !games[found[1] - 1]) return false;
    const k = found[1] - 1;
    const line = games[k].lines[found[2] ?? 0] ? Number(found[2] ?? 0) : 0;
    open(k, line, Number(found[3]));
    return true;
  }
  addEventListener("hashchange", () => { if (fromHash()) scrollTo(0, 0); });
  $("contents-body").addEventListener("click", (event) => {
    // The link to the game at hand changes no hash.
    if (event.target.closest("a")?.hash === location.hash) turnTo(false);
  });

  // ---- print ---------------------------------------------------------------------------------------------------

  const MOST_FIGURES = 6;

  function printed(g) {
    const plies = g.lines[0].plies;
    const star = g.decided && plyAt(g, 0, g.decided.ply);
    const page = element("div", { class: "p-game" }, element("h2", {}, ...names(g)), element("p", { text: where(g).join(" · ") }));
    page.append(element("p", { class: "p-ruling", text: both(g.ruling) }));
    if (g.stopped) page.append(element("p", { text: word("stopped", { why: both(g.stopped) }) }));
    if (g.claim !== "agrees") page.append(element("p", { text: word("claimed", { claim: both(g.claim_words) }) }));
    if (star) page.append(element("p", { text: `★ ${star.label} ${moveText(star)}${colon()}${both(g.decided)}${isChinese() ? `（${both(g.decided.sure)}）` : ` (${both(g.decided.sure)})`}` }));
    const biggest = plies.filter((p) => p.explosion).sort((a, b) => b.gone.length - a.gone.length);
    const shown = [...new Set([star, plies[(g.end ?? plies.length) - 1], ...biggest])].filter(Boolean).slice(0, MOST_FIGURES);
    const figures = element("div", { class: "diagrams" });
    for (const p of shown.sort((a, b) => a.ply - b.ply)) {
      const svg = drawn("svg");
      drawBoard(svg, g, p, state.flipped);
      figures.append(element("figure", {}, svg, element("figcaption", { text: `${p.label} ${moveText(p)}${nags(p)} ${p === star ? "★" : ""}` })));
    }
    const text = element("p", { class: "text" });
    for (const said of g.comments ?? []) text.append(element("i", { text: `${said} ` }));
    const leaving = new Map(); // the lines that leave a line at a ply
    g.lines.forEach((line, k) => {
      const where = `${line.parent}/${line.from}`;
      if (k && line.plies.length) leaving.set(where, [...(leaving.get(where) ?? []), k]);
    });
    printLine(g, 0, leaving, text);
    page.append(figures, text);
    return page;
  }

  /** The moves of a line with their comments, and in brackets the lines that leave it. */
  function printLine(g, k, leaving, text) {
    const line = g.lines[k];
    let numbered = true;
    for (const said of line.comments ?? []) text.append(element("i", { text: `${said} ` }));
    for (const p of line.plies) {
      if (numbered || p.side === "red") text.append(element("span", { class: "n", text: `${p.label}\u00a0` }));
      const marks = `${p.explosion ? "✺" : ""}${k === 0 && g.decided?.ply === p.ply ? "★" : ""}`;
      text.append(element(k ? "span" : "b", { text: `${moveText(p)}${nags(p)}${marks}` }), " ");
      const comments = (p.comments ?? []).filter((said) => said !== "book");
      for (const said of comments) text.append(element("i", { text: `${said} ` }));
      const inner = leaving.get(`${k}/${p.ply}`) ?? [];
      for (const number of inner) {
        text.append("(");
        printLine(g, number, leaving, text);
        text.append(") ");
      }
      numbered = comments.length > 0 || inner.length > 0;
    }
    if (line.unread?.length) text.append(element("i", { text: `${word("unread", { moves: line.unread.join(" ") })} ` }));
  }

  addEventListener("beforeprint", () => {
    const contents = games.length > 1 ? [$("contents").querySelector("table").cloneNode(true)] : [];
    $("print").replaceChildren(element("h1", { text: both(study.title) }), ...contents, ...games.map(printed));
  });

  const lengths = document.documentElement.style;
  lengths.setProperty("--aspect", board.width / board.height);
  const above = new ResizeObserver(() => {
    lengths.setProperty("--above", `${document.querySelector("main").offsetTop}px`);
    if (!state.contents) showHere();
  });
  for (const part of [document.querySelector(".bar"), $("help")]) above.observe(part);
  addEventListener("resize", showHere);
  showWords();
  if (!fromHash()) {
    open(0);
    turnTo(true);
  }
})();
