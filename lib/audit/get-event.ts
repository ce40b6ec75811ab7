import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { AuditEvent as AuditRow } from "@/lib/db/generated/client";
import { requireScope, seesAll } from "@/lib/policy/require-scope";
import { JsonObject } from "@/lib/skill-format/schema";
import { holdsInChain } from "./chain/holds-in-chain";
import { searchEvents } from "./index/search-events";
import { presentEvent } from "./present-event";
import type { AuditDetail } from "./schema";
import { soughtBy } from "./sought";

/** Of the numbers that events can have. */
const LAST = 2 ** 31 - 1;

/** One event; `not_found` also for one that the caller may not see. Links lead to what there still is. */
export async function getEvent(ctx: Ctx, seq: number): Promise<AuditDetail> {
  const actor = requireScope(ctx.actor, "read");
  const row = await ctx.db.auditEvent.findUnique({ where: { seq } });
  const isOwn = row !== null && (row.actorId === actor.userId || row.concernsId === actor.userId);
  if (row === null || !(isOwn || seesAll(actor))) throw new AppError("not_found", "There is no such event.");
  const event = presentEvent(row);
  const search = await searchEvents(ctx, soughtBy(actor, {}));
  const beside = async (span: { low: number; high: number }, direction: "older" | "newer") =>
    (await search.find(span, direction, 1)).rows[0]?.seq ?? null;
  return {
    event,
    verified: await holdsInChain(ctx, seq),
    before: objectOf(event.data.before),
    after: objectOf(event.data.after),
    older: await beside({ low: 1, high: seq - 1 }, "older"),
    newer: await beside({ low: seq + 1, high: LAST }, "newer"),
    links: await linksOf(ctx, row),
  };
}

async function linksOf(ctx: Ctx, row: AuditRow): Promise<AuditDetail["links"]> {
  const skill = row.skillId === null ? null : await ctx.db.skill.findUnique({ where: { id: row.skillId } });
  const isThere = skill !== null && skill.deletedAt === null;
  const version =
    isThere && row.versionDigest !== null
      ? await ctx.db.version.findFirst({
          where: { skillId: skill.id, digest: row.versionDigest },
          select: { id: true },
        })
      : null;
  const run =
    row.runId === null
      ? null
      : await ctx.db.run.findUnique({ where: { id: row.runId }, select: { id: true, signatures: true } });
  return {
    skill: isThere ? `/skills/${skill.id}` : null,
    version: version === null || skill === null ? null : `/reviews/${skill.id}/${row.versionDigest}`,
    run: run === null ? null : `/runs/${run.id}`,
    approval: run === null || run.signatures === null ? null : `/approvals?show=all&run=${run.id}`,
    session: row.sessionId === null ? null : `/audit?session=${row.sessionId}`,
  };
}

function objectOf(value: unknown): Record<string, unknown> | null {
  const parsed = JsonObject.safeParse(value);
  return parsed.success ? parsed.data : null;
}
