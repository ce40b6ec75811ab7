import { fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { must } from "../harness/publish-skill";
import type { BlockingCase, Instance } from "./instance";

const SKILLS = 18_000;
const FEW_SKILLS = 500;

type Served = { apiUrl: string; rawUrl: string };
type Counts = { api: number; raw: number };

let sourceId = "";
let skills = 0;
let readCounts: () => Promise<Counts> = () => Promise.reject(new Error("the fake GitHub was not started"));

/** The first sync of a source with 18,000 skills, from a fake GitHub in a process of its own, and the first list after it. */
export const syncCase: BlockingCase = {
  name: "sync",
  environment: async ({ quick }) => {
    skills = quick ? FEW_SKILLS : SKILLS;
    const child = fork(join(import.meta.dirname, "..", "fake-github.ts"), ["1", String(skills)], {
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const nextMessage = <T>() =>
      new Promise<T>((resolve, reject) => {
        child.once("message", (message) => resolve(message as T));
        child.once("exit", (code) => reject(new Error(`The fake GitHub ended with exit code ${code}.`)));
      });
    const { apiUrl, rawUrl } = await nextMessage<Served>();
    readCounts = () => {
      const answer = nextMessage<Counts>();
      child.send("counts");
      return answer;
    };
    return { env: { GITHUB_API_URL: apiUrl, GITHUB_RAW_URL: rawUrl }, stop: async () => child.disconnect() };
  },
  prepare: async ({ caller }) => {
    const { id } = await must<CatalogSource>(caller, "POST", "/api/admin/catalog-sources", {
      label: "Many skills",
      repoUrl: "https://github.com/bench/skills-0",
      intervalMinutes: 10_080,
    });
    sourceId = id;
  },
  run: async (instance) => {
    await must(instance.caller, "POST", `/api/admin/catalog-sources/${sourceId}/sync`);
    const { counts, requests, rawReads } = await untilSynced(instance);
    if (counts.entries !== skills) throw new Error(`the sync found ${counts.entries} of ${skills} skills`);
    const { total } = await must<{ total: number }>(instance.caller, "GET", "/api/catalog?q=report&limit=60");
    const served = await readCounts();
    return `${counts.entries} skills with ${requests} API requests and ${rawReads} raw reads, as the source says (${served.api} and ${served.raw}, as the fake GitHub says); ${total} found by the first search`;
  },
};

async function untilSynced({ caller }: Instance): Promise<CatalogSource> {
  for (;;) {
    const source = await must<CatalogSource>(caller, "GET", `/api/admin/catalog-sources/${sourceId}`);
    if (source.state === "failed") throw new Error(`the sync failed: ${source.error}`);
    if (source.state === "idle" && source.syncedAt !== null) return source;
    await delay(500);
  }
}
