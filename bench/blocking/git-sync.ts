import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Transfer } from "@/e2e/fixtures/git-server/start-git-server";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { round } from "../harness/measure";
import { must } from "../harness/publish-skill";
import type { BlockingCase, Instance } from "./instance";

const SKILLS = 20_000;
const FEW_SKILLS = 500;
const MAX_RATIO = 2;
const SETTLE_MS = 15_000;
const MAX_CHANGE_SECONDS = 5;

type Host = { url: string; files: number };

let host: Host = { url: "", files: 0 };
let sourceId = "";
let skills = 0;
let ask: (order: "counts" | "change") => Promise<Transfer> = () => Promise.reject(new Error("no git host was started"));

/**
 * A source of 20,000 skills by plain git, from git's http-backend in a process of its own: the first sync against a bare shallow clone of
 * the same run, a sync without changes, and one after a change of one file.
 */
export const gitSyncCase: BlockingCase = {
  name: "git-sync",
  environment: async ({ quick }) => {
    skills = quick ? FEW_SKILLS : SKILLS;
    const child = fork(join(import.meta.dirname, "..", "git-host.ts"), [String(skills)], {
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`The git host ended with exit code ${code}.`);
    });
    const nextMessage = async <T>() => (await Promise.race([once(child, "message"), ended]))[0] as T;
    host = await nextMessage<Host>();
    ask = (order) => {
      const answer = nextMessage<Transfer>();
      child.send(order);
      return answer;
    };
    return {
      env: { SKILLGATE_OUTGOING_RANGES: "127.0.0.1" },
      stop: async () => {
        ended.catch(() => {});
        child.disconnect();
      },
    };
  },
  prepare: async ({ caller }) => {
    const { id } = await must<CatalogSource>(caller, "POST", "/api/admin/catalog-sources", {
      label: "Many skills by git",
      repoUrl: host.url,
      intervalMinutes: 10_080,
    });
    sourceId = id;
  },
  run: async (instance) => {
    const clone = await bare([
      "clone",
      "--quiet",
      "--bare",
      "--depth",
      "1",
      host.url,
      join(instance.folder, "clone.git"),
    ]);
    const listing = await bare(["ls-remote", "--quiet", host.url]);
    const first = await sync(instance);
    if (first.source.counts.entries !== skills)
      throw new Error(`the sync found ${first.source.counts.entries} of ${skills} skills`);
    const unchanged = await sync(instance);
    // What follows a first sync, such as finding near copies, ends meanwhile.
    await delay(SETTLE_MS);
    await ask("change");
    const changed = await sync(instance);
    const ratio = first.transfer.ms / clone.ms;
    const readingMs = first.seconds * 1000 - first.transfer.ms;
    const isMet =
      ratio <= MAX_RATIO && unchanged.transfer.requests <= listing.requests && changed.seconds <= MAX_CHANGE_SECONDS;
    if (!isMet) process.exitCode = 1;
    return [
      `${skills} skills in ${host.files} files: first sync ${round(first.seconds)} s, transfer ${inWords(first.transfer)} against ${inWords(clone)} of a bare clone of depth 1, ratio of times ${round(ratio)}, of bytes ${round(first.transfer.bytes / clone.bytes)} (aim ${MAX_RATIO})`,
      `reading and indexing ${round(readingMs / host.files)} ms a file`,
      `unchanged ${unchanged.transfer.requests} requests in ${round(unchanged.seconds)} s (a bare ls-remote ${listing.requests})`,
      `one changed file ${round(changed.seconds)} s, ${inWords(changed.transfer)} (aim ${MAX_CHANGE_SECONDS} s)`,
      isMet ? "met" : "not met",
    ].join("; ");
  },
};

/** Beside the server, so that both are slowed by the same machine. */
async function bare(args: string[]): Promise<Transfer> {
  await ask("counts");
  await promisify(execFile)("git", args);
  return ask("counts");
}

async function sync({ caller }: Instance) {
  await ask("counts");
  const startedAt = performance.now();
  await must(caller, "POST", `/api/admin/catalog-sources/${sourceId}/sync`);
  for (;;) {
    const source = await must<CatalogSource>(caller, "GET", `/api/admin/catalog-sources/${sourceId}`);
    if (source.state === "failed") throw new Error(`the sync failed: ${source.error}`);
    if (source.state === "idle") {
      return { source, seconds: (performance.now() - startedAt) / 1000, transfer: await ask("counts") };
    }
    await delay(100);
  }
}

function inWords({ bytes, ms, requests }: Transfer): string {
  return `${round(bytes / 1024 / 1024)} MiB in ${round(ms / 1000)} s and ${requests} requests`;
}
