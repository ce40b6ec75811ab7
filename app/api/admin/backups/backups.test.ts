import { rmSync } from "node:fs";
import { afterAll, afterEach, expect, test } from "vitest";
import * as blobs from "@/app/api/worker/blobs/[sha256]/route";
import * as exchange from "@/app/api/worker/exchange/route";
import type { BackupList } from "@/lib/backup/schema";
import { testServer } from "@/lib/testing/test-server";
import * as settings from "../settings/route";
import * as backups from "./route";

const { call, person, worker, database } = await testServer([
  ["/api/admin/backups", backups],
  ["/api/admin/settings", settings],
  ["/api/worker/blobs/[sha256]", blobs],
  ["/api/worker/exchange", exchange],
]);
const admin = await person("admin");
const folder = `${database.workFolder}-backups`;
afterEach(() => delete process.env.SKILLGATE_MIN_FREE_MIB);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const list = async (): Promise<BackupList> => (await call("GET", "/api/admin/backups", { token: admin.token })).json();

test("an admin makes a backup and finds it in the list", async () => {
  expect(await list()).toMatchObject({ backups: [], lastFailure: null, schedule: { everyHours: 0, folder } });
  const answer = await call("POST", "/api/admin/backups", { token: admin.token, json: {} });
  expect(answer.status).toBe(201);
  const made = await answer.json();
  expect(made).toMatchObject({ verified: true, problem: null });
  expect((await list()).backups).toEqual([made]);
});

test("with less free than is to be kept, writes answer 507 and store nothing, and reads go on", async () => {
  process.env.SKILLGATE_MIN_FREE_MIB = String(2 ** 40);
  const before = await database.reader.auditEvent.count();
  const json = { instanceName: "Full" };
  const refused = await call("PATCH", "/api/admin/settings", { token: admin.token, json });
  expect(refused.status).toBe(507);
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect(refused.headers.get("retry-after")).toBe("30");
  expect(await refused.json()).toMatchObject({ code: "storage_full", status: 507, type: "/docs/api#storage_full" });
  expect(await database.reader.auditEvent.count()).toBe(before);
  expect((await call("GET", "/api/admin/settings", { token: admin.token })).status).toBe(200);
  delete process.env.SKILLGATE_MIN_FREE_MIB;
  expect((await call("PATCH", "/api/admin/settings", { token: admin.token, json })).status).toBe(200);
});

test("what a worker reports of runs under way may use what is kept free; what it brings along may not", async () => {
  process.env.SKILLGATE_MIN_FREE_MIB = String(2 ** 40);
  const { token } = await worker();
  expect((await call("POST", "/api/worker/exchange", { token, json: {} })).status).toBe(422);
  expect((await call("PUT", `/api/worker/blobs/${"0".repeat(64)}`, { token, body: "x" })).status).toBe(507);
});
