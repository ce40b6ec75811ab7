import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireManagedSkill } from "@/lib/skills/skill-access";
import { getVersion } from "@/lib/skills/versions/get-version";
import type { Version } from "@/lib/skills/versions/schema";
import { assertImportQuota } from "@/lib/skills/versions/store-version";
import { visibleCatalog } from "../browse/visible-catalog";
import { planDependencies } from "../install/plan-dependencies";
import { type EntryWithSource, readFolder } from "../install/read-folder";
import { storeFolder } from "../install/store-folder";
import { findUpstream } from "./find-upstream";
import type { BulkUpdateAnswer, BulkUpdateInput } from "./schema";

/**
 * Stores the upstream files as a pending version; the active version stays active until a reviewer approves. Concurrent
 * calls get the same version. `conflict` as in `findUpstream`, and when the skill was renamed upstream.
 */
export async function applyUpdate(ctx: Ctx, idOrName: string): Promise<Version> {
  const actor = requireScope(ctx.actor, "write");
  const skill = await requireManagedSkill(ctx, idOrName);
  await assertImportQuota(ctx, actor.userId);
  const upstream = await findUpstream(ctx, skill);
  const folder = await readFolder(ctx, upstream);
  if (folder.read.manifest.slug !== skill.slug) {
    const renamed = folder.read.manifest.name;
    throw new AppError(
      "conflict",
      `The skill was renamed to “${renamed}” upstream. Install it under that name and delete “${skill.name}”.`,
    );
  }
  await assertNeedsAreHere(ctx, upstream, skill.ownerKey);
  const stored = await inTransaction(ctx, async (tx, txCtx) => {
    const { ownerKey, id } = await requireManagedSkill(txCtx, skill.id);
    const known = await tx.catalogInstall.findUnique({ where: { skillId: id }, select: { packId: true } });
    return storeFolder(tx, txCtx, actor, folder, { ownerKey, packId: known?.packId ?? null });
  });
  return getVersion(ctx, stored.skillId, stored.digest);
}

/** Throws `conflict` that names the skills which the new version needs and the owner lacks. */
async function assertNeedsAreHere(ctx: Ctx, upstream: EntryWithSource, ownerKey: string): Promise<void> {
  const { nodes, problems } = await planDependencies(ctx, await visibleCatalog(ctx), upstream, ownerKey);
  const absent = nodes.filter(({ state }) => state === "listed").map(({ name }) => `“${name}”`);
  if (problems.length === 0 && absent.length === 0) return;
  const advice = absent.length === 0 ? [] : [`Install ${absent.join(", ")} first, which the new version needs.`];
  throw new AppError("conflict", ["The update was not stored.", ...problems, ...advice].join(" "));
}

/** Applies several updates independently and reports each failure. */
export async function applyUpdates(ctx: Ctx, { skillIds }: BulkUpdateInput): Promise<BulkUpdateAnswer> {
  requireScope(ctx.actor, "write");
  const answer: BulkUpdateAnswer = { updated: [], failed: [] };
  for (const skillId of new Set(skillIds)) {
    try {
      answer.updated.push({ skillId, digest: (await applyUpdate(ctx, skillId)).digest });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      answer.failed.push({ skillId, code: error.code, message: error.message });
    }
  }
  return answer;
}
