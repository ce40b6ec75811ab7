import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";
import { keepParsed } from "@/lib/core/keep-parsed";
import { ActivationStatement } from "@/lib/policy/activation-statement";
import { ApprovalStatement } from "@/lib/policy/approval-statement";

/** What pages show of an approval or an activation, and what was signed. */
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

/** Whether everything that pages show of a signed decision is what was signed. */
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

/**
 * Whether everything that pages show of an approval is what its statement and its subject say: signer, time, comment, class,
 * grants, entry, tier and solo mode. A statement without a comment's digest leaves the comment open.
 */
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

/** A decision without an entry leaves that of the files. */
function isEntryOf({ entry, call, schema, output }: z.infer<typeof Signed>, shown: string | null): boolean {
  if (shown === null) return call === undefined;
  return canonicalJson(JSON.parse(shown)) === canonicalJson({ path: entry, call, schema, output });
}
