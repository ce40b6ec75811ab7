import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { createSource } from "@/lib/catalog/sources/create-source";
import { getSource } from "@/lib/catalog/sources/get-source";
import { syncSource } from "@/lib/catalog/sources/sync-source";
import { createSyncRunner } from "@/lib/catalog/sync/sync-runner";
import type { Ctx } from "@/lib/db/context";
import { cloneAndRead } from "./clone-and-read";

export type SyncTimes = { skills: number; syncMs: number[]; cloneMs: number[]; apiRequests: number; rawReads: number };

type Served = { apiUrl: string; rawUrl: string; folders: string[] };
export type FakeGitHubProcess = Served & { stop(): void };

/** Generated repositories behind a fake GitHub in a process of its own, so that serving them costs us no time. */
export async function serveRepositories(repositories: number, skills: number): Promise<FakeGitHubProcess> {
  const file = join(import.meta.dirname, "..", "fake-github.ts");
  const child = fork(file, [String(repositories), String(skills)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const served = await firstMessage<Served>(child);
  return { ...served, stop: () => child.disconnect() };
}

/** Adds each repository as a source, syncs it cold, and clones it beside that, in turns. */
export async function fillCatalog(
  ctx: Ctx,
  system: Ctx,
  served: FakeGitHubProcess,
  skills: number,
): Promise<SyncTimes> {
  const runner = createSyncRunner();
  const times: SyncTimes = { skills, syncMs: [], cloneMs: [], apiRequests: 0, rawReads: 0 };
  for (const [number, folder] of served.folders.entries()) {
    const { id } = await createSource(ctx, {
      label: `Repository ${number}`,
      repoUrl: `https://github.com/bench/skills-${number}`,
      enabled: true,
      intervalMinutes: 10_080,
      sync: false,
    });
    await syncSource(ctx, id);
    const start = performance.now();
    await runner.start(system);
    await runner.idle();
    times.syncMs.push(performance.now() - start);
    const source = await getSource(ctx, id);
    if (source.error !== null || source.counts.entries !== skills) {
      throw new Error(
        `the sync of ${source.label} found ${source.counts.entries} of ${skills} skills: ${source.error}`,
      );
    }
    times.apiRequests += source.requests;
    times.rawReads += source.rawReads;
    times.cloneMs.push(cloneAndRead(folder));
  }
  await runner.stop();
  return times;
}

function firstMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as T));
    child.once("exit", (code) => reject(new Error(`The fake GitHub ended with exit code ${code}.`)));
  });
}
