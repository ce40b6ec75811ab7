import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { newId } from "@/lib/core/ids";

type Row = Record<string, unknown>;

const AT_ONCE = 1_000;
const TRY_MS = 200;
const MAX_TRIES = 300;

/**
 * Adds `count` approved but disabled skills to a product's database: copies of an existing one, each with its own name,
 * version and files. Bypasses the API, which would take minutes. Returns the number of skills afterwards.
 */
export async function fillIdleSkills(folder: string, templateId: string, count: number): Promise<number> {
  const db = new Sqlite(join(folder, "data", "skillgate.db"), { timeout: 30_000 });
  try {
    db.pragma("foreign_keys = OFF");
    const one = (sql: string, id: unknown) => db.prepare(sql).get(id) as Row;
    const skill = one(`SELECT * FROM "Skill" WHERE "id" = ?`, templateId);
    const version = one(`SELECT * FROM "Version" WHERE "id" = ?`, skill.currentId);
    const files = db.prepare(`SELECT * FROM "VersionFile" WHERE "versionId" = ?`).all(version.id) as Row[];
    await untilScanned(db, String(version.id));
    const insert = (table: string, like: Row) => {
      const columns = Object.keys(like);
      const values = columns.map((column) => `@${column}`).join(", ");
      return db.prepare(`INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(", ")}) VALUES (${values})`);
    };
    const [addSkill, addVersion] = [insert("Skill", skill), insert("Version", version)];
    // Without this the server would scan them all during the measurement.
    const addScan = db.prepare(
      `INSERT INTO "VersionScan" SELECT ?, "rulesVersion", "complete", "capabilities", "scannedAt", "durationMs"
       FROM "VersionScan" WHERE "versionId" = ?`,
    );
    const addFile = files[0] ? insert("VersionFile", files[0]) : null;
    const addOne = (number: number) => {
      const [skillId, versionId, name] = [newId(), newId(), `idle-${number}`];
      const names = { name, slug: name, liveSlug: name, toolName: name.replace("-", "_") };
      addSkill.run({ ...skill, ...names, id: skillId, currentId: versionId, enabled: 0 });
      addVersion.run({ ...version, id: versionId, skillId });
      addScan.run(versionId, version.id);
      for (const file of files) addFile?.run({ ...file, ...("id" in file ? { id: newId() } : {}), versionId });
    };
    const addMany = db.transaction((from: number, to: number) => {
      for (let number = from; number < to; number += 1) addOne(number);
    });
    for (let from = 0; from < count; from += AT_ONCE) addMany(from, Math.min(count, from + AT_ONCE));
    return (db.prepare(`SELECT COUNT(*) AS "skills" FROM "Skill" WHERE "deletedAt" IS NULL`).get() as Row)
      .skills as number;
  } finally {
    db.close();
  }
}

async function untilScanned(db: Sqlite.Database, versionId: string): Promise<void> {
  const scan = db.prepare(`SELECT 1 FROM "VersionScan" WHERE "versionId" = ?`);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (scan.get(versionId) !== undefined) return;
    await delay(TRY_MS);
  }
  throw new Error("the copied skill was not scanned within a minute");
}
