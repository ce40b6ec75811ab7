import { AppError } from "@/lib/core/errors";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import type { Worker } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { EDGE_ARGUMENTS, namesArgument } from "@/lib/skill-format/arguments/call-arguments";

import type { SkillManifest } from "@/lib/skill-format/schema";
import { requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { LEASE_SECONDS } from "@/lib/worker/protocol";
import type { Edge, ListEdgesQuery, StartRunInput } from "./schema";

/** The worker with this id or name. `unknown_edge` when there is none, or it was revoked. */
export async function findEdge(ctx: Ctx, idOrName: string): Promise<Worker> {
  const rows = await ctx.db.worker.findMany({
    where: { revokedAt: null, OR: [{ id: idOrName }, { name: idOrName }] },
  });
  const found = rows.find(({ id }) => id === idOrName) ?? rows[0];
  if (found) return found;
  const message = `There is no edge “${idOrName}”: it was revoked or never added.`;
  throw new AppError("unknown_edge", message, { errors: [{ path: "args.edge_id", message: "names no edge" }] });
}

type EdgeRow = Pick<Worker, "id" | "name" | "lastSeenAt" | "platform" | "manager"> & { hasSkill: boolean };

const EDGES = query<EdgeRow>(
  `SELECT w."id", w."name", w."lastSeenAt", w."platform", w."manager",
     EXISTS (SELECT 1 FROM "WorkerSkill" o WHERE o."workerId" = w."id" AND o."skillId" = ?) AS "hasSkill"
   FROM "Worker" w WHERE w."revokedAt" IS NULL ORDER BY w."name"`,
  { lastSeenAt: "date", manager: "flag", hasSkill: "flag" },
);

/** The workers that were not revoked, for choosing where a skill runs: online ones first, then by name. */
export async function listEdges(ctx: Ctx, { skill: idOrName }: ListEdgesQuery): Promise<Page<Edge>> {
  requireScope(ctx.actor, "read");
  const skill = idOrName === undefined ? null : await requireSkill(ctx, idOrName);
  const rows = await sqlOf(ctx).all(EDGES, skill?.id ?? "");
  const onlineSince = ctx.now().getTime() - LEASE_SECONDS * 2 * 1000;
  const offers = (row: (typeof rows)[number]) => {
    if (skill === null) return null;
    if (skill.scope !== "host") return row.manager;
    return skill.source !== "worker" || row.hasSkill;
  };
  const items = rows.map((row) => ({
    id: row.id,
    name: row.name,
    online: (row.lastSeenAt?.getTime() ?? 0) >= onlineSince,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    platform: row.platform,
    offers: offers(row),
  }));
  return { items: items.sort((a, b) => Number(b.online) - Number(a.online)), nextCursor: null };
}

export type TargetedRun = StartRunInput & { workerName: string | null };

/**
 * Resolves the target of a run before its arguments are checked: `workerId` is the worker's id, and `args` are the skill's
 * own arguments. A skill of scope host needs an edge, as `edge_id` (or `device_id`) among the arguments or as `workerId`;
 * for scope manager these arguments are removed. Names that the skill's own schema defines stay in both cases.
 *
 * Errors: `invalid` when no edge or two are named, `unknown_edge`, and `not_offered` when the edge lacks a skill that comes
 * from workers, or the worker takes no runs of scope manager.
 */
export async function resolveTarget(
  ctx: Ctx,
  skill: Pick<SkillRow, "id" | "name" | "scope" | "source">,
  { schema }: Pick<SkillManifest, "schema">,
  input: StartRunInput,
): Promise<TargetedRun> {
  const own = { ...input, args: ownArguments(schema, input.args), workerName: null };
  if (skill.scope !== "host") {
    if (input.workerId === undefined) return own;
    const worker = await findEdge(ctx, input.workerId);
    if (worker.manager) return { ...own, workerId: worker.id, workerName: worker.name };
    throw new AppError("not_offered", `The worker “${worker.name}” does not take runs of scope manager.`);
  }
  const worker = await findEdge(ctx, readEdge(skill.name, input));
  await assertOffers(ctx, skill, worker);
  return { ...own, workerId: worker.id, workerName: worker.name };
}

/** The skill's own arguments: without edge names that its schema does not define. */
export function ownArguments(schema: SkillManifest["schema"], args: StartRunInput["args"]): StartRunInput["args"] {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !isEdgeName(name) || namesArgument(schema, name)));
}

function isEdgeName(name: string): boolean {
  return EDGE_ARGUMENTS.some((known) => known === name);
}

function readEdge(skillName: string, { args, workerId }: StartRunInput): string {
  const given = [...EDGE_ARGUMENTS.map((name) => args[name]), workerId].filter((value) => value !== undefined);
  const [edge, ...others] = new Set(given);
  if (edge === undefined) {
    throw invalidEdge(`“${skillName}” runs on an edge: name it as edge_id.`, "is required");
  }
  if (typeof edge !== "string" || edge === "")
    throw invalidEdge("The name of an edge must be a text.", "must be a text");
  if (others.length === 0) return edge;
  throw invalidEdge("edge_id, device_id and workerId name different edges.", "names another edge than workerId");
}

function invalidEdge(detail: string, message: string): AppError {
  return new AppError("invalid", detail, { errors: [{ path: "args.edge_id", message }] });
}

async function assertOffers(
  ctx: Ctx,
  skill: { id: string; name: string; source: string },
  worker: { id: string; name: string },
): Promise<void> {
  if (skill.source !== "worker") return;
  const offering = await ctx.db.workerSkill.findMany({
    where: { skillId: skill.id, worker: { revokedAt: null } },
    select: { workerId: true },
  });
  if (offering.some(({ workerId }) => workerId === worker.id)) return;
  const why =
    offering.length === 0
      ? `No worker offers “${skill.name}” any more, so it cannot run.`
      : `The edge “${worker.name}” does not offer “${skill.name}”.`;
  throw new AppError("not_offered", why);
}
