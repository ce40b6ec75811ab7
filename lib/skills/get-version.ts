import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { declaredGrants } from "@/lib/policy/grants/settle-grants";
import { proposeClass } from "@/lib/policy/propose-class";
import { getSettings } from "@/lib/settings/get-settings";
import { Diagnostic, FileMode, JsonObject, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { whyNotServed } from "./access/worker-allowances";
import { listActivatable } from "./activation-rights";
import { countSignatures, openApprovals } from "./approval-round";
import { checkAuthorSignature } from "./author-signature";
import { carriedEntry } from "./carried-entry";
import { presentVersionSummary } from "./list-versions";
import { readEntry, readGrants } from "./present-decisions";
import { presentFindings } from "./present-findings";
import { CapabilityGroup, type Version } from "./schema";
import { NO_ORDER, readServingOrders } from "./serving-order";
import type { SkillRow } from "./skill-access";
import { requireVersion, type VersionRow } from "./version-access";
import { whatCallerMay } from "./version-rights";

/** One version with everything a reviewer looks at: manifest, files, findings, capabilities, decisions. */
export async function getVersion(ctx: Ctx, idOrName: string, digest: string): Promise<Version> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  return presentVersion(ctx, skill, version);
}

export async function presentVersion(ctx: Ctx, skill: SkillRow, row: VersionRow): Promise<Version> {
  const manifest = parseJsonColumn(SkillManifest, row.manifest);
  const proposal = proposeClass(manifest, row.files);
  const settings = await getSettings(ctx);
  const order = (await readServingOrders(ctx, [skill.id])).get(skill.id) ?? NO_ORDER;
  const files = row.files.map(({ path, mode, sha256 }) => ({ path, mode: FileMode.parse(mode), sha256 }));
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: row.id } });
  return {
    ...(await presentVersionSummary(ctx, skill, row, order)),
    skillId: row.skillId,
    manifest,
    provenance: parseJsonColumn(JsonObject, row.provenance),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    submittedBy: row.submittedAt === null ? null : submitterOf(row),
    proposedClass: proposal.class,
    proposedClassReason: proposal.reason,
    grants: readGrants(row.grants),
    declaredGrants: declaredGrants(manifest),
    entry: readEntry(row.entry),
    carriedEntry: await carriedEntry(ctx, skill, row),
    files: row.files.map(({ path, mode, sha256, size, isText }) => ({
      path,
      mode: FileMode.parse(mode),
      sha256,
      size,
      isText,
    })),
    diagnostics: parseJsonColumn(z.array(Diagnostic), row.diagnostics),
    signature: await checkAuthorSignature(ctx, manifest, files, settings.authorKeys),
    findings: await presentFindings(ctx, row),
    scan: {
      state: scan === null ? "pending" : scan.complete ? "complete" : "incomplete",
      rulesVersion: scan?.rulesVersion ?? null,
      at: scan?.scannedAt.toISOString() ?? null,
    },
    capabilities: scan === null ? null : parseJsonColumn(z.array(CapabilityGroup), scan.capabilities),
    approvals: presentApprovals(row, settings),
    you: whatCallerMay(ctx.actor, skill, row, settings),
    activatable: await listActivatable(ctx, skill),
    subject: row.subject,
    notServed: row.state === "approved" ? await whyNotServed(ctx, skill, row) : null,
  };
}

export function submitterOf(row: {
  createdById: string;
  createdByName: string;
  submittedById: string | null;
  submittedByName: string | null;
}): { id: string; name: string } {
  return { id: row.submittedById ?? row.createdById, name: row.submittedByName ?? row.createdByName };
}

function presentApprovals(row: VersionRow, policy: Parameters<typeof countSignatures>[1]): Version["approvals"] {
  const { approvals, needed } = countSignatures(row, policy);
  const [first] = openApprovals(row);
  const grants = readGrants(first?.grants ?? null);
  return {
    given: approvals.length,
    needed,
    by: approvals.map(({ actorId, actorName, createdAt }) => ({
      id: actorId,
      name: actorName,
      at: createdAt.toISOString(),
    })),
    terms: first && grants ? { class: SkillClass.parse(first.class), grants, entry: readEntry(first.entry) } : null,
  };
}
