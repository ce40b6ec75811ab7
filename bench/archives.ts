import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sha256Hex } from "@/lib/core/hash";
import { writeZip } from "@/lib/skill-format/export/write-archive";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, fileForm, openCaller } from "./harness/call-api";
import { round } from "./harness/measure";
import { liftLimits, must } from "./harness/publish-skill";
import { type Killable, prepareKillable } from "./harness/start-killable";

const LOAD_CLIENTS = 4;
const SKILLS = 5;
/** Timeout of clients that read indexes. */
const BUDGET_MS = 10_000;
const MODES = ["kept on disk", "made when asked for"] as const;
type Mode = (typeof MODES)[number];

type Offered = { name: string; digest: string };

/**
 * The first archives after a start: how long five skills of 3 MB take that a client requests at once, while four others
 * read indexes and search. Alternates between archives stored at the approval and, as the baseline, the same server without
 * the folder for them.
 */
export async function benchArchives({ quick, json, rounds }: BenchOptions): Promise<void> {
  const times = rounds ?? (quick ? 1 : 5);
  const server = await prepareKillable({ database: null, withWorker: false });
  const folder = join(server.folder, "data", "door-archives");
  const taken: Record<Mode, number[]> = { "kept on disk": [], "made when asked for": [] };
  try {
    await server.start();
    const caller = openCaller(server.url, server.token);
    await liftLimits(caller);
    const offered: Offered[] = [];
    for (let number = 0; number < SKILLS; number++) offered.push(await publishBundle(caller, `bundle-${number}`));
    caller.close();
    for (let turn = 0; turn < times; turn++) {
      for (const mode of MODES) {
        await prepareFolder(server, folder, { isStored: mode === "kept on disk", count: offered.length });
        const now = await timeFirstArchives(server, offered);
        taken[mode].push(...now);
        console.log(`turn ${turn + 1}, ${mode}: ${now.map((ms) => `${round(ms / 1000)} s`).join(", ")}`);
      }
    }
  } finally {
    await server.stop();
  }
  for (const mode of MODES) {
    const sorted = [...taken[mode]].sort((a, b) => a - b);
    const at = (share: number) => round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000);
    const late = sorted.filter((ms) => ms > BUDGET_MS).length;
    console.log(
      `First archive after a start, ${mode}: median ${at(0.5)} s, slowest ${at(1)} s; ${late} of ${sorted.length} later than ${BUDGET_MS / 1000} s.`,
    );
  }
  if (json) console.log(JSON.stringify({ bench: "archives", times, taken }));
}

async function prepareFolder(
  server: Killable,
  folder: string,
  { isStored, count }: { isStored: boolean; count: number },
) {
  await server.killWeb();
  rmSync(folder, { recursive: true, force: true });
  if (!isStored) return writeFileSync(folder, "");
  mkdirSync(folder, { mode: 0o700 });
  await server.start();
  while (readdirSync(folder).filter((name) => name.endsWith(".zip")).length < count) await delay(200);
  return server.killWeb();
}

async function timeFirstArchives(server: Killable, offered: Offered[]): Promise<number[]> {
  await server.start();
  const reader = openCaller(server.url, server.token);
  const load = openCaller(server.url, server.token);
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      await load.call("GET", "/.well-known/agent-skills/index.json").catch(() => null);
      await load.call("GET", "/api/v1/search?q=bundle").catch(() => null);
    }
  };
  const clients = Promise.all(Array.from({ length: LOAD_CLIENTS }, client));
  await delay(500);
  const taken = await Promise.all(
    offered.map(async ({ name, digest }) => {
      const since = performance.now();
      const { status } = await reader.call("GET", `/a/${name}/${digest}.zip`);
      if (status !== 200) throw new Error(`${name} answered ${status}`);
      return performance.now() - since;
    }),
  );
  isOver = true;
  await clients;
  load.close();
  reader.close();
  return taken;
}

async function publishBundle(caller: Caller, name: string): Promise<Offered> {
  const text = (at: number) =>
    Array.from({ length: 8_000 }, (_, line) => `${sha256Hex(`${name} ${at} ${line}`)} is line ${line}.`).join("\n");
  const encode = (content: string) => new TextEncoder().encode(content);
  const zip = await writeZip(name, [
    {
      path: "SKILL.md",
      mode: "644",
      bytes: encode(`---\nname: ${name}\ndescription: Holds ${name}.\n---\n# ${name}\n`),
    },
    ...[1, 2, 3, 4, 5].map((at) => ({ path: `table-${at}.txt`, mode: "644" as const, bytes: encode(text(at)) })),
  ]);
  const answer = await caller.call("POST", "/api/skills/import", await fileForm(`${name}.zip`, zip));
  if (answer.status !== 201) throw new Error(`${name} was not imported: ${answer.text.slice(0, 300)}`);
  type Imported = { skills: { id: string; pendingVersion: { digest: string } }[] };
  const [skill] = (JSON.parse(answer.text) as Imported).skills;
  if (!skill) throw new Error(`${name} was not imported`);
  const { digest } = skill.pendingVersion;
  await must(caller, "POST", `/api/skills/${skill.id}/versions/${digest}/decisions`, { decision: "approve" });
  await must(caller, "PATCH", `/api/skills/${skill.id}`, { enabled: true });
  return { name, digest: digest.replace(/^sha256:/, "") };
}
