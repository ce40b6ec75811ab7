import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { proposeClass } from "@/lib/policy/propose-class";
import type { SigningPolicy } from "@/lib/policy/signatures-needed";
import { SkillManifest } from "@/lib/skill-format/schema";
import { countSignatures } from "@/lib/skills/approval-round";
import { submitterOf } from "@/lib/skills/get-version";
import { presentOwners } from "@/lib/skills/present-owners";
import { type FindingSeverity, VersionState } from "@/lib/skills/schema";
import { measureChange } from "./measure-change";
import type { ReviewItem } from "./schema";
import type { Waiting, WaitingVersion } from "./waiting-version";

/** Rows of the queue as the API gives them. */
export async function presentReviews(ctx: Ctx, waiting: Waiting[], policy: SigningPolicy): Promise<ReviewItem[]> {
  const owners = await presentOwners(
    ctx,
    waiting.map(({ row }) => row.skill),
  );
  return Promise.all(waiting.map((item) => present(ctx, item, policy, owners)));
}

async function present(
  ctx: Ctx,
  { row, reason }: Waiting,
  policy: SigningPolicy,
  owners: Awaited<ReturnType<typeof presentOwners>>,
): Promise<ReviewItem> {
  const { skill } = row;
  const manifest = parseJsonColumn(SkillManifest, row.manifest);
  const submittedAt = row.submittedAt ?? row.createdAt;
  const { approvals, needed } = countSignatures(row, policy);
  return {
    skill: { id: row.skillId, name: skill.name, label: manifest.label, description: manifest.description },
    digest: row.digest,
    number: row.number,
    state: VersionState.parse(row.state),
    class: proposeClass(manifest, row.files).class,
    kind: manifest.kind,
    submittedAt: submittedAt.toISOString(),
    submittedBy: submitterOf(row),
    files: row.files.length,
    bytes: row.files.reduce((sum, file) => sum + file.size, 0),
    allowedTools: manifest.allowedTools,
    diagnostics: z.array(z.unknown()).parse(JSON.parse(row.diagnostics)).length,
    approvals: { given: approvals.length, needed },
    isUpdate: skill.currentId !== null && skill.currentId !== row.id,
    reason,
    returnedReason: row.state === "pending" ? row.returnedReason : null,
    owner: owners.get(skill.ownerKey) ?? { kind: "org", id: null, name: "" },
    ageSeconds: Math.max(0, Math.floor((ctx.now().getTime() - submittedAt.getTime()) / 1000)),
    change: await measureChange(ctx, skill.current, row),
    scan: row.scan === null ? "pending" : row.scan.complete ? "complete" : "incomplete",
    severities: countOpen(row),
  };
}

function countOpen(row: WaitingVersion): ReviewItem["severities"] {
  const dismissed = new Set(row.dismissals.map(({ fingerprint }) => fingerprint));
  const open = row.findings.filter(({ fingerprint }) => !dismissed.has(fingerprint));
  const count = (severity: FindingSeverity) => open.filter((finding) => finding.severity === severity).length;
  return { critical: count("critical"), high: count("high"), medium: count("medium"), info: count("info") };
}
