import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { approveRelease } from "@/lib/review/approve-release";
import { approveTrusted } from "@/lib/review/approve-trusted";
import type { InventoryItem, InventoryProblem, InventoryRequest, InventoryResponse } from "@/lib/worker/protocol";
import { requireWorker } from "../exchange";
import { type OfferedSkill, storeOffered } from "./store-offered";
import type { StoredInventory } from "./stored-inventory";

/**
 * Takes what a worker says it has. Folders whose files are all here become versions of skills, pending until somebody, or
 * the release or the operator in their place, approves them; of the others the hashes of the missing files are answered.
 * What the worker no longer has it no longer serves; its skill stays. A folder that cannot be taken is a problem, and
 * never keeps the others away.
 */
export async function receiveInventory(ctx: Ctx, request: InventoryRequest): Promise<InventoryResponse> {
  const { workerId } = requireWorker(ctx.actor);
  const worker = await ctx.db.worker.findUniqueOrThrow({ where: { id: workerId } });
  const missing = await findMissing(ctx, request.items);
  const isWhole = ({ files }: InventoryItem) => files.every(({ sha256 }) => !missing.has(sha256));
  const offered: OfferedSkill[] = [];
  const refused: InventoryProblem[] = [];
  for (const item of request.items.filter(isWhole)) {
    const stored = await storeOffered(ctx, worker, item, offered);
    if ("problem" in stored) refused.push({ path: item.path, message: stored.problem });
    else offered.push(stored);
  }
  await keep(ctx, worker, { ...request, refused }, offered, missing.size === 0);
  for (const { item, skillId, versionDigest } of offered) {
    if (item.kind === "builtin" && (await approveRelease(ctx, skillId, versionDigest))) continue;
    await approveTrusted(ctx, skillId, versionDigest);
  }
  const states = await ctx.db.version.findMany({
    where: { id: { in: offered.map(({ versionId }) => versionId) } },
    select: { id: true, state: true },
  });
  const stateOf = new Map(states.map(({ id, state }) => [id, state]));
  return {
    need: [...missing],
    skills: offered.map(({ item, name, skillId, versionId, versionDigest }) => ({
      ...{ path: item.path, name, skillId, versionDigest },
      state: stateOf.get(versionId) ?? "pending",
    })),
    problems: refused,
  };
}

async function findMissing(ctx: Ctx, items: InventoryItem[]): Promise<Set<string>> {
  const missing = new Set(items.flatMap(({ files }) => files.map(({ sha256 }) => sha256)));
  const all = [...missing];
  // In parts: a statement takes only so many parameters.
  for (let from = 0; from < all.length; from += 500) {
    const where = { sha256: { in: all.slice(from, from + 500) } };
    for (const { sha256 } of await ctx.db.blob.findMany({ where, select: { sha256: true } })) missing.delete(sha256);
  }
  return missing;
}

/** What a folder served stays served while its new files are on their way. */
async function keep(
  ctx: Ctx,
  worker: { id: string; name: string; inventory: string },
  said: StoredInventory,
  offered: OfferedSkill[],
  isComplete: boolean,
): Promise<void> {
  const { items, problems, refused } = said;
  const inventory = JSON.stringify({ items, problems, refused } satisfies StoredInventory);
  await inTransaction(ctx, async (tx, txCtx) => {
    const served = () => tx.workerSkill.findMany({ where: { workerId: worker.id }, orderBy: { path: "asc" } });
    const before = JSON.stringify(await served());
    await tx.worker.update({ where: { id: worker.id }, data: { inventory, inventoryAt: ctx.now() } });
    const paths = (isComplete ? offered.map(({ item }) => item) : items).map(({ path }) => path);
    await tx.workerSkill.deleteMany({ where: { workerId: worker.id, path: { notIn: paths } } });
    for (const { item, skillId, versionId } of offered) {
      const key = { workerId: worker.id, path: item.path };
      const serves = { skillId, versionId };
      await tx.workerSkill.upsert({ where: { workerId_path: key }, create: { ...key, ...serves }, update: serves });
    }
    if (inventory === worker.inventory && JSON.stringify(await served()) === before) return;
    await recordEvent(tx, txCtx, {
      action: "worker.inventory",
      summary: `has ${count(offered.length, "skill")}, and ${count(problems.length + refused.length, "problem")}${isComplete ? "" : "; files are still missing"}`,
      target: { kind: "worker", id: worker.id, name: worker.name },
      device: worker.name,
      data: { skills: offered.map(({ name, item }) => ({ name, path: item.path })), problems, refused },
    });
  });
}

function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}
