import { LRUCache } from "lru-cache";
import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson, keepParsed } from "@/lib/core/json";
import { processStore } from "@/lib/core/process-store";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { checkApproval } from "@/lib/policy/check-approval";
import { Grants } from "@/lib/policy/grants/schema";
import { timeoutOf } from "@/lib/policy/grants/settle-grants";
import {
  ActivationStatement,
  ApprovalStatement,
  type ApprovalSubject,
  subjectJson,
} from "@/lib/policy/signed-statements";
import type { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { decidedEntry } from "./served-manifest";

export type StoredApproval = {
  skill: { id: string; ownerKey: string };
  version: {
    digest: string;
    manifest: string;
    class: string | null;
    grants: string | null;
    entry: string | null;
    subject: string | null;
    files: { path: string; mode: string; sha256: string }[];
    decisions: StoredDecision[];
  };
};

export type StoredDecision = ShownDecision & {
  id: string;
  actorId: string;
  standing: string | null;
  subject: string | null;
  subjectJson: string | null;
  statement: string | null;
  signature: string | null;
  keyId: string | null;
};

/**
 * Checks that a stored approval is what was signed with this instance's key: null, or the problem as the end of a
 * sentence. Compares the hashes of files; their bytes are checked when they are read.
 */
export async function checkStoredApproval(
  ctx: Pick<Ctx, "database">,
  { skill, version }: StoredApproval,
): Promise<string | null> {
  const key = await loadSigningKey(ctx.database.keyFolder);
  // The result is cached with all checked values, compared exactly.
  const seen = checkedValues(key.keyId, { skill, version });
  const place = `${skill.id} ${version.digest}`;
  const before = verifiedApprovals().get(place);
  if (before?.length === seen.length && seen.every((value, index) => value === before[index])) return null;
  const problem = checkWithKeys({ skill, version }, new Map([[key.keyId, key.publicKey]]));
  if (problem === null) verifiedApprovals().set(place, seen);
  return problem;
}

type CheckedValues = (string | number | null)[];

/** Includes the numbers of files and decisions, so that two different approvals never yield the same list. */
function checkedValues(keyId: string, { skill, version }: StoredApproval): CheckedValues {
  const seen: CheckedValues = [keyId, skill.ownerKey];
  seen.push(version.manifest, version.class, version.grants, version.entry, version.subject);
  seen.push(version.files.length, version.decisions.length);
  for (const { path, mode, sha256 } of version.files) seen.push(path, mode, sha256);
  for (const row of version.decisions) {
    seen.push(row.id, row.decision, row.actorId, row.actorName, row.standing, row.subject);
    seen.push(row.comment, row.class, row.grants, row.entry, row.tier, Number(row.soloMode), row.createdAt.getTime());
    seen.push(row.subjectJson, row.statement, row.signature, row.keyId);
  }
  return seen;
}

const MAX_HELD = 300;
const MAX_CHARACTERS = 256 * 1024;

function verifiedApprovals(): LRUCache<string, CheckedValues> {
  const sizeCalculation = (seen: CheckedValues) => seen.reduce<number>((sum, value) => sum + String(value).length, 0);
  const create = () =>
    new LRUCache<string, CheckedValues>({ max: MAX_HELD, maxEntrySize: MAX_CHARACTERS, sizeCalculation });
  return processStore("approvals-that-held", create);
}

/** Like `checkStoredApproval`, with other keys and without the cache. */
export function checkWithKeys(
  { skill, version }: StoredApproval,
  keys: Parameters<typeof checkApproval>[0]["keys"],
): string | null {
  let subjectJson: string;
  try {
    subjectJson = storedSubjectJson(skill, version);
  } catch {
    return "its class, grants or manifest are unreadable";
  }
  const counting = version.decisions.filter((decision) => decision.standing === "counts");
  const problem = checkApproval({
    versionDigest: version.digest,
    files: version.files,
    subjectJson,
    subject: version.subject,
    manifest: version.manifest,
    signatures: counting.map(({ id, actorId, ...signed }) => ({ ...signed, decisionId: id, signerId: actorId })),
    keys,
  });
  return problem ?? (counting.every(isShownAsSigned) ? null : "a stored decision differs from its signed statement");
}

export type ShownDecision = {
  decision: string;
  actorId: string;
  actorName: string;
  comment: string;
  class: string | null;
  grants: string | null;
  entry: string | null;
  tier: string | null;
  soloMode: boolean;
  createdAt: Date;
  subjectJson: string | null;
  statement: string | null;
};

const Signed = z.object({
  class: z.string(),
  entry: z.string().nullable(),
  schema: z.unknown(),
  grants: z.unknown(),
  call: z.unknown().optional(),
  output: z.string().optional(),
});

/** Whether the displayed columns of a decision equal its signed statement. */
export function isShownAsSigned(row: ShownDecision): boolean {
  return row.decision === "activate" ? isShownActivation(row) : isShownApproval(row);
}

function isShownActivation(row: ShownDecision): boolean {
  try {
    const { signer, at, soloMode, tier, commentDigest } = keepParsed(ActivationStatement, row.statement ?? "");
    return (
      signer.id === row.actorId &&
      signer.name === row.actorName &&
      at === row.createdAt.toISOString() &&
      soloMode === row.soloMode &&
      tier === row.tier &&
      commentDigest === sha256Hex(row.comment) &&
      row.class === null &&
      row.grants === null &&
      row.entry === null
    );
  } catch {
    return false;
  }
}

/** Older statements have no digest of the comment. */
function isShownApproval(row: ShownDecision): boolean {
  try {
    const statement = keepParsed(ApprovalStatement, row.statement ?? "");
    const subject = keepParsed(Signed, row.subjectJson ?? "");
    return (
      statement.signer.id === row.actorId &&
      statement.signer.name === row.actorName &&
      statement.at === row.createdAt.toISOString() &&
      statement.soloMode === row.soloMode &&
      statement.tier === row.tier &&
      (statement.commentDigest === undefined || statement.commentDigest === sha256Hex(row.comment)) &&
      subject.class === row.class &&
      canonicalJson(subject.grants) === canonicalJson(JSON.parse(row.grants ?? "null")) &&
      isEntryOf(subject, row.entry)
    );
  } catch {
    return false;
  }
}

/** A decision without an entry keeps the entry of the files. */
function isEntryOf({ entry, call, schema, output }: z.infer<typeof Signed>, shown: string | null): boolean {
  if (shown === null) return call === undefined;
  return canonicalJson(JSON.parse(shown)) === canonicalJson({ path: entry, call, schema, output });
}

type SkillPart = { id: string; ownerKey: string };
type VersionPart = { digest: string; manifest: string };

/** The subject that an approval with this class, these grants and this entry signs. */
export function subjectOf(
  skill: SkillPart,
  version: VersionPart,
  terms: { class: SkillClass; grants: Grants; entry: ScriptEntry | null },
): ApprovalSubject {
  const manifest = keepParsed(SkillManifest, version.manifest);
  return {
    skillId: skill.id,
    owner: skill.ownerKey,
    versionDigest: version.digest,
    class: terms.class,
    entry: terms.entry ? terms.entry.path : manifest.entry,
    schema: terms.entry ? terms.entry.schema : manifest.schema,
    grants: terms.grants,
    limits: { timeoutSeconds: timeoutOf(terms.grants) },
    ...(terms.entry ? { call: terms.entry.call, output: terms.entry.output } : {}),
  };
}

/** The subject of the stored terms, as canonical JSON. Throws when a column was not written by this program. */
function storedSubjectJson(
  skill: SkillPart,
  version: VersionPart & { class: string | null; grants: string | null; entry: string | null },
): string {
  const terms = {
    class: SkillClass.parse(version.class),
    grants: keepParsed(Grants, version.grants ?? "{}"),
    entry: decidedEntry(version),
  };
  return subjectJson(subjectOf(skill, version, terms));
}
