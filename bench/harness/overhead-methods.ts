import { deepStrictEqual } from "node:assert";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ARGS_VARIABLE, type Pack, placePack } from "./bench-packs";
import { openCaller } from "./call-api";
import { addBlock, type Block, createSeries, type Series } from "./measure";
import { cpuMsOf } from "./product-processes";
import { must, publishSkill } from "./publish-skill";
import { type Caller, prepareBwrap, type SpawnInBwrap, spawnDirectly, startCaller } from "./start-caller";
import { findProgram, freePort, type Peer, startCgi, startParts } from "./start-peer";
import { type Product, startProduct } from "./start-product";

const ARGS = { text: "The same few words for every run." };
/** Attempts until a run finds a prewarmed process; the worker is allowed to prewarm with its next exchange. */
const WARM_TRIES = 200;

/**
 * `spawn` and `bwrap` start the executable directly. Cold, warm and without are the product with all it does: access,
 * policy, audit, a durable database. The rest are other servers that start a process for each request, without any of that.
 */
export const METHODS = ["spawn", "bwrap", "cold", "warm", "without", "cgi", "webhook", "nodeRed"] as const;
export type Method = (typeof METHODS)[number];

export type MethodRunner = {
  block(block: Block): Promise<Series>;
  /** CPU time so far of the server and of the worker, in ms, without the runs themselves. */
  cpuMs?: () => { web: number; worker: number } | null;
  warmCalls?: () => number;
  close(): void;
};

/** The started servers. `missing` says why a method is not available. */
export type Testbed = {
  folder: string;
  caller: Caller;
  bwrap: SpawnInBwrap | null;
  products: { cold: Product | null; warm: Product | null; without: Product };
  peers: { cgi: Peer | null; webhook: Peer | null; nodeRed: Peer | null };
  missing: Partial<Record<Method, string>>;
};

/** Starts the servers one after the other; `started` lists them even when a later one fails. */
export async function startTestbed(packs: Pack[], started: { stop(): Promise<void> }[]): Promise<Testbed> {
  const missing: Testbed["missing"] = {};
  const keep = <T extends { stop(): Promise<void> }>(server: T): T => {
    started.push(server);
    return server;
  };
  const caller = keep(startCaller());
  const bwrap = await prepareBwrap(caller);
  if (!bwrap) for (const method of ["bwrap", "cold", "warm"] as const) missing[method] = "no bubblewrap";
  const without = keep(await startProduct({ sandbox: "off" }));
  const cold = bwrap && keep(await startProduct());
  const warm = cold?.hasWarmStarts ? keep(await startProduct({ warmStarts: true })) : null;
  if (cold && !warm) missing.warm = "not supported";
  const peer = async (method: Method, start: (folder: string, packs: Pack[]) => Promise<Peer | null>) => {
    try {
      const found = await start(without.folder, packs);
      if (!found) missing[method] = "not installed";
      return found && keep(found);
    } catch (error) {
      missing[method] = `did not start: ${error instanceof Error ? error.message : String(error)}`;
      return null;
    }
  };
  const peers = {
    cgi: await peer("cgi", startCgi),
    webhook: await peer("webhook", startWebhook),
    nodeRed: await peer("nodeRed", startNodeRed),
  };
  return { folder: without.folder, caller, bwrap, products: { cold, warm, without }, peers, missing };
}

export async function openRunner(
  { folder, caller, bwrap, products, peers }: Testbed,
  method: Method,
  pack: Pack,
): Promise<MethodRunner | null> {
  switch (method) {
    case "spawn": {
      const executable = placePack(join(folder, "direct"), pack, "stdin");
      return { block: (block) => caller.block(spawnDirectly(executable), ARGS, block), close: () => {} };
    }
    case "bwrap": {
      const executable = placePack(join(folder, "direct"), pack, "stdin");
      return bwrap && { block: (block) => caller.block(bwrap(executable), ARGS, block), close: () => {} };
    }
    case "cold":
    case "warm":
    case "without": {
      const product = products[method];
      return product && openProduct(product, pack, method);
    }
    default: {
      const peer = peers[method];
      return peer && openPeer(peer.url(pack.name));
    }
  }
}

function inBlocks(call: () => Promise<void>): MethodRunner["block"] {
  return async (block) => {
    const series = createSeries();
    await addBlock(series, block, call);
    return series;
  };
}

function openPeer(url: string): MethodRunner {
  const { origin, pathname } = new URL(url);
  const caller = openCaller(origin, null);
  const call = async () => deepStrictEqual(await must(caller, "POST", pathname, ARGS), ARGS);
  return { block: inBlocks(call), close: caller.close };
}

type Ended = { state: string; result: unknown; error: unknown; isolation: string; warm?: boolean | null };

async function openProduct(product: Product, pack: Pack, method: "cold" | "warm" | "without"): Promise<MethodRunner> {
  const caller = openCaller(product.url, product.token);
  const id = await publishSkill(caller, `bench_${pack.name}`, pack.scripts.stdin);
  let warmCalls = 0;
  const call = async () => {
    const run = await must<Ended>(caller, "POST", `/api/skills/${id}/runs`, { args: ARGS, wait: 30 });
    const { state, error, result } = run;
    deepStrictEqual({ state, error, result }, { state: "succeeded", error: null, result: ARGS });
    if (method !== "without" && run.isolation !== "sandbox") throw new Error(`a run was isolated by: ${run.isolation}`);
    if (run.warm) warmCalls += 1;
  };
  for (let tries = 0; method === "warm" && warmCalls === 0; tries += 1) {
    if (tries === WARM_TRIES) throw new Error("no run found a process waiting");
    await call();
  }
  const { web, worker } = product.pids;
  return {
    block: inBlocks(call),
    cpuMs: () => {
      const [ofWeb, ofWorker] = [cpuMsOf(web), cpuMsOf(worker)];
      return ofWeb === null || ofWorker === null ? null : { web: ofWeb, worker: ofWorker };
    },
    warmCalls: () => warmCalls,
    close: caller.close,
  };
}

/** https://github.com/adnanh/webhook: a program for each hook, with its output in the answer. */
async function startWebhook(folder: string, packs: Pack[]): Promise<Peer | null> {
  const program = findProgram("webhook");
  if (!program) return null;
  const home = join(folder, "webhook");
  mkdirSync(home, { recursive: true });
  const hooks = packs.map((pack) => {
    const executable = placePack(join(home, "packs"), pack, "variable");
    return {
      id: pack.name,
      "execute-command": executable.file,
      "command-working-directory": executable.folder,
      "include-command-output-in-response": true,
      "pass-environment-to-command": [{ source: "entire-payload", envname: ARGS_VARIABLE }],
    };
  });
  const file = join(home, "hooks.json");
  writeFileSync(file, JSON.stringify(hooks));
  const port = await freePort();
  const args = ["-ip", "127.0.0.1", "-port", String(port), "-hooks", file];
  const stop = await startParts([{ program, args, home }], port);
  return { url: (pack) => `http://127.0.0.1:${port}/hooks/${pack}`, stop };
}

/** Node-RED with its exec node between an HTTP request and its answer; from PATH, or installed in `NODE_RED_DIR`. */
async function startNodeRed(folder: string, packs: Pack[]): Promise<Peer | null> {
  const installed = join(process.env.NODE_RED_DIR ?? "", "node_modules", "node-red", "red.js");
  const program = process.env.NODE_RED_DIR ? existsSync(installed) && process.execPath : findProgram("node-red");
  if (!program) return null;
  const home = join(folder, "node-red");
  mkdirSync(home, { recursive: true });
  const port = await freePort();
  const settings = join(home, "settings.js");
  const quiet = { console: { level: "fatal", metrics: false, audit: false } };
  const values = { uiHost: "127.0.0.1", uiPort: port, httpAdminRoot: false, credentialSecret: false, logging: quiet };
  writeFileSync(settings, `module.exports = ${JSON.stringify({ ...values, telemetry: { enabled: false } })};\n`);
  const flows = join(home, "flows.json");
  writeFileSync(flows, JSON.stringify(packs.flatMap((pack) => flowOf(home, pack))));
  const options = ["--userDir", home, "--settings", settings, flows];
  const args = process.env.NODE_RED_DIR ? [installed, ...options] : options;
  const stop = await startParts([{ program, args, home }], port);
  return { url: (pack) => `http://127.0.0.1:${port}/${pack}`, stop };
}

/** Its exec node passes its input to a shell, so the arguments are quoted; those of the bench contain no quotes. */
function flowOf(home: string, pack: Pack) {
  const { file } = placePack(join(home, "packs"), pack, "argument");
  const id = (part: string) => `${pack.name}-${part}`;
  const quote = 'msg.payload = "\'" + JSON.stringify(msg.payload) + "\'"; return msg;';
  return [
    { id: id("tab"), type: "tab", label: pack.name },
    { id: id("in"), z: id("tab"), type: "http in", url: `/${pack.name}`, method: "post", wires: [[id("quote")]] },
    { id: id("quote"), z: id("tab"), type: "function", func: quote, outputs: 1, wires: [[id("exec")]] },
    {
      ...{ id: id("exec"), z: id("tab"), type: "exec", command: file, addpay: "payload", append: "" },
      ...{ useSpawn: "false", timer: "", oldrc: false, wires: [[id("out")], [], []] },
    },
    { id: id("out"), z: id("tab"), type: "http response", statusCode: "200", headers: {}, wires: [] },
  ];
}
