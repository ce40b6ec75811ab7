import { expect, test } from "vitest";
import type { Fault, Kind } from "@/e2e/fixtures/fake-github/start-fake-github";
import { getSource } from "../sources/sources";
import { updateSource } from "../sources/update-source";
import { skillMd, testCatalog } from "../testing/test-catalog";
import { runSync } from "./sync-runner";

const { github, source, sync, settle, entries, events, admin, system, options, pass, database } = await testCatalog();
let number = 0;

/** Returns a source that was synced once and has changes upstream, so that the next sync sends all kinds of requests. */
async function syncedSource() {
  number += 1;
  const made = await source({ "a/SKILL.md": skillMd(`first-${number}`) });
  const good = await sync(made.id);
  expect(good).toMatchObject({ state: "idle", counts: { entries: 1 } });
  await made.repository.commit({ "a/SKILL.md": skillMd(`second-${number}`), "b/SKILL.md": skillMd(`new-${number}`) });
  return { ...made, good, before: await entries(made.id) };
}

/** The last good snapshot is unchanged. */
async function expectUntouched(made: Awaited<ReturnType<typeof syncedSource>>) {
  expect(await entries(made.id)).toEqual(made.before);
  const { commit, syncedAt } = await getSource(admin, made.id);
  expect({ commit, syncedAt }).toEqual({ commit: made.good.commit, syncedAt: made.good.syncedAt });
}

const limited = (headers: Record<string, string>, status = 403): Fault => ({
  answer: { status, headers, body: { message: "API rate limit exceeded" } },
});

type Case = { name: string; at: Kind; fault: Fault; times?: number; code: string; says: RegExp; requests: number };
const cases: Case[] = [
  { name: "401", at: "commit", fault: { answer: { status: 401 } }, code: "token_refused", says: /token/, requests: 1 },
  {
    name: "403 without rate-limit headers",
    at: "commit",
    fault: {
      answer: { status: 403, headers: { "x-ratelimit-remaining": "59" }, body: { message: "Resource not accessible" } },
    },
    code: "forbidden",
    says: /Resource not accessible/,
    requests: 1,
  },
  {
    name: "404 of repository",
    at: "repository",
    fault: { answer: { status: 404 } },
    code: "not_found",
    says: /private repository needs a GitHub token/,
    requests: 2,
  },
  {
    name: "409, an empty repository",
    at: "commit",
    fault: { answer: { status: 409, body: { message: "Git Repository is empty." } } },
    code: "empty",
    says: /Git Repository is empty/,
    requests: 1,
  },
  {
    name: "422 for the ref",
    at: "commit",
    fault: { answer: { status: 422 } },
    times: 2,
    code: "ref_not_found",
    says: /no branch, tag or commit “main”/,
    requests: 3,
  },
  {
    name: "422 for the tree",
    at: "tree",
    fault: { answer: { status: 422 } },
    code: "ref_not_found",
    says: /file list/,
    requests: 3,
  },
  {
    name: "451",
    at: "repository",
    fault: { answer: { status: 451 } },
    code: "legal_block",
    says: /legal reasons/,
    requests: 2,
  },
  {
    name: "502, three times",
    at: "commit",
    fault: { answer: { status: 502, body: "<html>Bad gateway</html>" } },
    times: 3,
    code: "upstream_unavailable",
    says: /answered 502/,
    requests: 3,
  },
  {
    name: "a connection cut in the tree, three times",
    at: "tree",
    fault: { cut: true },
    times: 3,
    code: "connection",
    says: /connection to GitHub broke/,
    requests: 5,
  },
  {
    name: "a connection cut in a file, three times",
    at: "raw",
    fault: { cut: true },
    times: 6,
    code: "connection",
    says: /connection to GitHub broke/,
    requests: 3,
  },
  {
    name: "malformed JSON",
    at: "tree",
    fault: { change: (body) => body.subarray(0, body.length - 20) },
    code: "malformed_answer",
    says: /file list/,
    requests: 3,
  },
  {
    name: "JSON of another shape",
    at: "commit",
    fault: { change: () => '{"sha":"zzz"}' },
    code: "malformed_answer",
    says: /unknown format/,
    requests: 1,
  },
  {
    name: "HTML instead of JSON",
    at: "repository",
    fault: {
      answer: { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><title>Sign in</title>" },
    },
    code: "malformed_answer",
    says: /web page instead of JSON/,
    requests: 2,
  },
  {
    name: "bytes of another file",
    at: "raw",
    fault: { change: () => skillMd("evil") },
    code: "integrity",
    says: /git sha/,
    requests: 3,
  },
  {
    name: "a file the raw host does not have",
    at: "raw",
    fault: { answer: { status: 404 } },
    code: "not_found",
    says: /SKILL\.md/,
    requests: 3,
  },
  {
    name: "429 of the raw host",
    at: "raw",
    fault: { answer: { status: 429, headers: { "retry-after": "120" } } },
    code: "rate_limited",
    says: /until/,
    requests: 3,
  },
  {
    name: "a redirect of the API to another host",
    at: "repository",
    fault: { answer: { status: 302, headers: { location: "http://169.254.169.254/latest" } } },
    code: "redirect_refused",
    says: /169\.254\.169\.254/,
    requests: 2,
  },
  {
    name: "a redirect of a commit to another host",
    at: "commit",
    fault: { answer: { status: 301, headers: { location: "https://evil.example/x" } } },
    code: "redirect_refused",
    says: /evil\.example/,
    requests: 1,
  },
  {
    name: "a redirect of the raw host",
    at: "raw",
    fault: { answer: { status: 302, headers: { location: "https://evil.example/x" } } },
    code: "redirect_refused",
    says: /raw host/,
    requests: 3,
  },
];

test.each(cases)("$name: the error names the cause, the last snapshot stays, the next sync succeeds", async (item) => {
  const made = await syncedSource();
  github.fail(item.at, item.fault, item.times);
  const failed = await sync(made.id);
  expect(failed).toMatchObject({
    state: "failed",
    errorCode: item.code,
    error: expect.stringMatching(item.says),
    failures: 1,
  });
  expect(Date.parse(failed.nextSyncAt ?? "")).toBeGreaterThan(Date.now() + 50_000);
  expect(failed.requests).toBe(item.requests);
  expect(github.counts().api).toBe(item.requests);
  await expectUntouched(made);
  github.clearFaults();
  expect(await sync(made.id)).toMatchObject({ state: "idle", error: null, failures: 0, counts: { entries: 2 } });
});

test.each([
  ["a 503", { answer: { status: 503 } }],
  ["a connection that is cut", { cut: true }],
] satisfies [string, Fault][])("%s that passes is tried again within the same sync", async (_name, fault) => {
  const made = await syncedSource();
  github.fail("tree", fault, 2);
  github.fail("raw", fault, 1);
  expect(await sync(made.id)).toMatchObject({ state: "idle", requests: 5, rawReads: 3, counts: { entries: 2 } });
});

test("failures in a row wait longer each time, and are one event", async () => {
  const made = await syncedSource();
  github.fail("commit", { answer: { status: 401 } }, 3);
  const waits: number[] = [];
  await sync(made.id);
  for (let index = 0; index < 3; index++) {
    const { nextSyncAt } = await getSource(admin, made.id);
    const wait = Date.parse(nextSyncAt ?? "") - system.now().getTime();
    waits.push(Math.round(wait / 60_000));
    pass(wait + 1_000);
    await settle();
  }
  expect(waits).toEqual([1, 2, 4]);
  expect(await getSource(admin, made.id)).toMatchObject({ state: "idle", failures: 0 });
  const actions = (await events(made.id))
    .map((event) => event.action)
    .filter((action) => action !== "catalog_source.sync");
  expect(actions).toEqual([
    "catalog_source.create",
    "catalog_source.synced",
    "catalog_source.failed",
    "catalog_source.synced",
  ]);
});

test.each([
  ["403 with nothing left", 403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "in an hour" }, 3_600],
  ["403 of a secondary limit", 403, { "retry-after": "90" }, 90],
  ["429 with Retry-After", 429, { "retry-after": "1800" }, 1_800],
  ["429 without a word", 429, {}, 60],
  ["a reset in a far future", 403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999" }, 3_660],
])("%s: nothing is asked before its time, and asking by hand is no storm", async (_name, status, headers, seconds) => {
  const made = await syncedSource();
  const reset = String(Math.floor(system.now().getTime() / 1000) + 3_600);
  const sent = Object.entries(headers).map(([key, value]) => [key, value === "in an hour" ? reset : value]);
  github.fail("commit", limited(Object.fromEntries(sent), status), 100);
  const asked = system.now().getTime();
  const failed = await sync(made.id);
  expect(failed).toMatchObject({ state: "failed", errorCode: "rate_limited", requests: 1 });
  const waits = (Date.parse(failed.nextSyncAt ?? "") - asked) / 1000;
  expect(waits).toBeGreaterThan(seconds - 2);
  expect(waits).toBeLessThan(seconds + 60);
  let requests = github.counts().api;
  for (let index = 0; index < 8; index++) {
    await sync(made.id);
    requests += github.counts().api;
  }
  expect(requests).toBeLessThanOrEqual(3);
  expect(await getSource(admin, made.id)).toMatchObject({ errorCode: "rate_limited", requests: 0 });
  await expectUntouched(made);
  github.clearFaults();
  pass(12 * 3_600_000);
  await settle();
  expect(await getSource(admin, made.id)).toMatchObject({ state: "idle", error: null });
});

test("a branch that moves during a sync changes nothing of it", async () => {
  const made = await syncedSource();
  github.fail("tree", { first: () => made.repository.commit({ "a/SKILL.md": skillMd("moved"), "b/SKILL.md": null }) });
  const before = await made.repository.resolve("main");
  expect(await sync(made.id)).toMatchObject({ state: "idle", commit: before?.commit });
  expect((await entries(made.id)).map((entry) => [entry.name, entry.state])).toEqual([
    [`second-${number}`, "present"],
    [`new-${number}`, "present"],
  ]);
  await sync(made.id);
  expect((await entries(made.id)).map((entry) => [entry.name, entry.state])).toEqual([
    ["moved", "present"],
    [`new-${number}`, "removed"],
  ]);
});

test("a sync that the end of the server cuts off is begun anew, and what was stored is not read again", async () => {
  const made = await syncedSource();
  const skills = Array.from({ length: 38 }, (_, index) => [`many/${index}/SKILL.md`, skillMd(`cut-${index}`)]);
  await made.repository.commit(Object.fromEntries(skills));
  const dying = new AbortController();
  github.fail("raw", { first: async () => undefined }, 32);
  github.fail("raw", { first: async () => dying.abort() });
  await database.writer.catalogSource.update({ where: { id: made.id }, data: { state: "queued", jobId: "j" } });
  await runSync(system, { sourceId: made.id, jobId: "j" }, { ...options, signal: dying.signal });
  expect(await getSource(admin, made.id)).toMatchObject({ state: "running", done: 32, total: 40 });
  await expectUntouched(made);
  await settle();
  expect(await getSource(admin, made.id)).toMatchObject({ state: "idle", rawReads: 8, counts: { entries: 40 } });
});

test("a sync that is cut off while it stores entries leaves whole ones, and reads nothing again", async () => {
  const { id, repository } = await source(null);
  const skills = Array.from({ length: 300 }, (_, index) => [`many/${index}/SKILL.md`, skillMd(`step-${index}`)]);
  await repository.commit(Object.fromEntries(skills));
  const dying = new AbortController();
  await database.writer.catalogSource.update({ where: { id }, data: { state: "queued", jobId: "j" } });
  const cutOff = runSync(system, { sourceId: id, jobId: "j" }, { ...options, signal: dying.signal });
  while ((await entries(id)).length === 0) await new Promise((resolve) => setImmediate(resolve));
  dying.abort();
  await cutOff;
  const stored = await entries(id);
  expect(stored.length).toBeLessThan(300);
  expect(
    stored.every(({ name, files, state }) => name.startsWith("step-") && files !== "[]" && state === "present"),
  ).toBe(true);
  expect(await getSource(admin, id)).toMatchObject({ state: "running", commit: null });
  github.seen.length = 0;
  await settle();
  expect(await getSource(admin, id)).toMatchObject({ state: "idle", rawReads: 0, counts: { entries: 300 } });
  expect(github.counts()).toMatchObject({ raw: 0, downloads: 0 });
  const again = new Map((await entries(id)).map((entry) => [entry.folder, entry.id]));
  for (const entry of stored) expect(again.get(entry.folder)).toBe(entry.id);
});

test("a source that is changed or deleted during its sync gets nothing of it", async () => {
  const made = await syncedSource();
  github.fail("tree", { first: () => database.writer.catalogSource.delete({ where: { id: made.id } }) });
  github.seen.length = 0;
  await database.writer.catalogSource.update({ where: { id: made.id }, data: { state: "queued", jobId: "j" } });
  await settle();
  expect(await entries(made.id)).toEqual([]);
});

test("a source that is hidden during its sync gets nothing of it, and is synced when it is shown again", async () => {
  const made = await syncedSource();
  github.fail("tree", { first: () => updateSource(admin, { id: made.id, enabled: false }) });
  expect(await sync(made.id)).toMatchObject({ state: "idle", enabled: false });
  await expectUntouched(made);
  await updateSource(admin, { id: made.id, enabled: true });
  expect(await sync(made.id)).toMatchObject({ state: "idle" });
  expect(await entries(made.id)).toHaveLength(2);
});

test("one source that fails leaves the others alone", async () => {
  const good = await source({ "a/SKILL.md": skillMd("good") });
  const bad = await source(null, { repoUrl: "https://github.com/acme/nowhere" });
  expect(await sync(bad.id)).toMatchObject({ state: "failed", errorCode: "not_found", syncedAt: null });
  expect(await sync(good.id)).toMatchObject({ state: "idle" });
});

test("an empty repository, and a ref that is not there, say so at the first sync", async () => {
  const empty = await source(null);
  expect(await sync(empty.id)).toMatchObject({ state: "failed", errorCode: "empty" });
  const { name } = await source({ "a/SKILL.md": skillMd("a") });
  const other = await source(null, { repoUrl: `https://github.com/${name}`, ref: "nope" });
  expect(await sync(other.id)).toMatchObject({
    state: "failed",
    errorCode: "ref_not_found",
    error: expect.stringContaining("“nope”"),
  });
});
