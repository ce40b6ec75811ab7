import { afterEach, expect, test, vi } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { createCtx, inQuickTransaction } from "@/lib/db/context";
import { observeWrites } from "@/lib/db/write-queue";
import { measureProcess } from "@/lib/http/collect-metrics";
import { testServer } from "@/lib/testing/test-server";
import * as ready from "../api/ready/route";
import * as metrics from "./route";

const { call, person, worker, database } = await testServer([
  ["/metrics", metrics],
  ["/api/ready", ready],
]);
observeWrites(database);
measureProcess();
afterEach(() => vi.unstubAllEnvs());

const SCRAPER = "a-secret-of-the-scraper-only-0123456789";

async function scrape(token: string): Promise<{ status: number; values: Map<string, number>; text: string }> {
  const response = await call("GET", "/metrics", { token });
  const text = await response.text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const values = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
  return { status: response.status, values, text };
}

test("metrics are for admins and for the scraper's own token", async () => {
  const admin = await person("admin");
  expect((await scrape(admin.token)).status).toBe(200);
  expect((await scrape((await person("reviewer")).token)).status).toBe(403);
  expect((await scrape((await worker()).token)).status).toBe(403);
  expect((await call("GET", "/metrics")).status).toBe(401);
  expect((await scrape(SCRAPER)).status).toBe(401);
  vi.stubEnv("SKILLGATE_METRICS_TOKEN", SCRAPER);
  expect((await scrape(SCRAPER)).status).toBe(200);
  expect((await scrape(`${SCRAPER}x`)).status).toBe(401);
  expect((await call("GET", "/metrics")).status).toBe(401);
});

test("what is there now and what was counted stands under its documented name", async () => {
  const { token } = await person("admin");
  const ctx = createCtx({ actor: { kind: "system", name: "test" }, database });
  const { writes } = database;
  const set = (key: string) => {
    const data = { value: "1", updatedAt: new Date(), updatedBy: null };
    return inQuickTransaction(ctx, (tx) =>
      tx.setting.upsert({ where: { key }, create: { key, ...data }, update: data }),
    );
  };
  const before = (await scrape(token)).values.get("skillgate_database_commit_size_count") ?? 0;
  await Promise.all([set("a"), set("b"), set("c")]);
  expect(writes.isGroupOpen()).toBe(false);
  const { values, text } = await scrape(token);
  expect(values.get("skillgate_database_commit_size_count")).toBe(before + 1);
  expect(values.get('skillgate_database_commit_size_bucket{le="2"}')).toBe(before);
  expect(values.get("skillgate_database_writes_waiting")).toBe(0);
  for (const name of ['skillgate_runs{state="queued"}', "skillgate_workers_online", "skillgate_reviews_waiting"]) {
    expect(values.get(name), name).toBe(0);
  }
  for (const name of ["process_cpu_seconds_total", "skillgate_audit_head_seq", "skillgate_data_free_bytes"]) {
    expect(values.get(name), name).toEqual(expect.any(Number));
  }
  expect(text).toContain("# TYPE skillgate_http_request_duration_seconds histogram");
  const names = text.match(/^# TYPE \S+/gm) ?? [];
  expect(new Set(names).size).toBe(names.length);
});

test("a process is ready when its database answers and fits, and says which check fails", async () => {
  const answer = await call("GET", "/api/ready");
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      status: "ready",
      checks: ["database", "migrations", "disk", "draining"].map((name) => ({ name, ok: true, problem: null })),
    },
  ]);
  vi.stubEnv("SKILLGATE_MIN_FREE_MIB", String(2 ** 40));
  const full = await call("GET", "/api/ready");
  expect(full.status).toBe(503);
  expect(((await full.json()) as { checks: { name: string; ok: boolean }[] }).checks.filter(({ ok }) => !ok)).toEqual([
    { name: "disk", ok: false, problem: expect.stringContaining("almost full") },
  ]);
});

test("a database of another release is not ready", async () => {
  const row = `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "applied_steps_count") VALUES ('${newId()}', '${sha256Hex("x")}', '99990101000000_of_the_future', 1)`;
  await database.writer.$executeRawUnsafe(row);
  const answer = await call("GET", "/api/ready");
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("another release")]);
  await database.writer.$executeRawUnsafe(`DELETE FROM "_prisma_migrations" WHERE "migration_name" LIKE '9999%'`);
});

test("a process that is about to stop is not ready, and still answers", async () => {
  process.emit("skillgate:draining" as "exit", 0);
  const answer = await call("GET", "/api/ready");
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("about to stop")]);
  expect((await scrape((await person("admin")).token)).values.get("skillgate_draining")).toBe(1);
});
