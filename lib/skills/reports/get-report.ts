import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { presentReports } from "./present-reports";
import type { Report } from "./schema";

/** One report; for admins. */
export async function getReport(ctx: Ctx, id: string): Promise<Report> {
  requireScope(ctx.actor, "admin");
  const row = await ctx.db.report.findUnique({ where: { id } });
  const [report] = row === null ? [] : await presentReports(ctx, [row]);
  if (!report) throw new AppError("not_found", "There is no such report.");
  return report;
}
