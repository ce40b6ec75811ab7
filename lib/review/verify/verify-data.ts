import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { sha256Hex } from "@/lib/core/hash";
import { keyIdOf, SIGNING_KEY_FILE } from "@/lib/core/signing-key";
import { checkWithKeys, type StoredApproval } from "@/lib/skills/check-stored-approval";
import type { VerifiedApproval } from "./verified-approval";

type VersionRow = Omit<StoredApproval["version"], "files" | "decisions"> & {
  id: string;
  skillId: string;
  ownerKey: string;
  name: string;
};
type DecisionRow = StoredApproval["version"]["decisions"][number] & { actorName: string };
type FileRow = { path: string; mode: string; sha256: string };

/**
 * Checks every approved version of a data directory, without a server and without writing: the bytes of each stored file,
 * the digest over all of them, the subject and the signatures. The key is the one in the directory, else those that the
 * database knows. Throws when there is no database.
 */
export function verifyData(dataDir: string, databaseFile: string): { keyIds: string[]; approvals: VerifiedApproval[] } {
  const db = new Sqlite(databaseFile, { readonly: true, fileMustExist: true });
  try {
    const keys = readKeys(dataDir, db);
    const versions = db
      .prepare<[], VersionRow>(
        `SELECT v.id, v.skillId, v.digest, v.manifest, v.class, v.grants, v.entry, v.subject, s.ownerKey, s.name
         FROM "Version" v JOIN "Skill" s ON s.id = v.skillId
         WHERE v.state = 'approved' AND s.deletedAt IS NULL ORDER BY s.name, v.number`,
      )
      .all();
    return { keyIds: [...keys.keys()], approvals: versions.map((version) => verifyOne(db, version, keys)) };
  } finally {
    db.close();
  }
}

function verifyOne(db: Sqlite.Database, row: VersionRow, keys: Map<string, KeyObject>): VerifiedApproval {
  const files = db
    .prepare<[string], FileRow>(`SELECT path, mode, sha256 FROM "VersionFile" WHERE versionId = ?`)
    .all(row.id);
  const decisions = db.prepare<[string], DecisionRow>(`SELECT * FROM "Decision" WHERE versionId = ?`).all(row.id);
  const signers = decisions.filter(({ standing }) => standing === "counts").map(({ actorName }) => actorName);
  const about = { skill: row.name, digest: row.digest, class: row.class ?? "", signers };
  const skill = { id: row.skillId, ownerKey: row.ownerKey };
  const problem = checkWithKeys({ skill, version: { ...row, files, decisions } }, keys) ?? findChangedFile(db, files);
  return { ...about, problem };
}

function findChangedFile(db: Sqlite.Database, files: FileRow[]): string | null {
  const select = db.prepare<[string], { bytes: Buffer }>(`SELECT bytes FROM "Blob" WHERE sha256 = ?`);
  for (const { path, sha256 } of files) {
    const blob = select.get(sha256);
    if (!blob) return `the stored bytes of ${path} are missing`;
    if (sha256Hex(blob.bytes) !== sha256) return `the stored bytes of ${path} were changed`;
  }
  return null;
}

function readKeys(dataDir: string, db: Sqlite.Database): Map<string, KeyObject> {
  const file = join(dataDir, SIGNING_KEY_FILE);
  const keys = existsSync(file)
    ? [createPublicKey(createPrivateKey(readFileSync(file)))]
    : db
        .prepare<[], { publicKey: string }>(`SELECT publicKey FROM "ReviewKey"`)
        .all()
        .map((row) => createPublicKey(row.publicKey));
  return new Map(keys.map((key) => [keyIdOf(key), key]));
}
