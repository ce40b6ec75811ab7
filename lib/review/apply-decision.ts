import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import type { Settings } from "@/lib/settings/schema";
import { type SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { servedManifest } from "@/lib/skills/approval/served-manifest";
import { tierOf } from "@/lib/skills/approval/trust";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import { metadataColumns } from "@/lib/skills/versions/store-version";
import { endAnalysesOf } from "./analysis/finish-analysis";
import type { DecideVersionInput } from "./schema";

export type Signer = { userId: string; name: string };

export type DecisionContext = { actor: Signer; skill: SkillRow; version: VersionRow; settings: Settings };

type DecisionRecord = {
  decision: DecideVersionInput["decision"] | "activate";
  /** Verb phrase that precedes the skill's name in the audit summary, such as “approved”. */
  sentence: string;
  given: number;
  needed: number;
  /** Sequence number of the activation when the decision also activates the version. */
  serves?: number | undefined;
  data?: Record<string, unknown>;
  row: Omit<Prisma.DecisionUncheckedCreateInput, "versionId" | "decision" | "soloMode" | "tier">;
};

/** Stores a decision and its audit event. */
export async function recordDecision(
  tx: Tx,
  ctx: Ctx,
  { skill, version, settings }: DecisionContext,
  { decision, sentence, given, needed, serves, data, row }: DecisionRecord,
): Promise<void> {
  const { soloMode } = settings;
  const tier = await tierOf(skill, version);
  await tx.decision.create({ data: { ...row, versionId: version.id, decision, soloMode, tier } });
  if (decision !== "activate" && row.standing !== "open")
    await endAnalysesOf(tx, ctx, { actorId: row.actorId, skill, version });
  const count = needed > 1 ? ` (${given} of ${needed})` : "";
  const solo = soloMode ? ", in solo mode" : "";
  const entry = row.entry ? { entry: row.entry } : {};
  const activation = serves === undefined ? {} : { serves };
  const signed = row.subject
    ? { grants: row.grants, ...entry, subject: row.subject, keyId: row.keyId, ...activation }
    : {};
  await recordEvent(tx, ctx, {
    action: `version.${decision}`,
    concerns: skill.ownerId ?? version.createdById,
    summary: `${sentence} ${skill.name} ${version.digest.slice(0, 7)}${count}${solo}`,
    target: { kind: "skill", id: skill.id, name: skill.name },
    skillId: skill.id,
    versionDigest: version.digest,
    tool: skill.toolName,
    class: row.class ?? (decision === "activate" ? version.class : null) ?? skill.class,
    ...(decision === "approve"
      ? { decision, approvers: await approversOf(tx, version.id, row.standing ?? "counts") }
      : {}),
    ...(decision === "activate" ? { approvers: await approversOf(tx, version.id, "counts") } : {}),
    ...(decision === "reject" ? { decision } : {}),
    data: {
      ...{ decisionId: row.id, comment: row.comment, soloMode, given, needed, class: row.class ?? null },
      ...signed,
      ...data,
    },
  });
}

async function approversOf(tx: Tx, versionId: string, standing: string): Promise<{ id: string; name: string }[]> {
  const where = { versionId, decision: "approve", standing };
  const signed = await tx.decision.findMany({ where, orderBy: { id: "asc" } });
  return signed.map(({ actorId, actorName }) => ({ id: actorId, name: actorName }));
}

type ActivatedVersion = { id: string; manifest: string; entry: string | null };

/** Makes an approved version the active one. Keeps the category and tags that people changed on the skill. */
export async function setActiveVersion(
  tx: Tx,
  ctx: Ctx,
  skill: SkillRow,
  version: ActivatedVersion,
  decidedClass: SkillClass,
): Promise<void> {
  const manifest = servedManifest(version);
  const shown = skill.current ? parseJsonColumn(SkillManifest, skill.current.manifest) : manifest;
  const tags = parseJsonColumn(z.array(z.string()), skill.tags);
  await tx.skill.update({
    where: { id: skill.id },
    data: {
      ...metadataColumns(manifest, decidedClass),
      ...(skill.category === shown.category ? { category: manifest.category } : {}),
      ...(JSON.stringify(tags) === JSON.stringify(shown.tags) ? { tags: JSON.stringify(manifest.tags) } : {}),
      currentId: version.id,
      pendingId: await newestPending(tx, skill.id),
      updatedAt: ctx.now(),
    },
  });
}

/** Clears `pendingId` of a refused or revoked version; if it was active, disables the skill. */
export async function clearActiveVersion(
  tx: Tx,
  ctx: Ctx,
  skill: SkillRow,
  version: { id: string; entry: string | null },
): Promise<void> {
  const wasActive = skill.currentId === version.id;
  await tx.skill.update({
    where: { id: skill.id },
    data: {
      ...(wasActive ? { currentId: null, enabled: false } : {}),
      ...(wasActive && version.entry !== null ? { runnable: false, argsSchema: null } : {}),
      pendingId: await newestPending(tx, skill.id),
      updatedAt: ctx.now(),
    },
  });
}

async function newestPending(tx: Tx, skillId: string): Promise<string | null> {
  const pending = await tx.version.findFirst({
    where: { skillId, state: "pending" },
    orderBy: { number: "desc" },
    select: { id: true },
  });
  return pending?.id ?? null;
}
