import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Worker } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { SkillClass } from "@/lib/skill-format/schema";
import { VersionState } from "@/lib/skills/versions/schema";
import { InventoryItem, InventoryProblem } from "@/lib/worker/protocol";
import type { Inventory } from "./schema";

/** The last inventory of a worker: each skill with its review state, and the problems. For admins. */
export async function getInventory(ctx: Ctx, id: string): Promise<Inventory> {
  requireScope(ctx.actor, "admin");
  const sql = sqlOf(ctx);
  const worker = await sql.get(WORKER, id);
  if (!worker) throw new AppError("not_found", "There is no such worker.");
  const { items, problems, refused } = readInventory(worker.inventory);
  const kinds = new Map(items.map(({ path, kind }) => [path, kind]));
  const held = await sql.all(HELD, id);
  return {
    at: worker.inventoryAt?.toISOString() ?? null,
    skills: held
      .map((row) => ({
        path: row.path,
        kind: kinds.get(row.path) ?? ("directory" as const),
        skill: { id: row.skillId, name: row.name, enabled: row.enabled },
        scope: row.scope === "host" ? ("host" as const) : ("manager" as const),
        class: SkillClass.parse(row.class),
        version: { digest: row.digest, number: row.number, state: VersionState.parse(row.state) },
        serves: row.currentId === row.versionId,
      }))
      .sort((a, b) => (a.skill.name < b.skill.name ? -1 : 1)),
    problems: [...problems, ...refused],
  };
}

const WORKER = query<{ inventory: string; inventoryAt: Date | null }>(
  `SELECT "inventory", "inventoryAt" FROM "Worker" WHERE "id" = ? AND "revokedAt" IS NULL`,
  { inventoryAt: "date" },
);
type Held = {
  path: string;
  versionId: string;
  skillId: string;
  name: string;
  enabled: boolean;
  scope: string;
  class: string;
  currentId: string | null;
  digest: string;
  number: number;
  state: string;
};
const HELD = query<Held>(
  `SELECT w."path", w."versionId", w."skillId", s."name", s."enabled", s."scope", s."class", s."currentId",
     v."digest", v."number", v."state"
   FROM "WorkerSkill" w JOIN "Skill" s ON s."id" = w."skillId" JOIN "Version" v ON v."id" = w."versionId"
   WHERE w."workerId" = ? AND s."deletedAt" IS NULL`,
  { enabled: "flag" },
);

/** A worker's last inventory as stored in its row; `refused` is what the server could not accept. */
export const StoredInventory = z.object({
  items: z.array(InventoryItem),
  problems: z.array(InventoryProblem),
  refused: z.array(InventoryProblem),
});
export type StoredInventory = z.infer<typeof StoredInventory>;

const EMPTY: StoredInventory = { items: [], problems: [], refused: [] };

/** Reads the column of a worker; empty for a worker without an inventory. */
export function readInventory(column: string): StoredInventory {
  return column === "[]" ? EMPTY : parseJsonColumn(StoredInventory, column);
}

/** Asks a worker to scan its skill directories again; it learns this in its next exchange. */
export async function requestRescan(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.worker.findFirst({ where: { id, revokedAt: null } });
    if (!row) throw new AppError("not_found", "There is no such worker.");
    await tx.worker.update({ where: { id }, data: { rescanAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "worker.rescan",
      summary: `asked ${row.name} to rescan its directories`,
      target: { kind: "worker", id, name: row.name },
    });
  });
  wake("work");
}

const RESCAN = query<Pick<Worker, "rescanAt">>(`SELECT "rescanAt" FROM "Worker" WHERE "id" = ?`, { rescanAt: "date" });

/** Whether a scan was requested since the last call; clears the request. */
export async function consumeRescan(ctx: Ctx, workerId: string): Promise<boolean> {
  const worker = await sqlOf(ctx).get(RESCAN, workerId);
  if (!worker?.rescanAt) return false;
  await inTransaction(ctx, (tx) => tx.worker.update({ where: { id: workerId }, data: { rescanAt: null } }));
  return true;
}
