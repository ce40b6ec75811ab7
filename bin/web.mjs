import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { root } from "./root.mjs";
import { drain, findFreePort, listenAddress, localUrl } from "./serve/listener.mjs";
import { refuseMalformed } from "./serve/refuse-malformed.mjs";
import { fatalExitCode } from "./serve/run-services.mjs";

const stopGraceMs = 3_500;
// Without a launcher another one may soon start on the same data, so stop quickly.
const orphanGraceMs = 400;
const orphanLimitMs = 900;
const nextCloseLimitMs = 300;
const bootLimitMs = 60_000;

const dev = process.argv.includes("--dev");
const { host, problems, ...wanted } = listenAddress(process.env);
const port = wanted.port || (await findFreePort(host));
const workerUrl = localUrl(host, port);
// A body may take half an hour if it keeps the minimum rate (lib/http/observe/observe-request.ts); a head may not.
const server = createServer({
  headersTimeout: 30_000,
  requestTimeout: 30 * 60_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
});
let app = null;
let stopping = null;
let drainingSince = null;

process.title = "skillgate-web";
process.on("SIGTERM", () => stop(stopGraceMs));
process.on("SIGINT", () => stop(stopGraceMs));
process.on("message", (message) => {
  if (message?.type === "stop") void stop(stopGraceMs);
  if (message?.type === "draining") announceDraining();
});
process.on("disconnect", () => {
  setTimeout(() => process.exit(1), orphanLimitMs).unref();
  void stop(orphanGraceMs);
});

setEnvironment();
const { default: next } = await import("next");
const booted = new Promise((resolve) => {
  globalThis.__skillgateOnBoot = resolve;
});
app = next({ dev, dir: root, hostname: host, port, httpServer: server });
// The development server compiles and runs the same start-up code itself (instrumentation.ts), without waiting for it.
const built = new URL("../.build/server/main.mjs", import.meta.url).href;
await Promise.all([app.prepare(), dev || import(built).then(({ start }) => start())]);

const boot = await Promise.race([booted, delay(bootLimitMs, null, { ref: false })]);
const allProblems = boot?.problems?.length ? boot.problems : problems;
if (allProblems.length > 0) {
  const exitCode = boot?.canRetry ? 1 : fatalExitCode;
  await refuse(["Skillgate cannot start:", ...allProblems.map((problem) => `  ${problem}`)], exitCode);
}
// Next logs errors of the start-up code and continues; a server without its database must not listen.
if (!boot) await refuse(["Skillgate cannot start: its start-up code failed."], 1);

const handle = app.getRequestHandler();
server.on("request", (request, response) => {
  // The only trustworthy source of the client's address; replaces any value of the client.
  request.headers["x-skillgate-remote-address"] = request.socket.remoteAddress ?? "";
  const router = globalThis.__skillgateRouter;
  const found = router.find(request.url ?? "/");
  router.observe(request, response, found.name);
  if (refuseMalformed(request, response)) return;
  if (router.answer(request, response, found)) return;
  handle(request, response);
});
// The framework leaves some upgrades unanswered; this server supports no other protocol.
if (!dev) server.on("upgrade", (_request, socket) => socket.destroy());
server.once("error", refuseToListen);
server.listen(port, host, announce);

/** Next and next-auth read these at load time. */
function setEnvironment() {
  process.env.NODE_ENV = dev ? "development" : "production";
  process.env.NEXT_TELEMETRY_DISABLED ??= "1";
  if (problems.length === 0) process.env.PORT = String(port);
  process.env.NEXTAUTH_URL ||= URL.canParse(process.env.PUBLIC_URL ?? "") ? process.env.PUBLIC_URL : workerUrl;
}

function announce() {
  const url = (process.env.PUBLIC_URL || workerUrl).replace(/\/+$/, "");
  const setupUrl = boot.setupUrl && new URL(boot.setupUrl, `${url}/`).href;
  process.send?.({ type: "ready", url, setupUrl, workerUrl, workerToken: boot.workerToken, port });
}

function refuseToListen(error) {
  const explanations = {
    EADDRINUSE: `Port ${port} on ${host} is already in use. Stop what listens there, or choose another with PORT=….`,
    EACCES: `Listening on port ${port} is not allowed for this user. Choose a port above 1023 with PORT=….`,
    EADDRNOTAVAIL: `HOST=${host} is not an address of this machine.`,
    ENOTFOUND: `HOST=${host} is not a known name.`,
  };
  void refuse([explanations[error.code] ?? `Skillgate cannot listen on ${host}:${port}: ${error.message}`]);
}

async function refuse(lines, exitCode = fatalExitCode) {
  for (const line of lines) console.error(line);
  await close().catch(() => {});
  process.exit(exitCode);
}

function stop(graceMs) {
  stopping ??= finish(graceMs).catch((error) => {
    console.error("Stopping failed:", error);
    process.exit(1);
  });
  return stopping;
}

/** `/api/ready` answers 503 from now on; other requests are answered. */
function announceDraining() {
  if (drainingSince !== null) return;
  drainingSince = performance.now();
  process.emit("skillgate:draining");
}

async function finish(graceMs) {
  announceDraining();
  const drainMs = graceMs === orphanGraceMs ? 0 : Number(process.env.SKILLGATE_DRAIN_SECONDS || 0) * 1_000;
  await delay(Math.max(0, drainMs - (performance.now() - drainingSince)));
  // Ends event streams, which would stay open.
  process.emit("skillgate:stopping");
  await drain(server, graceMs);
  await close();
  process.exit(0);
}

async function close() {
  await Promise.race([app?.close(), delay(nextCloseLimitMs, undefined, { ref: false })]);
  await globalThis.__skillgateShutdown?.();
}
