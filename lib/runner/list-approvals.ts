import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/get-settings";
import { presentApprovals, withApproval } from "./present-approvals";
import { runsVisibleTo } from "./run-access";
import type { ApprovalItem, ListApprovalsQuery } from "./schema";
import { whyNotDecide } from "./why-not-decide";

const BATCH = 200;

/** Parked runs, the oldest first; as a rule those that wait for the caller's own decision. */
export async function listApprovals(ctx: Ctx, query: ListApprovalsQuery): Promise<Page<ApprovalItem>> {
  const actor = requireScope(ctx.actor, "read");
  const { soloMode } = await getSettings(ctx);
  const after = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const found = await findWaiting(ctx, { ...query, actor, soloMode, after, wanted: query.limit + 1 });
  const page = toPage(found, query.limit, (row) => row.id);
  return { items: await presentApprovals(ctx, page.items, { actor, soloMode }), nextCursor: page.nextCursor };
}

/** How many runs wait for the caller's decision, counted up to 100. */
export async function countApprovals(ctx: Ctx): Promise<number> {
  const actor = requireScope(ctx.actor, "read");
  if ((await ctx.db.run.count({ where: waiting(ctx, actor) })) === 0) return 0;
  const { soloMode } = await getSettings(ctx);
  return (await findWaiting(ctx, { actor, soloMode, show: "mine", after: null, wanted: 100 })).length;
}

type Search = {
  actor: PersonActor;
  soloMode: boolean;
  show: ListApprovalsQuery["show"];
  run?: string | undefined;
  after: string | null;
  wanted: number;
};

async function findWaiting(ctx: Ctx, { actor, soloMode, show, run, after, wanted }: Search) {
  const found: Prisma.RunGetPayload<{ include: typeof withApproval }>[] = [];
  const asked = { ...(show === "asked" ? { callerId: actor.userId } : {}), ...(run === undefined ? {} : { id: run }) };
  for (let last = after; found.length < wanted; ) {
    const rows = await ctx.db.run.findMany({
      where: { AND: [waiting(ctx, actor), asked, last === null ? {} : { id: { gt: last } }] },
      orderBy: { id: "asc" },
      take: BATCH,
      include: withApproval,
    });
    found.push(...rows.filter((row) => show !== "mine" || waitsFor(actor, row, soloMode)));
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) break;
  }
  return found.slice(0, wanted);
}

function waiting(ctx: Ctx, actor: PersonActor): Prisma.RunWhereInput {
  return { AND: [{ state: "awaiting_approval", expiresAt: { gt: ctx.now() } }, runsVisibleTo(actor)] };
}

type WaitingRow = Parameters<typeof whyNotDecide>[1] & { decisions: { actorId: string }[] };

function waitsFor(actor: PersonActor, row: WaitingRow, soloMode: boolean): boolean {
  if (row.decisions.some((decision) => decision.actorId === actor.userId)) return false;
  return whyNotDecide(actor, row, soloMode) === null;
}
