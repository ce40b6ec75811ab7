import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { getReport } from "./get-report";
import type { CloseReportInput, Report } from "./schema";

/** An admin says what became of a report. It changes nothing about the skill by itself; `conflict` when it is closed already. */
export async function closeReport(ctx: Ctx, id: string, input: CloseReportInput): Promise<Report> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const report = await getReport(txCtx, id);
    if (report.closed !== null)
      throw new AppError("conflict", `${report.closed.by.name || "An admin"} has closed this report already.`);
    const note = input.note || null;
    await tx.report.update({
      where: { id },
      data: {
        state: "closed",
        resolution: input.resolution,
        resolutionNote: note,
        closedAt: ctx.now(),
        closedById: actor.userId,
        closedByName: actor.name,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "report.close",
      summary: `closed a report of ${report.skill.name}: ${input.resolution.replace("_", " ")}`,
      concerns: report.reporter.id,
      target: { kind: "report", id, name: report.skill.name },
      skillId: report.skill.id,
      ...(report.versionDigest ? { versionDigest: report.versionDigest } : {}),
      data: { resolution: input.resolution, note },
    });
    return getReport(txCtx, id);
  });
}
