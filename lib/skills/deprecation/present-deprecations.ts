import { isPerson } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { type SkillRow, visibleTo } from "../skill-access";
import type { Deprecation } from "./schema";

type Marked = Pick<SkillRow, "id" | "deprecatedAt" | "deprecatedReason" | "replacedById">;

/** What is said of those of some skills that are deprecated, by id. */
export async function presentDeprecations(ctx: Ctx, rows: Marked[]): Promise<Map<string, Deprecation>> {
  const ids = rows.flatMap(({ deprecatedAt, replacedById }) => (deprecatedAt && replacedById ? [replacedById] : []));
  const replacements =
    ids.length === 0 || !isPerson(ctx.actor)
      ? []
      : await ctx.db.skill.findMany({
          where: { AND: [visibleTo(ctx.actor), { id: { in: ids }, listed: true }] },
          select: { id: true, name: true, label: true },
        });
  const byId = new Map(replacements.map((skill) => [skill.id, skill]));
  return new Map(
    rows.flatMap(({ id, deprecatedAt, deprecatedReason, replacedById }): [string, Deprecation][] =>
      deprecatedAt === null
        ? []
        : [
            [
              id,
              {
                at: deprecatedAt.toISOString(),
                reason: deprecatedReason ?? "",
                replacedBy: byId.get(replacedById ?? "") ?? null,
              },
            ],
          ],
    ),
  );
}
