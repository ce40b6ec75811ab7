import { z } from "zod";
import { type Actor, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { type Overlay, Prisma } from "@/lib/db/generated/client";
import { readComposed } from "@/lib/db/sql";
import { ownerIdOf } from "@/lib/policy/ownership";
import { hasScope, requireScope, seesAll } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { readVisibleSkills } from "@/lib/skills/access/visible-skills";
import { canManage, requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { type ListOverlaysQuery, OverlayContent, OverlayEvidence, OverlayExample, SkillOverlay } from "./schema";

/** Overlays of one skill, or of all visible skills, newest first. Only managers and reviewers see proposals. */
export async function listOverlays(ctx: Ctx, query: ListOverlaysQuery, idOrName?: string): Promise<Page<SkillOverlay>> {
  requireScope(ctx.actor, "read");
  const only = idOrName === undefined ? null : await requireSkill(ctx, idOrName);
  const after = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const where = [Prisma.sql`1 = 1`];
  if (only) where.push(Prisma.sql`"skillId" = ${only.id}`);
  if (query.state) where.push(Prisma.sql`"state" = ${query.state}`);
  if (after !== null) where.push(Prisma.sql`"id" < ${after}`);
  const rows = await readComposed<OverlayRow>(
    ctx,
    Prisma.sql`SELECT * FROM "Overlay" WHERE ${Prisma.join(where, " AND ")} ORDER BY "id" DESC LIMIT ${query.limit + 1}`,
    { optimizedAt: "date", createdAt: "date", decidedAt: "date" },
  );
  const byId = await readVisibleSkills(
    ctx,
    rows.map(({ skillId }) => skillId),
  );
  const policy = await getSettings(ctx);
  const page = toPage(rows, query.limit, ({ id }) => id);
  const items = page.items.flatMap((row) => {
    const found = byId.get(row.skillId);
    const skill = found && { ...found, current: found.digest === null ? null : { digest: found.digest } };
    if (!skill || !(PUBLISHED_STATES.includes(row.state) || seesProposals(ctx.actor, skill))) return [];
    return [presentOverlay(ctx, row, skill, policy)];
  });
  return { items, nextCursor: page.nextCursor };
}

export async function getOverlay(ctx: Ctx, id: string): Promise<SkillOverlay> {
  requireScope(ctx.actor, "read");
  const { row, skill } = await requireOverlay(ctx, id);
  return presentOverlay(ctx, row, skill, await getSettings(ctx));
}

export async function getOverlayToml(ctx: Ctx, id: string): Promise<string> {
  requireScope(ctx.actor, "read");
  const { row } = await requireOverlay(ctx, id);
  return row.toml;
}

/** An overlay with its skill; `not_found` also when the caller may not see it. */
export async function requireOverlay(ctx: Ctx, id: string): Promise<{ row: OverlayRow; skill: SkillRow }> {
  const row = await ctx.db.overlay.findUnique({ where: { id } });
  if (!row) throw unknown(id);
  const skill = await requireSkill(ctx, row.skillId);
  if (!PUBLISHED_STATES.includes(row.state) && !seesProposals(ctx.actor, skill)) throw unknown(id);
  return { row, skill };
}

function unknown(id: string): AppError {
  return new AppError("not_found", `There is no overlay “${id.slice(0, 64)}”.`);
}

type OverlaySkill = { id: string; name: string; ownerKey: string; current: { digest: string } | null };
export type OverlayRow = Overlay;
type SigningRules = { soloMode: boolean };

/** Work that has not ended after this time was interrupted by the end of the process. */
const LONGEST_WORK_MS = 15 * 60 * 1000;

/** Leaves out the evidence traces for callers who may not see them: they may belong to other people. */
export function presentOverlay(
  { actor, now }: { actor: Actor; now(): Date },
  row: OverlayRow,
  skill: OverlaySkill,
  policy: SigningRules,
): SkillOverlay {
  const before = parseJsonColumn(OverlayContent, row.before);
  const evidence = parseJsonColumn(OverlayEvidence, row.evidence);
  const isCutOff = row.state === "working" && now().getTime() - row.createdAt.getTime() > LONGEST_WORK_MS;
  const state = isCutOff ? "failed" : row.state;
  const whyNot = whyNotDecide(actor, row, policy);
  const isOpen = state === "pending";
  return SkillOverlay.parse({
    ...row,
    skill,
    state,
    error: isCutOff ? "The server stopped before the optimiser finished. Start it again." : row.error,
    isApplied: state === "approved" && skill.current?.digest === row.baseDigest,
    optimizedAt: row.optimizedAt.toISOString(),
    before,
    after: { description: row.description ?? before.description, fewShot: examplesOf(row) },
    evidence: seesProposals(actor, skill) ? evidence : { ...evidence, traces: [] },
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdByName,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: row.decidedByName,
    you: {
      mayDecide: isOpen && whyNot === null,
      whyNot: isOpen ? whyNot : null,
      mayWithdraw: mayWithdraw(actor, row, skill) && (isOpen || state === "approved"),
    },
  });
}

export function aboutOverlay(row: OverlayRow, skill: Pick<SkillRow, "id" | "name" | "ownerId" | "toolName">) {
  return {
    concerns: skill.ownerId,
    target: { kind: "overlay", id: row.id, name: skill.name },
    skillId: skill.id,
    versionDigest: row.baseDigest,
    tool: skill.toolName,
  };
}

/** Whether the caller sees proposals: managers of the skill and people who see all traces. Others see published overlays. */
function seesProposals(actor: Actor, skill: { ownerKey: string }): boolean {
  return isPerson(actor) && (seesAll(actor) || canManage(actor, skill));
}

/** States of overlays that agents use or have used. */
const PUBLISHED_STATES = ["approved", "replaced"];

export function examplesOf(row: { fewShot: string }): OverlayExample[] {
  return parseJsonColumn(z.array(OverlayExample), row.fewShot);
}

/** Why this person may not decide on an overlay: only reviewers may, and outside solo mode not its proposer. */
export function whyNotDecide(
  actor: Actor,
  row: Pick<Prisma.OverlayGetPayload<object>, "createdById">,
  policy: SigningRules,
): string | null {
  if (!isPerson(actor) || !hasScope(actor, "review")) return "Only a reviewer may decide on this overlay.";
  if (!policy.soloMode && row.createdById === actor.userId) {
    return "You proposed this overlay; another reviewer has to decide.";
  }
  return null;
}

/** The proposer, the skill's owner and reviewers may withdraw an overlay; the skill's own texts then apply again. */
export function mayWithdraw(actor: Actor, row: { createdById: string | null }, skill: { ownerKey: string }): boolean {
  if (!isPerson(actor) || !hasScope(actor, "write")) return false;
  return hasScope(actor, "review") || row.createdById === actor.userId || ownerIdOf(skill.ownerKey) === actor.userId;
}
