import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { FileMode } from "@/lib/skill-format/schema";
import { countingApprovals } from "@/lib/skills/standing/approval-round";
import { requireVersion } from "@/lib/skills/version-access";
import type { ApprovalBundle } from "./schema";

/** An approval with all that it takes to check it offline; `not_found` for a version that is not approved. */
export async function exportApproval(ctx: Ctx, idOrName: string, digest: string): Promise<ApprovalBundle> {
  requireScope(ctx.actor, "read");
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const approvals = countingApprovals(version);
  const [first] = approvals;
  if (version.state !== "approved" || !first?.subjectJson || version.subject === null) {
    throw new AppError("not_found", `Version ${version.digest.slice(0, 7)} of “${skill.name}” has no approval.`);
  }
  const keys = await ctx.db.reviewKey.findMany({
    where: { id: { in: approvals.flatMap(({ keyId }) => keyId ?? []) } },
  });
  return {
    format: "skillgate-approval-bundle/1",
    skill: { id: skill.id, name: skill.name },
    versionDigest: version.digest,
    files: version.files.map(({ path, mode, sha256, size }) => ({ path, mode: FileMode.parse(mode), sha256, size })),
    subjectJson: first.subjectJson,
    subject: version.subject,
    signatures: approvals.map(({ statement, signature, keyId }) => ({
      statement: statement ?? "",
      signature: signature ?? "",
      keyId: keyId ?? "",
    })),
    keys: keys.map((key) => ({ keyId: key.id, publicKey: key.publicKey })),
    exportedAt: ctx.now().toISOString(),
  };
}
