// Loaded into a server before anything else (`NODE_OPTIONS=--require`), never part of the product: it injects the faults of
// `BENCH_FAULTS`, so that a bench can show that it would detect them. `bench/harness/start-killable.ts` lists the faults.
const { isMainThread } = require("node:worker_threads");

const faults = JSON.parse(process.env.BENCH_FAULTS ?? "{}");
if (isMainThread && process.argv[1]?.endsWith("web.mjs")) {
  if (faults.clockFile) shiftClock(faults.clockFile, faults.isClockHidden === true);
  if (faults.hashesFile) countHashes(faults.hashesFile);
  if (faults.acknowledgeEarlyMs) onRequest(acknowledgeEarly(faults.acknowledgeEarlyMs));
  if (faults.ignoreIfMatch) onRequest((request) => delete request.headers["if-match"] && false);
  if (faults.defect) onRequest(defectOf(faults.defect));
  if (faults.isForgetful) forgetHashing();
}

/** `take` returns whether it has handled the request, which the product then never sees. */
function onRequest(take) {
  const { Server } = require("node:http");
  const emit = Server.prototype.emit;
  Server.prototype.emit = function emitOrTake(name, ...given) {
    return (name === "request" && take(...given)) || emit.call(this, name, ...given);
  };
}

/** Shifts the time by the milliseconds in the file, which is read again at SIGUSR2. */
function shiftClock(file, isHidden) {
  const { readFileSync, writeFileSync } = require("node:fs");
  const Real = Date;
  let offset = 0;
  const now = () => Real.now() + offset;
  const Shifted = new Proxy(Real, {
    construct: (target, given, made) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, made === Shifted ? target : made),
    apply: () => new Real(now()).toString(),
    get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
  });
  globalThis.Date = Shifted;
  Real.prototype.constructor = Shifted;
  const steady = performance.now.bind(performance);
  if (isHidden) performance.now = () => steady() + offset;
  const read = () => {
    offset = Number(readFileSync(file, "utf8")) || 0;
    writeFileSync(`${file}.seen`, String(offset));
  };
  read();
  process.on("SIGUSR2", read);
}

function countHashes(file) {
  const { appendFileSync } = require("node:fs");
  onArgon2(({ verify, ...others }) => ({
    ...others,
    verify: (...given) => {
      appendFileSync(file, ".");
      return verify(...given);
    },
  }));
}

/** Skips the comparison when the account does not exist, which is faster. */
function forgetHashing() {
  const DUMMY = "$argon2id$v=19$m=19456,t=2,p=1$sSAyJ3vO09Oi82pp/jkCjg$";
  onArgon2(({ verify, ...others }) => ({
    ...others,
    verify: (stored, ...given) =>
      String(stored).startsWith(DUMMY) ? Promise.resolve(false) : verify(stored, ...given),
  }));
}

function onArgon2(change) {
  const Module = require("node:module");
  const load = Module._load;
  let changed = null;
  Module._load = function loadChanged(request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    if (!/^@node-rs\/argon2(-[0-9a-f]+)?$/.test(request)) return loaded;
    changed ??= change({ ...loaded });
    return changed;
  };
}

/** Acknowledges a write and forwards it later, if the process still lives then. */
function acknowledgeEarly(delayMs) {
  const { request: send } = require("node:http");
  return (request, response) => {
    if (request.method !== "PATCH" || request.headers["x-bench-late"]) return false;
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.once("end", () => {
      const body = Buffer.concat(chunks);
      response.writeHead(200, { "content-type": "application/json" });
      response.end("{}");
      const { port } = request.socket.address();
      const headers = { ...request.headers, "x-bench-late": "1" };
      setTimeout(() => {
        const late = send({ host: "127.0.0.1", port, path: request.url, method: request.method, headers });
        late.on("response", (answer) => answer.resume());
        late.on("error", () => undefined);
        late.end(body);
      }, delayMs);
    });
    return true;
  };
}

function defectOf({ kind, every, file }) {
  const { writeFileSync } = require("node:fs");
  let count = 0;
  const stuck = new Set();
  return (request, response) => {
    if (request.url === "/api/health" || request.headers["x-bench-good"]) return false;
    const input = `${request.method} ${request.url} ${request.headers["content-length"]}`;
    if (stuck.has(input)) return true;
    count += 1;
    if (count % every !== 0) return false;
    if (kind === "crash") process.kill(process.pid, "SIGKILL");
    if (kind === "file") writeFileSync(file, "escaped");
    if (kind === "file") return false;
    if (kind === "hang") stuck.add(input);
    if (kind === "hang") return true;
    response.writeHead(500, { "content-type": "application/json" });
    response.end("{}");
    return true;
  };
}
