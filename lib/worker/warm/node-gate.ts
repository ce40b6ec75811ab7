/** Where a waiting sandbox shows NODE_GATE. */
export const NODE_GATE_PATH = "/skillgate/gate.cjs";

/**
 * What node preloads with `--require`, and waits in before it opens the entry, which it then starts by itself as it
 * always does. It takes itself out of what the entry can see. Threads of the entry preload it
 * again, and do not wait.
 * It ends unreleased when the descriptor is closed.
 */
export const NODE_GATE = `"use strict";
if (require("node:worker_threads").isMainThread) {
  const fs = require("node:fs");
  fs.writeSync(4, "\\n");
  if (fs.readSync(5, Buffer.alloc(1), 0, 1, null) === 0) process.reallyExit(1);
  fs.closeSync(4);
  fs.closeSync(5);
}
if (process.execArgv.at(-1) === __filename) process.execArgv.splice(-2);
if (Array.isArray(process._preload_modules)) process._preload_modules.length = 0;
delete require.cache[__filename];
`;
