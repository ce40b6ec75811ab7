import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { ORG, parseOwnerKey, personaKey } from "@/lib/policy/ownership";
import { requireScope } from "@/lib/policy/require-scope";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { aboutSkill } from "@/lib/skills/about-skill";
import { getSkill } from "../get-skill";
import type { Skill } from "../schema";
import { requireManagedSkill, type SkillRow } from "../skill-access";
import { requireVersion } from "../version-access";
import { readVersionFiles } from "../versions/read-blob";
import { assertImportQuota, storeVersion } from "../versions/store-version";
import type { PublishInput } from "./schema";

const REFUSED = new Set(["rejected", "revoked"]);

/**
 * Copies a skill for the organisation, or (by an admin) for a persona, as a pending version. The personal skill stays.
 * An authored or imported skill of the same name gets the bytes as its next version. `conflict` when the name belongs
 * to a catalog source or the bytes are already known.
 */
export async function publishSkill(ctx: Ctx, idOrName: string, input: PublishInput): Promise<Skill> {
  const actor = requireScope(ctx.actor, "write");
  await assertImportQuota(ctx, actor.userId);
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    const ownerKey = await targetOf(txCtx, actor, skill, input);
    const digest = input.digest ?? skill.current?.digest ?? skill.pending?.digest ?? (await newestDigest(txCtx, skill));
    const { version } = await requireVersion(txCtx, skill.id, digest);
    if (REFUSED.has(version.state)) {
      throw new AppError(
        "conflict",
        `Version ${version.number} of “${skill.name}” was ${version.state}; publish another.`,
      );
    }
    await assertNameFits(txCtx, skill, ownerKey);
    const files = await readVersionFiles(txCtx, version);
    const stored = await storeVersion(
      tx,
      txCtx,
      // The author stays the author, so that neither author nor publisher can approve the copy alone.
      { userId: version.createdById, name: version.createdByName },
      {
        read: { folder: skill.slug, files, ...readSkill(files, { folder: skill.slug }) },
        ownerKey,
        source: skill.source === "authored" ? "authored" : "imported",
        state: "pending",
        provenance: { publishedFrom: skill.id, publishedBy: actor.name },
      },
    );
    if (stored.effect === "known") await assertStillWaits(txCtx, stored.versionId, skill.name);
    await recordEvent(tx, txCtx, {
      action: "skill.publish",
      summary: `submitted ${skill.name} ${digest.slice(0, 7)} for review for ${ownerKey === ORG ? "the organisation" : "a persona"}`,
      ...aboutSkill(skill),
      versionDigest: digest,
      concerns: skill.ownerId,
      data: { publishedAs: stored.skillId, owner: ownerKey },
    });
    return getSkill(txCtx, stored.skillId);
  });
}

async function targetOf(ctx: Ctx, actor: PersonActor, skill: SkillRow, input: PublishInput): Promise<string> {
  if (input.persona !== undefined) {
    requireScope(actor, "admin");
    const persona = await ctx.db.persona.findUnique({ where: { id: input.persona } });
    if (persona === null) throw new AppError("not_found", `There is no persona ${input.persona}.`);
    return personaKey(persona.id);
  }
  const owner = parseOwnerKey(skill.ownerKey);
  if (owner.kind === "user") return ORG;
  throw new AppError("conflict", `“${skill.name}” is not a personal skill; only personal skills can be published.`);
}

async function newestDigest(ctx: Ctx, skill: SkillRow): Promise<string> {
  const newest = await ctx.db.version.findFirst({ where: { skillId: skill.id }, orderBy: { number: "desc" } });
  return newest?.digest ?? "";
}

async function assertNameFits(ctx: Ctx, skill: SkillRow, ownerKey: string): Promise<void> {
  const taken = await ctx.db.skill.findFirst({ where: { ownerKey, liveSlug: skill.slug } });
  if (taken === null || taken.source === "authored" || taken.source === "imported") return;
  throw new AppError("conflict", `A skill “${taken.name}” from a ${taken.source} already exists there. Rename yours.`);
}

async function assertStillWaits(ctx: Ctx, versionId: string, name: string): Promise<void> {
  const { state } = await ctx.db.version.findUniqueOrThrow({ where: { id: versionId } });
  if (state === "pending") return;
  throw new AppError("conflict", `This version of “${name}” already exists there: it is ${state.replace("_", " ")}.`);
}
