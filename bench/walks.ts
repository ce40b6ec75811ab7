import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { logger } from "@/lib/core/logger";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { root } from "./harness/product-processes";
import { liftLimits, packUpload, publishSkill } from "./harness/publish-skill";
import type { takeExecuted } from "./harness/record-coverage";

type Boot = { workerToken: string; problems: string[] };
type Walk = {
  name: string;
  aim: number | null;
  /** Makes the body of a request before the request is traced. */
  prepare?(turn: number): ReturnType<typeof packUpload>;
  ask(
    caller: Caller,
    prepared: Awaited<ReturnType<typeof packUpload>> | undefined,
  ): Promise<{ status: number; text: string }>;
};

const PRELOAD = fileURLToPath(new URL("./harness/record-coverage.ts", import.meta.url));
/** Excludes code that a process executes only once. */
const WARM_UP = 3;
const TURNS = 7;
const REFILL_MS = 100;

/**
 * The files of which one request executes a function, from V8's precise coverage: the files that a reader opens to follow
 * it. The web part runs in this process from its sources, over real HTTP with its own database; a separate worker executes
 * the runs. The baseline is `GET /api/health`, the control a refused request.
 */
export async function benchWalks({ json }: BenchOptions): Promise<void> {
  const { takeExecuted } = await import("./harness/record-coverage");
  const folder = mkdtempSync(join(tmpdir(), "skillgate-walks-"));
  chmodSync(folder, 0o711);
  const token = `sgt_${randomBytes(32).toString("base64url")}`;
  const web = await startWeb(join(folder, "data"), token);
  const worker = await startWorker(web, join(folder, "work"));
  const caller = openCaller(web.url, token);
  const walks: Record<string, string[]> = {};
  try {
    await liftLimits(caller);
    const skill = await publishSkill(caller, "walked");
    for (const walk of walksOf(skill)) {
      walks[walk.name] = await traceRequest(walk, { caller, worker, take: takeExecuted });
      const aim = walk.aim === null ? "" : ` (aim: at most ${walk.aim})`;
      console.log(`walks: ${walk.name} ${walks[walk.name]?.length} files${aim}`);
      if (!json) console.log(`  ${walks[walk.name]?.join("\n  ")}`);
    }
    if (json) console.log(JSON.stringify({ bench: "walks", node: process.version, walks }));
  } finally {
    caller.close();
    worker.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  // Background work of the server would keep the process alive.
  process.exit();
}

function walksOf(skill: string): Walk[] {
  return [
    { name: "health (baseline)", aim: null, ask: (caller) => caller.call("GET", "/api/health") },
    {
      name: "refused (control)",
      aim: null,
      ask: (caller) => caller.call("POST", "/api/skills/none/runs", { json: { args: {} } }),
    },
    { name: "browse", aim: 40, ask: (caller) => caller.call("GET", "/api/catalog?limit=20") },
    {
      name: "import",
      aim: 60,
      prepare: (turn) => packUpload("walked_import", `${turn}`),
      ask: (caller, upload) => caller.call("POST", "/api/skills/import", upload),
    },
    {
      name: "run",
      aim: 90,
      ask: (caller) => caller.call("POST", `/api/skills/${skill}/runs?wait=30`, { json: { args: { text: "hello" } } }),
    },
  ];
}

type Traced = { caller: Caller; worker: ChildProcess; take: typeof takeExecuted };

/** The files that most of several equal requests execute, so that work in the background does not count. */
async function traceRequest(walk: Walk, traced: Traced): Promise<string[]> {
  for (let turn = 0; turn < WARM_UP; turn += 1) await walk.ask(traced.caller, await walk.prepare?.(turn));
  const times = new Map<string, number>();
  for (let turn = WARM_UP; turn < WARM_UP + TURNS; turn += 1)
    for (const file of await traceOnce(walk, traced, turn)) times.set(file, (times.get(file) ?? 0) + 1);
  return [...times].flatMap(([file, count]) => (count > TURNS / 2 ? [file] : [])).sort();
}

async function traceOnce({ name, prepare, ask }: Walk, { caller, worker, take }: Traced, turn: number) {
  const prepared = await prepare?.(turn);
  await take();
  await takeWorkerFiles(worker);
  const { status, text } = await ask(caller, prepared);
  if (status >= 400 && !name.includes("control")) throw new Error(`${name} answered ${status}: ${text.slice(0, 300)}`);
  // A worker prepares the next start after the answer.
  if (name === "run") await delay(REFILL_MS);
  const own = new Set([...(await take()), ...(name === "run" ? await takeWorkerFiles(worker) : [])]);
  return [...own]
    .filter((url) => url.startsWith("file:"))
    .map((url) => relative(root, fileURLToPath(url)))
    .filter((file) => /^(app|lib|proxy|instrumentation)/.test(file) && !file.includes("/generated/"));
}

function takeWorkerFiles(worker: ChildProcess): Promise<string[]> {
  return new Promise((resolve) => {
    const listen = (message: { type: string; files: string[] }) => {
      if (message.type !== "executed") return;
      worker.off("message", listen);
      resolve(message.files);
    };
    worker.on("message", listen);
    worker.send({ type: "take-executed" });
  });
}

async function startWeb(data: string, token: string): Promise<{ url: string; boot: Boot }> {
  Object.assign(process.env, {
    NODE_ENV: "production",
    SKILLGATE_DATA: data,
    SKILLGATE_LOG_LEVEL: "error",
    SKILLGATE_ADMIN_EMAIL: "bench@example.test",
    SKILLGATE_ADMIN_PASSWORD: randomBytes(12).toString("hex"),
    SKILLGATE_ADMIN_TOKEN: token,
  });
  logger.level = "error";
  const { bootServer } = await import("@/lib/http/boot/boot-server");
  const { openRouter } = await import("@/lib/http/router/open-router");
  const { ADDRESSES } = await import("@/app/api/generated/addresses");
  const { ROUTES } = await import("@/app/api/generated/routes");
  const booted = new Promise<Boot>((resolve) => {
    globalThis.__skillgateOnBoot = resolve;
  });
  await bootServer();
  const boot = await booted;
  if (boot.problems.length > 0) throw new Error(boot.problems.join("\n"));
  const router = openRouter(ADDRESSES, ROUTES);
  const server = createServer((request, response) => {
    const found = router.find(request.url ?? "/");
    router.observe(request, response, found.name);
    if (!router.answer(request, response, found)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, boot };
}

async function startWorker({ url, boot }: { url: string; boot: Boot }, workDir: string): Promise<ChildProcess> {
  const worker = fork(join(root, "lib/worker/main.ts"), ["--url", url, "--name", "walks", "--work-dir", workDir], {
    cwd: root,
    env: { ...process.env, SKILLGATE_WORKER_TOKEN: boot.workerToken },
    execArgv: ["--import", "tsx", "--import", PRELOAD],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    worker.on("message", (message: { type: string }) => message.type === "ready" && resolve());
    worker.once("exit", (code) => reject(new Error(`the worker ended with ${code}`)));
  });
  return worker;
}
