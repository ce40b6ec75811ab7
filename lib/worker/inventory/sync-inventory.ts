import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sha256Hex } from "@/lib/core/hash";
import { createBackOff, type Server, ServerError } from "../connect-server";
import type { Worker } from "../worker";
import type { FolderReader } from "./folder-reader";
import { type FolderCache, type SkillScan, scanSkills } from "./scan-skills";

const MAX_ROUNDS = 5;

export type SayLine = (level: "info" | "warn", text: string) => void;

/** Changes within this time are reported together. */
const SETTLE_MS = 300;

const RESCAN_MS = 60_000;

type Sources = {
  skillDirs: string[];
  builtinsDir: string | null;
  openReader: () => FolderReader;
  say: SayLine;
  rescanMs?: number;
};

/**
 * Reports this worker's skills to the server: now, when a file in its directories changes, when an admin asks, and after a
 * periodic scan each minute. Returns when the signal is aborted; throws ServerError when the token is refused.
 */
export async function syncInventory(worker: Worker, sources: Sources, signal: AbortSignal): Promise<void> {
  const cache: FolderCache = new Map();
  const dirs = [
    ...(sources.builtinsDir === null ? [] : [{ kind: "builtin" as const, path: sources.builtinsDir }]),
    ...sources.skillDirs.map((path) => ({ kind: "directory" as const, path })),
  ];
  const { rescan } = worker;
  watchDirs(sources.skillDirs.filter(isAbsolute), rescan.wake.notify, signal);
  signal.addEventListener("abort", rescan.wake.notify, { once: true });
  const backOff = createBackOff();
  let toldLines = "";
  let published: string | null = null;
  while (!signal.aborted) {
    const isAsked = rescan.isAsked;
    rescan.isAsked = false;
    const scan = await scanSkills(dirs, sources.openReader, cache);
    const lines = JSON.stringify(scan.lines);
    if (isAsked || lines !== toldLines) for (const { level, text } of scan.lines) sources.say(level, text);
    toldLines = lines;
    const inventory = JSON.stringify([scan.items, scan.problems]);
    if (isAsked || inventory !== published) {
      try {
        const isComplete = await publishInventory(worker.server, { scan, say: sources.say }, signal);
        published = isComplete ? inventory : null;
        backOff.reset();
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ServerError) || error.isUnauthorized) throw error;
        rescan.isAsked ||= isAsked;
        worker.log.warn({ cause: error.message }, "skill loader: the inventory was not delivered, trying again");
        await delay(backOff.nextMs(), undefined, { signal }).catch(() => {
          // Aborted: the loop ends.
        });
        continue;
      }
    }
    await rescan.wake.wait(published === null ? backOff.nextMs() : (sources.rescanMs ?? RESCAN_MS));
  }
}

/** Calls `onChange` when a file below one of the directories changes; the caller also scans those that cannot be watched. */
function watchDirs(dirs: string[], onChange: () => void, signal: AbortSignal): void {
  let timer: NodeJS.Timeout | null = null;
  const settle = () => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
    timer.unref();
  };
  for (const dir of dirs) {
    try {
      const watcher = watch(dir, { recursive: true, persistent: false }, settle);
      watcher.on("error", () => watcher.close());
      signal.addEventListener("abort", () => watcher.close(), { once: true });
    } catch {
      // The periodic scan covers it.
    }
  }
}

/** Sends the inventory and missing files. Returns false when a file changed meanwhile. Throws ServerError. */
async function publishInventory(
  server: Server,
  { scan, say }: { scan: SkillScan; say: SayLine },
  signal: AbortSignal,
): Promise<boolean> {
  const { items, problems, sources } = scan;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const answer = await server.sendInventory({ items, problems }, signal);
    if (answer.need.length === 0) {
      for (const { message } of answer.problems) say("warn", `skill loader: ${message}`);
      return true;
    }
    for (const sha256 of answer.need) {
      const source = sources.get(sha256);
      const bytes = source === undefined ? null : await readFile(source).catch(() => null);
      if (bytes === null || sha256Hex(bytes) !== sha256) return false;
      await server.sendBlob(sha256, bytes, signal);
    }
  }
  return false;
}
