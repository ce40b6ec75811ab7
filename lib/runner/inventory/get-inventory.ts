import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { SkillClass } from "@/lib/skill-format/schema";
import { VersionState } from "@/lib/skills/schema";
import type { Inventory } from "./schema";
import { readInventory } from "./stored-inventory";

/** What a worker has by its last inventory: each skill with its review, and what could not be used. For admins. */
export async function getInventory(ctx: Ctx, id: string): Promise<Inventory> {
  requireScope(ctx.actor, "admin");
  const worker = await ctx.db.worker.findFirst({
    where: { id, revokedAt: null },
    include: { skills: { include: { skill: { include: { current: true } } } } },
  });
  if (!worker) throw new AppError("not_found", "There is no such worker.");
  const { items, problems, refused } = readInventory(worker.inventory);
  const kinds = new Map(items.map(({ path, kind }) => [path, kind]));
  const versions = await ctx.db.version.findMany({
    where: { id: { in: worker.skills.map(({ versionId }) => versionId) } },
    select: { id: true, digest: true, number: true, state: true },
  });
  const versionOf = new Map(versions.map((version) => [version.id, version]));
  return {
    at: worker.inventoryAt?.toISOString() ?? null,
    skills: worker.skills
      .flatMap(({ path, skill, versionId }) => {
        const version = versionOf.get(versionId);
        if (!version || skill.deletedAt !== null) return [];
        return {
          path,
          kind: kinds.get(path) ?? "directory",
          skill: { id: skill.id, name: skill.name, enabled: skill.enabled },
          scope: skill.scope === "host" ? ("host" as const) : ("manager" as const),
          class: SkillClass.parse(skill.class),
          version: { digest: version.digest, number: version.number, state: VersionState.parse(version.state) },
          serves: skill.currentId === versionId,
        };
      })
      .sort((a, b) => (a.skill.name < b.skill.name ? -1 : 1)),
    problems: [...problems, ...refused],
  };
}
