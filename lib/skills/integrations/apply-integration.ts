import { recordEvent } from "@/lib/audit/record-event";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import type { Integration as IntegrationRow } from "@/lib/db/generated/client";
import { ORG } from "@/lib/policy/owner-key";
import { JsonObject } from "@/lib/skill-format/schema";
import { type ReadSkill, storeVersion } from "../store-version";
import type { ReadDomain } from "./read-domains";
import type { SkippedSkill } from "./schema";

/**
 * Takes the skills of an integration’s folder into the entry that was set up, each as a pending version. A skill that people
 * edited here keeps their version, and what the folder holds of it is skipped. Answers how many versions came in.
 */
export async function applyIntegration(tx: Tx, ctx: Ctx, entry: IntegrationRow, read: ReadDomain): Promise<number> {
  const version = read.manifest?.version ?? "";
  const skipped: SkippedSkill[] = [...read.skipped];
  let stored = 0;
  for (const skill of read.skills) {
    const reason = await whyKeepTheirs(tx, entry, skill);
    if (reason !== null) skipped.push({ name: skill.folder, reason });
    else if (await store(tx, ctx, entry, { skill, version, domain: read.domain })) stored += 1;
  }
  const problems = JSON.stringify(skipped);
  await tx.integration.update({ where: { id: entry.id }, data: { version, problems, updatedAt: ctx.now() } });
  await recordEvent(tx, ctx, {
    action: "integration.read",
    summary: `read ${read.domain} ${version}: ${stored} to review, ${skipped.length} skipped`,
    target: { kind: "integration", id: entry.id, name: read.domain },
    concerns: entry.userId,
    data: { version, skipped },
  });
  return stored;
}

async function store(
  tx: Tx,
  ctx: Ctx,
  entry: IntegrationRow,
  { skill, version, domain }: { skill: ReadSkill; version: string; domain: string },
): Promise<boolean> {
  const sourceId = `${domain}:${skill.folder}`;
  const { skillId, effect } = await storeVersion(
    tx,
    ctx,
    { userId: entry.createdById, name: entry.createdByName },
    {
      read: skill,
      ownerKey: entry.ownerKey,
      source: "integration",
      state: "pending",
      provenance: { integration: domain, folder: skill.folder, integrationVersion: version },
    },
  );
  await tx.skill.update({ where: { id: skillId }, data: { sourceId, sourceVersion: version } });
  return effect !== "known";
}

/**
 * Why the integration’s skill is left out: a person deleted it since the entry was set up, or edited it, or the person or the
 * organisation that the entry is for has a skill of the name.
 */
async function whyKeepTheirs(tx: Tx, entry: IntegrationRow, { manifest, folder }: ReadSkill): Promise<string | null> {
  const deleted = await tx.skill.findFirst({
    where: { ownerKey: entry.ownerKey, sourceId: `${entry.domain}:${folder}`, deletedAt: { gt: entry.createdAt } },
    select: { id: true },
  });
  if (deleted !== null) {
    return `“${manifest.name}” was deleted here. It comes back when the integration is removed and set up again.`;
  }
  const newest = await tx.version.findFirst({
    where: { skill: { ownerKey: entry.ownerKey, liveSlug: manifest.slug } },
    orderBy: { number: "desc" },
    select: { provenance: true, createdByName: true, number: true },
  });
  if (newest !== null && !("integration" in parseJsonColumn(JsonObject, newest.provenance))) {
    return `${newest.createdByName} changed “${manifest.name}” here (version ${newest.number}); their version stays.`;
  }
  const theirs = await tx.skill.findFirst({
    where: { ownerKey: entry.userId ?? ORG, liveSlug: manifest.slug },
    select: { name: true, source: true },
  });
  if (theirs === null) return null;
  const whose = entry.userId === null ? "The organisation" : entry.createdByName;
  return `${whose} has a skill “${theirs.name}” already (${theirs.source}), which comes first. Rename or delete it, and set the integration up again.`;
}
