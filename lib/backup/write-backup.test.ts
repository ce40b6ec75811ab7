import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { checkFiles, openManifest } from "./check-files";
import { pruneBackups, readBackups } from "./read-backups";
import { smallInstance } from "./testing/small-instance";
import { writeBackup } from "./write-backup";

const { instance, folder, dataDir, file, write, end } = await smallInstance();
afterAll(end);
const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const to = join(folder, "elsewhere");

test("a backup beside an open database holds what was committed, the keys, and an audit that holds", async () => {
  mkdirSync(join(dataDir, "audit-segments"));
  writeFileSync(join(dataDir, "audit-segments", "1-2.manifest.json"), "{}");
  writeFileSync(join(dataDir, "audit-segments", "sealing-3.tmp"), "half");
  const { path, manifest } = await writeBackup(instance, { to, at: at(1) });
  expect(path).toBe(join(to, "skillgate-20260102T030401Z"));
  expect(readdirSync(to)).toEqual(["skillgate-20260102T030401Z"]);
  const names = ["approval-signing.key", "audit-chain.key", "audit-heads.ndjson", "audit-segments", "manifest.json"];
  expect(readdirSync(path).sort()).toEqual([...names, "skillgate.db"]);
  expect(readdirSync(join(path, "audit-segments"))).toEqual(["1-2.manifest.json"]);
  expect(manifest).toMatchObject({
    audit: { seq: 3, problem: null },
    database: { tables: { AuditEvent: 3, Setting: 3 } },
  });
  for (const name of names) expect(statSync(join(path, name)).mode & 0o077, name).toBe(0);
  expect(statSync(join(path, "skillgate.db")).mode & 0o777).toBe(0o600);
  const [listed] = await readBackups(to);
  expect(listed).toMatchObject({
    name: "skillgate-20260102T030401Z",
    verified: true,
    auditSeq: 3,
    at: at(1).toISOString(),
  });
});

test("what is written meanwhile is in the next one, and the digest of the rows says so", async () => {
  const before = await openManifest(join(to, "skillgate-20260102T030401Z"));
  const same = await writeBackup(instance, { to, at: at(2) });
  await write("four");
  const after = await writeBackup(instance, { to, at: at(3) });
  expect(same.manifest.database.digest).toBe(before.database.digest);
  expect(after.manifest.database.digest).not.toBe(before.database.digest);
  expect(after.manifest.audit.seq).toBe(4);
});

test("a place inside the data directory is refused, through a link too; so is a name that is taken", async () => {
  symlinkSync(dataDir, join(folder, "link"));
  for (const inside of [dataDir, join(dataDir, "backups"), join(folder, "link", "backups")])
    await expect(writeBackup(instance, { to: inside, at: at(5) })).rejects.toThrow(/inside the data directory/);
  await expect(writeBackup(instance, { to, at: at(3) })).rejects.toThrow(/already exists/);
  expect(readdirSync(dataDir)).not.toContain("backups");
});

test("a place that cannot be written to, or has too little space, is named, and nothing is left there", async () => {
  writeFileSync(join(folder, "a-file"), "");
  await expect(writeBackup(instance, { to: join(folder, "a-file"), at: at(6) })).rejects.toThrow(/cannot be written/);
  const vast = { ...instance, database: { ...instance.database, size: async () => 2 ** 60 } };
  await expect(writeBackup(vast, { to: join(folder, "new"), at: at(6) })).rejects.toMatchObject({
    code: "storage_full",
  });
  expect(readdirSync(folder)).not.toContain("new");
});

test("a copy that is damaged on the way is given up, and leaves nothing behind", async () => {
  const copy = async (path: string) => {
    await instance.database.copy(path);
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4096, 8192);
    writeFileSync(path, bytes);
    return instance.database.place(path);
  };
  const broken = { ...instance, database: { ...instance.database, copy } };
  const names = readdirSync(to);
  await expect(writeBackup(broken, { to, at: at(7) })).rejects.toThrow(/damaged|malformed/);
  expect(readdirSync(to)).toEqual(names);
});

test("a backup of an invalid audit reports that and is not verified", async () => {
  const db = new Sqlite(file);
  const sql = `UPDATE "AuditEvent" SET "summary" = ? WHERE "seq" = 2`;
  db.prepare(sql).run("set another");
  const { manifest } = await writeBackup(instance, { to, at: at(8) });
  db.prepare(sql).run("set two");
  db.close();
  expect(manifest.audit.problem).toMatch(/2/);
  expect((await readBackups(to))[0]).toMatchObject({ verified: false });
});

test("old ones go once enough newer ones are verified, and never the newest verified", async () => {
  await writeBackup(instance, { to, at: at(9) });
  mkdirSync(join(to, "skillgate-20260102T030459Z.partial"));
  const now = new Date();
  expect(await pruneBackups(to, { keep: 100, now })).toEqual([]);
  expect(await pruneBackups(to, { keep: 2, now })).toEqual(
    [2, 1].map((second) => `skillgate-20260102T03040${second}Z`),
  );
  const tomorrow = new Date(now.getTime() + 25 * 3_600_000);
  expect(await pruneBackups(to, { keep: 2, now: tomorrow })).toEqual(["skillgate-20260102T030459Z.partial"]);
  expect((await readBackups(to)).map(({ verified }) => verified)).toEqual([true, false, true]);
});

test("a changed byte anywhere is found: in a file, in its length, in the list itself", async () => {
  const path = join(to, "skillgate-20260102T030409Z");
  const manifest = await openManifest(path);
  expect(await checkFiles(path, manifest)).toEqual([]);
  for (const name of manifest.files.map((one) => one.path)) {
    const bytes = readFileSync(join(path, name));
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
    writeFileSync(join(path, name), changed);
    expect(await checkFiles(path, manifest)).toEqual([`${name} was changed: its checksum differs`]);
    writeFileSync(join(path, name), bytes);
  }
  const list = join(path, "manifest.json");
  chmodSync(list, 0o600);
  const text = readFileSync(list);
  for (let place = 0; place < text.length; place += 61) {
    const changed = Buffer.from(text);
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    writeFileSync(list, changed);
    await expect(openManifest(path), `byte ${place}`).rejects.toThrow(/changed|newer release/);
  }
});
