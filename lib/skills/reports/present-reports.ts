import type { Ctx } from "@/lib/db/context";
import type { Report as ReportRow } from "@/lib/db/generated/client";
import { type Report, ReportReason, ReportResolution } from "./schema";

/** Rows as the API gives them, with whether their skills are still there. */
export async function presentReports(ctx: Ctx, rows: ReportRow[]): Promise<Report[]> {
  const alive = await ctx.db.skill.findMany({
    where: { id: { in: rows.map(({ skillId }) => skillId) }, deletedAt: null },
    select: { id: true },
  });
  const ids = new Set(alive.map(({ id }) => id));
  return rows.map((row) => ({
    id: row.id,
    state: row.state === "closed" ? "closed" : "open",
    createdAt: row.createdAt.toISOString(),
    skill: { id: row.skillId, name: row.skillName, exists: ids.has(row.skillId) },
    versionDigest: row.versionDigest,
    reporter: { id: row.reporterId, name: row.reporterName },
    reason: ReportReason.catch("other").parse(row.reason),
    text: row.text,
    closed:
      row.closedAt === null
        ? null
        : {
            resolution: ReportResolution.catch("no_action").parse(row.resolution),
            note: row.resolutionNote,
            at: row.closedAt.toISOString(),
            by: { id: row.closedById, name: row.closedByName ?? "" },
          },
  }));
}
