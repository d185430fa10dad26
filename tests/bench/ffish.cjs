// Annotates games with npm's ffish: node ffish.cjs FOLDER_OF_NODE_MODULES GAMES.json
// GAMES.json holds [[fen or "", [moves]], ...]; prints one line of JSON.
const { createRequire } = require('module');
const fs = require('fs');
const [folder, file] = process.argv.slice(2);
const games = JSON.parse(fs.readFileSync(file));
const { fetch } = globalThis;
delete globalThis.fetch; // the loader reads its .wasm from disk only where there is no fetch
const ffish = createRequire(folder + '/x.js')('ffish');
globalThis.fetch = fetch;

function annotate(games) {
  const total = { plies: 0, checks: 0, replies: 0 };
  for (const [fen, moves] of games) {
    const board = fen ? new ffish.Board('xiangqi', fen) : new ffish.Board('xiangqi');
    let legal = board.legalMoves().split(' ');
    for (const move of moves) {
      if (!legal.includes(move) || !board.push(move)) throw new Error('illegal ' + move);
      board.fen();
      if (board.isCheck()) total.checks++;
      const text = board.legalMoves();
      legal = text ? text.split(' ') : [];
      board.isGameOver(true);
      total.plies++;
      total.replies += legal.length;
    }
    board.delete();
  }
  return total;
}

function run() {
  annotate(games.slice(0, 20)); // warm-up
  const cpu = process.cpuUsage(), start = performance.now();
  const total = annotate(games);
  const spent = process.cpuUsage(cpu);
  total.wall = (performance.now() - start) / 1000;
  total.cpu = (spent.user + spent.system) / 1e6;
  console.log(JSON.stringify(total));
}

if (ffish.Board) run();
else ffish.onRuntimeInitialized = run;
