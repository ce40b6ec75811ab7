import { processStore } from "@/lib/core/process-store";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { checkApproval } from "@/lib/policy/check-approval";
import { storedSubjectJson } from "./approval-terms";

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

type StoredDecision = {
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
 * Whether what is stored of an approved version is what was signed with this instance's key: null, or what is wrong as the
 * end of a sentence. The bytes of the files are checked where they are read; here their hashes are.
 */
export async function checkStoredApproval(
  ctx: Pick<Ctx, "database">,
  { skill, version }: StoredApproval,
): Promise<string | null> {
  const key = await loadSigningKey(ctx.database.keyFolder);
  // All that the check looks at. When it is to the letter what was found to hold before, it holds.
  const text = JSON.stringify([
    key.keyId,
    skill.ownerKey,
    [version.manifest, version.class, version.grants, version.entry, version.subject],
    version.files.map(({ path, mode, sha256 }) => [path, mode, sha256]),
    version.decisions.map((row) => [
      [row.id, row.actorId, row.standing, row.subject],
      [row.subjectJson, row.statement, row.signature, row.keyId],
    ]),
  ]);
  const place = `${skill.id} ${version.digest}`;
  if (held().get(place) === text) return null;
  const problem = checkWithKeys({ skill, version }, new Map([[key.keyId, key.publicKey]]));
  if (problem === null) remember(place, text);
  return problem;
}

const MAX_HELD = 300;
const MAX_CHARACTERS = 256 * 1024;

/** Of the approvals checked last and found to hold, what was checked. */
function held(): Map<string, string> {
  return processStore("approvals-that-held", () => new Map<string, string>());
}

function remember(place: string, text: string): void {
  if (text.length > MAX_CHARACTERS) return;
  const known = held();
  known.delete(place);
  known.set(place, text);
  const [oldest] = known.keys();
  if (known.size > MAX_HELD && oldest !== undefined) known.delete(oldest);
}

/** The same with other keys than this process has. */
export function checkWithKeys(
  { skill, version }: StoredApproval,
  keys: Parameters<typeof checkApproval>[0]["keys"],
): string | null {
  let subjectJson: string;
  try {
    subjectJson = storedSubjectJson(skill, version);
  } catch {
    return "class, grants or what was read of its files are no longer readable";
  }
  return checkApproval({
    versionDigest: version.digest,
    files: version.files,
    subjectJson,
    subject: version.subject,
    signatures: version.decisions
      .filter((decision) => decision.standing === "counts")
      .map(({ id, actorId, ...signed }) => ({ ...signed, decisionId: id, signerId: actorId })),
    keys,
  });
}
