import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import { isIdShaped } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { AuditEvent as AuditRow, Prisma } from "@/lib/db/generated/client";
import { requireScope, seesAll } from "@/lib/policy/require-scope";
import { JsonObject } from "@/lib/skill-format/schema";
import { AuditEvent, type ListAuditQuery } from "./schema";

/** Events newest first: people see what they did and what concerns their skills and runs; `seesAll`. */
export async function listEvents(ctx: Ctx, query: ListAuditQuery): Promise<Page<AuditEvent>> {
  const actor = requireScope(ctx.actor, "read");
  const before = query.cursor === undefined ? null : decodeCursor(z.number(), query.cursor);
  const rows = await ctx.db.auditEvent.findMany({
    where: { AND: [eventsVisibleTo(actor), filters(query), before === null ? {} : { seq: { lt: before } }] },
    orderBy: { seq: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.seq);
  return { items: page.items.map(presentEvent), nextCursor: page.nextCursor };
}

export function eventsVisibleTo(actor: PersonActor): Prisma.AuditEventWhereInput {
  return seesAll(actor) ? {} : { OR: [{ actorId: actor.userId }, { concernsId: actor.userId }] };
}

type Filters = Omit<ListAuditQuery, "limit" | "cursor">;

function filters(query: Filters): Prisma.AuditEventWhereInput {
  return {
    AND: [
      query.tool ? { OR: [{ tool: query.tool }, { targetName: query.tool }] } : {},
      query.actor ? (isIdShaped(query.actor) ? { actorId: query.actor } : { actorName: query.actor }) : {},
      query.action
        ? query.action.includes(".")
          ? { action: query.action }
          : { action: { startsWith: `${query.action}.` } }
        : {},
      query.outcome ? { outcome: query.outcome } : {},
      query.from ? { at: { gte: new Date(query.from) } } : {},
      query.to ? { at: { lte: new Date(query.to) } } : {},
      query.run ? { runId: query.run } : {},
      query.skill
        ? isIdShaped(query.skill)
          ? { skillId: query.skill }
          : { OR: [{ targetName: query.skill }, { tool: query.skill }] }
        : {},
    ],
  };
}

function presentEvent(row: AuditRow): AuditEvent {
  const target =
    row.targetKind === null ? null : { kind: row.targetKind, id: row.targetId ?? "", name: row.targetName ?? "" };
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    actor: {
      kind: AuditEvent.shape.actor.shape.kind.parse(row.actorKind),
      id: row.actorId,
      name: row.actorName,
      role: row.actorRole,
    },
    action: row.action,
    outcome: AuditEvent.shape.outcome.parse(row.outcome),
    count: row.count,
    summary: row.summary,
    target,
    skillId: row.skillId,
    versionDigest: row.versionDigest,
    runId: row.runId,
    tool: row.tool,
    class: row.class,
    sessionId: row.sessionId,
    device: row.device,
    address: row.address,
    requestId: row.requestId,
    data: parseJsonColumn(JsonObject, row.data),
  };
}
