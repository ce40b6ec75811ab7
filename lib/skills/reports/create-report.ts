import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "../skill-access";
import type { CreateReportInput, ReportReceipt } from "./schema";

/** Open reports of one person at a time. */
const MOST_OPEN = 20;

/**
 * Tells the admins that something is wrong with a skill that the caller sees. One open report of a skill for each person
 * (`conflict`), and at most 20 open ones altogether (`rate_limited`).
 */
export async function createReport(ctx: Ctx, idOrName: string, input: CreateReportInput): Promise<ReportReceipt> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireSkill(txCtx, idOrName);
    const open = await tx.report.findMany({
      where: { reporterId: actor.userId, state: "open" },
      select: { skillId: true },
      take: MOST_OPEN,
    });
    if (open.some(({ skillId }) => skillId === skill.id))
      throw new AppError("conflict", `You have reported “${skill.name}” already; an admin has yet to look at it.`);
    if (open.length >= MOST_OPEN)
      throw new AppError("rate_limited", `${MOST_OPEN} of your reports are open, which is the limit.`);
    const row = await tx.report.create({
      data: {
        id: newId(),
        skillId: skill.id,
        skillName: skill.name,
        versionDigest: skill.current?.digest ?? null,
        reporterId: actor.userId,
        reporterName: actor.name,
        reason: input.reason,
        text: input.text,
        state: "open",
        createdAt: ctx.now(),
      },
    });
    await recordEvent(tx, txCtx, {
      action: "report.create",
      summary: `reported ${skill.name} as ${input.reason}`,
      target: { kind: "report", id: row.id, name: skill.name },
      skillId: skill.id,
      ...(skill.current ? { versionDigest: skill.current.digest } : {}),
      tool: skill.toolName,
      data: { reason: input.reason },
    });
    return { id: row.id, state: "open", createdAt: row.createdAt.toISOString() };
  });
}
