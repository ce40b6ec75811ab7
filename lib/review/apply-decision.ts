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
import type { DecideVersionInput } from "./schema";

/** Who decides: a person, or the name in which the release or the operator approves. */
export type Signer = { userId: string; name: string };

/** Who decides on what, under which policy. */
export type DecisionAct = { actor: Signer; skill: SkillRow; version: VersionRow; settings: Settings };

type Recorded = {
  decision: DecideVersionInput["decision"] | "activate";
  /** “approved”, before the name of the skill. */
  sentence: string;
  given: number;
  needed: number;
  /** The place of the version among the activations of its skill, when it becomes the active one with this decision. */
  serves?: number | undefined;
  /** More of the event’s data. */
  data?: Record<string, unknown>;
  row: Omit<Prisma.DecisionUncheckedCreateInput, "versionId" | "decision" | "soloMode" | "tier">;
};

/** Stores a decision and the event that tells of it. */
export async function recordDecision(
  tx: Tx,
  ctx: Ctx,
  { skill, version, settings }: DecisionAct,
  { decision, sentence, given, needed, serves, data, row }: Recorded,
): Promise<void> {
  const { soloMode } = settings;
  const tier = await tierOf(skill, version);
  await tx.decision.create({ data: { ...row, versionId: version.id, decision, soloMode, tier } });
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

/** Who has signed in this round, this one among them. */
async function approversOf(tx: Tx, versionId: string, standing: string): Promise<{ id: string; name: string }[]> {
  const where = { versionId, decision: "approve", standing };
  const signed = await tx.decision.findMany({ where, orderBy: { id: "asc" } });
  return signed.map(({ actorId, actorName }) => ({ id: actorId, name: actorName }));
}

type Served = { id: string; manifest: string; entry: string | null };

/** Makes an approved version the one that serves; what people set on the skill themselves stays. */
export async function serveVersion(
  tx: Tx,
  ctx: Ctx,
  skill: SkillRow,
  version: Served,
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

/** After a version was refused or revoked: it no longer waits, and if it served, nothing serves and the skill is off. */
export async function dropCurrent(
  tx: Tx,
  ctx: Ctx,
  skill: SkillRow,
  version: { id: string; entry: string | null },
): Promise<void> {
  const served = skill.currentId === version.id;
  await tx.skill.update({
    where: { id: skill.id },
    data: {
      ...(served ? { currentId: null, enabled: false } : {}),
      // What only its decision made runnable is not so by its files.
      ...(served && version.entry !== null ? { runnable: false, argsSchema: null } : {}),
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
