import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import type { RunFilters } from "@/lib/runner/schema";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { listRuns } from "./list-runs";
import { summarizeRuns } from "./summarize-runs";

const { person, database } = await testDatabase();
const admin = await person("admin", "Ada");
const uma = await person("user", "Uma");
const vic = await person("user", "Vic");
const disk = await approvedSkill(uma.ctx, admin.ctx, { name: "tidy_disk" });
const tags = await approvedSkill(vic.ctx, admin.ctx, { name: "clean_tags" });
const worker = { id: newId(), name: "edge-1" };
await database.writer.worker.create({
  data: { ...worker, secretHash: worker.id, manager: false, slots: 1, inventory: "[]", createdAt: new Date() },
});

const MINUTE_MS = 60_000;
const start = Date.parse("2026-03-01T10:00:00.000Z");
const at = (minute: number) => new Date(start + minute * MINUTE_MS).toISOString();
const hour = { from: at(0), to: at(60) };

type Seeded = {
  minute: number;
  by?: typeof uma;
  skill?: typeof disk;
  state?: string;
  class?: string;
  tookMs?: number;
  on?: string;
  group?: string;
  parent?: string;
};

async function seedRun({ minute, by = uma, skill = disk, ...run }: Seeded): Promise<string> {
  const id = newId();
  const version = await database.reader.version.findFirstOrThrow({ where: { skillId: skill.id } });
  await database.writer.run.create({
    data: {
      ...{
        id,
        skillId: skill.id,
        versionId: version.id,
        versionDigest: version.digest,
        subject: "s",
        scope: "manager",
      },
      ...{ class: run.class ?? "safe", state: run.state ?? "succeeded", args: "{}", argsDigest: "d", env: "[]" },
      limits: JSON.stringify({ timeoutMs: 1000, stdoutBytes: 1, stderrBytes: 1 }),
      ...{ callerId: by.id, callerName: "x", callerKind: "user", queuedAt: new Date(at(minute)) },
      ...{ durationMs: run.tookMs ?? null, workerId: run.on ?? null },
      ...{ groupId: run.group ?? null, parentRunId: run.parent ?? null },
    },
  });
  return id;
}

const runs = {
  before: await seedRun({ minute: -1, tookMs: 9_000 }),
  first: await seedRun({ minute: 0, tookMs: 10 }),
  edge: await seedRun({ minute: 14, tookMs: 30, on: worker.id }),
  failed: await seedRun({ minute: 15, state: "failed", class: "mutating", tookMs: 20, group: "g1" }),
  others: await seedRun({ minute: 20, by: vic, skill: tags, state: "running", group: "g1" }),
  ofMySkill: await seedRun({ minute: 59, by: vic, tookMs: 5 }),
  after: await seedRun({ minute: 60, tookMs: 9_000 }),
};
const step = await seedRun({ minute: 1, parent: runs.first, tookMs: 1 });

/** Returns the names of the listed runs, oldest first. */
async function listed(filters: RunFilters, ctx = admin.ctx): Promise<string[]> {
  const { items } = await listRuns(ctx, { limit: 50, ...filters });
  const ids = items.map((run) => run.id);
  const named = Object.entries({ ...runs, step });
  return ids.map((id) => named.find(([, known]) => known === id)?.[0] ?? id).reverse();
}

test("runs are counted by state and by the part of the time they were queued in", async () => {
  const summary = await summarizeRuns(admin.ctx, { ...hour, buckets: 4 });
  expect(summary).toMatchObject({ ...hour, bucketMs: 15 * MINUTE_MS, total: 5 });
  expect(summary.states).toEqual({ succeeded: 3, failed: 1, running: 1 });
  expect(summary.buckets.map((bucket) => [bucket.from, bucket.states])).toEqual([
    [at(0), { succeeded: 2 }],
    [at(15), { failed: 1, running: 1 }],
    [at(30), {}],
    [at(45), { succeeded: 1 }],
  ]);
});

test("percentiles are durations of runs, nearest-rank, and null where none has run", async () => {
  const [bucket, , empty] = (await summarizeRuns(admin.ctx, { ...hour, buckets: 3 })).buckets;
  expect(bucket).toMatchObject({ p50Ms: 20, p95Ms: 30 });
  expect((await summarizeRuns(admin.ctx, { ...hour, buckets: 4 })).buckets[2]).toMatchObject({
    p50Ms: null,
    p95Ms: null,
  });
  expect(empty).toMatchObject({ p50Ms: 5, p95Ms: 5 });
});

test("a 95th percentile leaves out one slow run of twenty, and not one of ten", async () => {
  const days = (day: number) => ({ from: at(day * 1440), to: at(day * 1440 + 60) });
  for (const [day, count] of [
    [10, 20],
    [11, 10],
  ] as const) {
    for (let index = 1; index <= count; index += 1) await seedRun({ minute: day * 1440, tookMs: index });
    const [bucket] = (await summarizeRuns(admin.ctx, { ...days(day), buckets: 1 })).buckets;
    expect(bucket).toMatchObject({ p50Ms: count / 2, p95Ms: count === 20 ? 19 : 10 });
  }
});

test.each<[string, RunFilters, string[]]>([
  ["a state", { state: "failed" }, ["failed"]],
  ["a class", { class: "mutating" }, ["failed"]],
  ["a worker by name", { worker: "edge-1" }, ["edge"]],
  ["a worker by id", { worker: worker.id }, ["edge"]],
  ["a group", { group: "g1" }, ["failed", "others"]],
  ["a part of the name", { q: "TAGS" }, ["others"]],
  ["a part with a wildcard, which is a letter here", { q: "tidy%disk" }, []],
  ["a skill", { skill: "clean_tags" }, ["others"]],
  ["the steps of a run", { parent: runs.first }, ["step"]],
  ["steps too", { steps: true, to: at(2) }, ["first", "step"]],
  ["a shorter time", { from: at(14), to: at(20) }, ["edge", "failed"]],
])("%s: the list and the counts agree", async (_, filters, expected) => {
  const wanted = { ...hour, ...filters };
  expect(await listed(wanted)).toEqual(expected);
  expect((await summarizeRuns(admin.ctx, { ...wanted, buckets: 7 })).total).toBe(expected.length);
});

test("a person’s list and counts hold their own runs and those of their skills, and no others", async () => {
  expect(await listed(hour, uma.ctx)).toEqual(["first", "edge", "failed", "ofMySkill"]);
  expect((await summarizeRuns(uma.ctx, { ...hour, buckets: 2 })).total).toBe(4);
  expect(await listed({ ...hour, caller: "me" }, vic.ctx)).toEqual(["others", "ofMySkill"]);
  expect((await summarizeRuns(vic.ctx, { ...hour, buckets: 2 })).states).toEqual({ running: 1, succeeded: 1 });
});

test("a list goes on where its page ended, under the same filters", async () => {
  const first = await listRuns(admin.ctx, { ...hour, limit: 3 });
  const rest = await listRuns(admin.ctx, { ...hour, limit: 3, cursor: first.nextCursor ?? "" });
  expect([...first.items, ...rest.items].map((run) => run.id).reverse()).toEqual([
    ...[runs.first, runs.edge, runs.failed],
    ...[runs.others, runs.ofMySkill],
  ]);
  expect(rest.nextCursor).toBeNull();
});

test("without times it is the last 24 hours; a time that ends before it begins is invalid", async () => {
  const at24 = Date.parse("2026-03-02T10:15:00.000Z");
  const summary = await summarizeRuns({ ...admin.ctx, now: () => new Date(at24) }, { buckets: 24 });
  expect(summary).toMatchObject({ from: at(15), bucketMs: 60 * MINUTE_MS, total: 4 });
  await expect(summarizeRuns(admin.ctx, { from: at(5), to: at(5), buckets: 1 })).rejects.toMatchObject({
    code: "invalid",
  });
});
