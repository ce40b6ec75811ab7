import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { inTransaction } from "@/lib/db/context";
import { readLeasedBlob } from "@/lib/runner/leases/lease-runs";
import { startRun } from "@/lib/runner/runs/start-run";
import { updateSettings } from "@/lib/settings/update-settings";
import { createRandom } from "@/lib/skill-format/testing/seeded-random";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { prepareWorkDir } from "@/lib/worker/files/work-dir";
import type { Lease } from "@/lib/worker/protocol";
import { executeLease } from "@/lib/worker/testing/execute-lease";
import { decideVersion } from "./decide-version";

const FLIPS = 500;
const { database, person, address } = await testDatabase();
const admin = await person("admin");
const reviewers = [await person("reviewer"), await person("reviewer")];
await updateSettings(admin.ctx, { soloMode: false, signaturesForMutating: 2 });
const worker = await testWorker(database);
const workPath = realpathSync(mkdtempSync(join(tmpdir(), "skillgate-tampering-")));
afterAll(() => rmSync(workPath, { recursive: true, force: true }));
const workDir = await prepareWorkDir(workPath);
/** Changes stored data without the server. */
const disk = new Sqlite("file" in address ? address.file : "");

const random = createRandom(20_260_101);
const pick = <T>(values: readonly T[]): T => values[random.below(values.length)] as T;

async function approvedPack() {
  const extra = [
    { path: "data/list.txt", mode: "644" as const, bytes: new TextEncoder().encode("one\ntwo\n".repeat(50)) },
  ];
  const files = packFiles({ name: "governed", manifest: { class: "mutating", env_allow: ["TZ"] }, extra });
  const [skill] = (await importSkills(admin.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  for (const { ctx } of reviewers) {
    await decideVersion(ctx, skill?.id ?? "", digest, {
      decision: "approve",
      comment: "checked",
      grants: { env: ["TZ"], timeoutSeconds: 90 },
    });
  }
  await updateSkill(admin.ctx, skill?.id ?? "", { enabled: true });
  const version = await database.reader.version.findFirstOrThrow({ where: { digest } });
  return { id: skill?.id ?? "", versionId: version.id };
}

/** Starts a run and lets a real worker execute it. Returns the outcome. */
async function run(skillId: string, between: { start(): void; lease(): void }): Promise<string> {
  let runId: string;
  try {
    const started = await startRun(admin.ctx, skillId, { args: { text: "x" }, wait: 0, confirm: true });
    if (!("run" in started)) throw new Error("a dry run");
    runId = started.run.id;
  } catch (error) {
    return `refused: ${(error as { code?: string }).code}`;
  }
  between.start();
  const [lease] = await worker.lease();
  if (lease) {
    between.lease();
    await worker.complete(lease, await execute(lease));
  }
  const row = await database.reader.run.findUniqueOrThrow({ where: { id: runId } });
  return row.errorCode === null ? row.state : `${row.state}: ${row.errorCode}`;
}

async function execute(lease: Lease) {
  const fetchBlob = async (_of: Lease, sha256: string) => Buffer.from(await readLeasedBlob(worker.ctx, sha256));
  const execution = await executeLease({ lease, blobs: new Map() }, { workDir, fetchBlob });
  return execution.outcome;
}

type Change = { what: string; flip(): void; restore(): void };

function flipByte(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
  return changed;
}

/** Replaces one character of a text column. */
function flipText(text: string, from = 0, to = text.length): string {
  const at = from + random.below(to - from);
  const code = text.charCodeAt(at);
  const bit = pick([0, 1, 2, 3, 4, 5, 6].filter((shift) => (code ^ (1 << shift)) !== 0));
  return text.slice(0, at) + String.fromCharCode(code ^ (1 << bit)) + text.slice(at + 1);
}

function inColumn(table: string, column: string, where: string, change: (value: string) => string): Change {
  const select = `SELECT rowid AS id, "${column}" AS value FROM "${table}" WHERE ${where} ORDER BY rowid`;
  const row = pick(disk.prepare<[], { id: number; value: string }>(select).all());
  const write = (value: string) =>
    disk.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE rowid = ?`).run(value, row.id);
  const changed = change(row.value);
  return { what: `${table}.${column}`, flip: () => write(changed), restore: () => write(row.value) };
}

function pickFile(versionId: string): { id: number; bytes: Buffer; sha256: string } {
  const select = `SELECT b.rowid AS id, b.bytes AS bytes, b.sha256 AS sha256 FROM "Blob" b
    JOIN "VersionFile" f ON f.sha256 = b.sha256 WHERE f.versionId = ? ORDER BY f.path`;
  return pick(disk.prepare<[string], { id: number; bytes: Buffer; sha256: string }>(select).all(versionId));
}

function inBlob(versionId: string): Change {
  const row = pickFile(versionId);
  const write = (bytes: Buffer) => disk.prepare(`UPDATE "Blob" SET bytes = ? WHERE rowid = ?`).run(bytes, row.id);
  const changed = flipByte(row.bytes, random.below(row.bytes.length));
  return {
    what: "Blob.bytes",
    flip: () => {
      write(changed);
      rmSync(join(workDir.cacheDir, row.sha256), { force: true });
    },
    restore: () => write(row.bytes),
  };
}

function inCache(versionId: string): Change {
  const { sha256, bytes } = pickFile(versionId);
  const path = join(workDir.cacheDir, sha256);
  const changed = flipByte(bytes, random.below(bytes.length));
  const write = (content: Buffer) => {
    rmSync(path, { force: true });
    writeFileSync(path, content);
    chmodSync(path, 0o444);
  };
  return { what: "cache", flip: () => write(changed), restore: () => write(bytes) };
}

/** The signed part of a stored manifest: what is executed, and with which arguments. */
function flipGoverned(manifest: string): string {
  const parsed = JSON.parse(manifest) as { entry: string; schema: object };
  const part = pick([`"entry":${JSON.stringify(parsed.entry)}`, `"schema":${JSON.stringify(parsed.schema)}`]);
  const from = manifest.indexOf(part);
  return flipText(manifest, from, from + part.length);
}

function anyChange(skillId: string, versionId: string): Change {
  const ofVersion = `"versionId" = '${versionId}'`;
  const self = `"id" = '${versionId}'`;
  const counting = `${ofVersion} AND "standing" = 'counts'`;
  return pick([
    () => inBlob(versionId),
    () => inBlob(versionId),
    () => inCache(versionId),
    () => inCache(versionId),
    () => inColumn("VersionFile", pick(["path", "mode", "sha256"]), ofVersion, flipText),
    () => inColumn("Version", pick(["class", "grants", "subject"]), self, flipText),
    () => inColumn("Version", "manifest", self, flipGoverned),
    () => inColumn("Decision", pick(["subject", "subjectJson", "statement", "signature", "keyId"]), counting, flipText),
    () => inColumn("Decision", pick(["actorId", "standing"]), counting, flipText),
    () => inColumn("Decision", pick(["actorName", "comment", "class", "grants", "tier"]), counting, flipText),
    () => inColumn("Skill", "ownerKey", `"id" = '${skillId}'`, flipText),
  ])();
}

const NOTHING = { start: () => {}, lease: () => {} };

test(`${FLIPS} single flips in stored content, cache and signed subject: every run is refused, and each has its event`, async () => {
  const { id, versionId } = await approvedPack();
  expect(await run(id, NOTHING)).toBe("succeeded");
  const outcomes = new Map<string, Set<string>>();
  for (let round = 0; round < FLIPS; round += 1) {
    const change = anyChange(id, versionId);
    const isInBytes = change.what === "Blob.bytes" || change.what === "cache";
    const moment = pick(isInBytes ? (["before", "start", "lease"] as const) : (["before", "start"] as const));
    const before = await countRefusals();
    if (moment === "before") change.flip();
    const outcome = await run(id, { ...NOTHING, ...(moment === "before" ? {} : { [moment]: change.flip }) });
    await inTransaction(admin.ctx, async () => {});
    const events = (await countRefusals()) - before;
    change.restore();
    const place = `${round}: ${change.what}, ${moment}`;
    expect([place, outcome === "succeeded"]).toEqual([place, false]);
    expect([place, events >= 1]).toEqual([place, true]);
    outcomes.set(change.what, (outcomes.get(change.what) ?? new Set()).add(outcome));
    // Control: the same run succeeds with the original data.
    if (round % 50 === 49) expect([round, await run(id, NOTHING)]).toEqual([round, "succeeded"]);
  }
  expect([...outcomes.keys()].sort()).toEqual([
    "Blob.bytes",
    ...["actorId", "actorName", "class", "comment", "grants", "keyId", "signature", "standing"].map(
      (name) => `Decision.${name}`,
    ),
    ...["statement", "subject", "subjectJson", "tier"].map((name) => `Decision.${name}`),
    "Skill.ownerKey",
    ...["class", "grants", "manifest", "subject"].map((name) => `Version.${name}`),
    ...["mode", "path", "sha256"].map((name) => `VersionFile.${name}`),
    "cache",
  ]);
  expect([...(outcomes.get("Blob.bytes") ?? [])]).toEqual(["failed: spawn_failed"]);
  expect([...(outcomes.get("cache") ?? [])]).toEqual(["failed: digest_mismatch"]);
}, 120_000);

function countRefusals(): Promise<number> {
  return database.reader.auditEvent.count({ where: { outcome: { in: ["refused", "failed"] } } });
}
