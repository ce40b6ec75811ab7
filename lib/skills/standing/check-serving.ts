import type { Ctx } from "@/lib/db/context";
import { checkStoredApproval, type StoredApproval } from "./check-stored-approval";
import { NO_ORDER, readServingOrders, whyNotServing } from "./serving-order";

/** Of versions of any number of skills those that may not serve as they are stored, with the reason as `checkServing` gives it. */
export async function findNotServing(
  ctx: Pick<Ctx, "database" | "tx" | "db">,
  rows: { skill: Serving["skill"]; version: { id: string } }[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE);
    const stored = await ctx.db.version.findMany({
      where: { id: { in: some.map(({ version }) => version.id) } },
      include: { files: { orderBy: { path: "asc" } }, decisions: { orderBy: { id: "asc" } } },
    });
    const byId = new Map(stored.map((version) => [version.id, version]));
    const orders = await readServingOrders(ctx, [...new Set(some.map(({ skill }) => skill.id))]);
    for (const {
      skill,
      version: { id },
    } of some) {
      const version = byId.get(id);
      const problem =
        version === undefined
          ? "it is gone"
          : ((await checkStoredApproval(ctx, { skill, version })) ??
            whyNotServing(orders.get(skill.id) ?? NO_ORDER, version, skill.currentId === id));
      if (problem !== null) found.set(id, problem);
    }
  }
  return found;
}

/** Versions read by one query: databases bound the parameters of a statement. */
const AT_ONCE = 500;

type Serving = StoredApproval & { skill: { currentId: string | null }; version: { id: string } };

/**
 * Whether a version serves as it was signed: its approval verifies, the audit knows it as the last one of the version, and
 * when it is the active one of its skill, statements and audit say so too. Null, or what is wrong as the end of a sentence.
 */
export async function checkServing(
  ctx: Pick<Ctx, "database" | "tx">,
  { skill, version }: Serving,
): Promise<string | null> {
  const problem = await checkStoredApproval(ctx, { skill, version });
  if (problem !== null) return problem;
  const order = (await readServingOrders(ctx, [skill.id])).get(skill.id) ?? NO_ORDER;
  return whyNotServing(order, version, skill.currentId === version.id);
}
