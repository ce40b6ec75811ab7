import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readChainKey } from "@/lib/audit/chain/chain-key";
import { sha256Hex } from "@/lib/core/hash";
import { keyIdOf, SIGNING_KEY_FILE } from "@/lib/core/signing-key";
import type { DatabasePlace } from "@/lib/db/database";
import { openReader } from "@/lib/db/open-database";
import { query, type Sql } from "@/lib/db/sql";
import { whyAuditForbids } from "@/lib/skills/approval/audited-decisions";
import { EMPTY_HISTORY, readHistoriesWithKeys, whyNotServable } from "@/lib/skills/approval/check-servable";
import { checkWithKeys, type StoredApproval, type StoredDecision } from "@/lib/skills/approval/check-stored-approval";

type VersionRow = Omit<StoredApproval["version"], "files" | "decisions"> & {
  id: string;
  skillId: string;
  ownerKey: string;
  currentId: string | null;
  name: string;
};
type FileRow = { path: string; mode: string; sha256: string };

const APPROVED = query<VersionRow>(
  `SELECT v."id", v."skillId", v."digest", v."manifest", v."class", v."grants", v."entry", v."subject", s."ownerKey", s."currentId",
     s."name"
   FROM "Version" v JOIN "Skill" s ON s."id" = v."skillId"
   WHERE v."state" = 'approved' AND s."deletedAt" IS NULL ORDER BY s."name", v."number"`,
);
const FILES = query<FileRow>(`SELECT "path", "mode", "sha256" FROM "VersionFile" WHERE "versionId" = ?`);
const DECISIONS = query<StoredDecision>(`SELECT * FROM "Decision" WHERE "versionId" = ?`, {
  soloMode: "flag",
  createdAt: "date",
});
const BYTES = query<{ bytes: Buffer }>(`SELECT "bytes" FROM "Blob" WHERE "sha256" = ?`);
const KEYS = query<{ publicKey: string }>(`SELECT "publicKey" FROM "ReviewKey"`);

/**
 * Verifies every approved version of a database, read-only and without a server: stored bytes, digest, subject,
 * signatures, the absence of later decisions in the audit log, and that the active version was activated last. Uses the key
 * in the folder, else the keys in the database. Throws when there is no database.
 */
export async function verifyData(
  keyFolder: string,
  database: DatabasePlace,
): Promise<{ keyIds: string[]; approvals: VerifiedApproval[] }> {
  const { sql, close } = await openReader(database);
  try {
    const keys = await readKeys(keyFolder, sql);
    const chain = await readChainKey(keyFolder);
    const approvals: VerifiedApproval[] = [];
    for (const version of await sql.all(APPROVED)) {
      approvals.push(await verifyOne(sql, version, { signing: keys, chain }));
    }
    return { keyIds: [...keys.keys()], approvals };
  } finally {
    await close();
  }
}

type VerifyKeys = { signing: Map<string, KeyObject>; chain: KeyObject | null };

async function verifyOne(sql: Sql, row: VersionRow, keys: VerifyKeys): Promise<VerifiedApproval> {
  const files = await sql.all(FILES, row.id);
  const decisions = await sql.all(DECISIONS, row.id);
  const signers = decisions.filter(({ standing }) => standing === "counts").map(({ actorName }) => actorName);
  const about = { skillId: row.skillId, skill: row.name, digest: row.digest, class: row.class ?? "", signers };
  const skill = { id: row.skillId, ownerKey: row.ownerKey };
  const order = (await readHistoriesWithKeys(sql, keys, [row.skillId])).get(row.skillId) ?? EMPTY_HISTORY;
  const problem =
    checkWithKeys({ skill, version: { ...row, files, decisions } }, keys.signing) ??
    whyAuditForbids(order.audited, row, row.currentId === row.id) ??
    whyNotServable(order, row, row.currentId === row.id) ??
    (await findChangedFile(sql, files));
  return { ...about, problem };
}

async function findChangedFile(sql: Sql, files: FileRow[]): Promise<string | null> {
  for (const { path, sha256 } of files) {
    const blob = await sql.get(BYTES, sha256);
    if (!blob) return `the stored bytes of ${path} are missing`;
    if (sha256Hex(blob.bytes) !== sha256) return `the stored bytes of ${path} were changed`;
  }
  return null;
}

export async function readKeys(folder: string, sql: Sql): Promise<Map<string, KeyObject>> {
  const file = join(folder, SIGNING_KEY_FILE);
  const keys = existsSync(file)
    ? [createPublicKey(createPrivateKey(readFileSync(file)))]
    : (await sql.all(KEYS)).map((row) => createPublicKey(row.publicKey));
  return new Map(keys.map((key) => [keyIdOf(key), key]));
}

export type VerifiedApproval = {
  skillId: string;
  skill: string;
  digest: string;
  class: string;
  signers: string[];
  problem: string | null;
};
