import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Report as ReportRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "../skill-access";
import {
  type CloseReportInput,
  type CreateReportInput,
  type ListReportsQuery,
  Report,
  type ReportReceipt,
} from "./schema";

const MAX_OPEN = 20;

/** Reports a visible skill: one open report per skill (`conflict`), at most 20 per person (`rate_limited`). */
export async function createReport(ctx: Ctx, idOrName: string, input: CreateReportInput): Promise<ReportReceipt> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireSkill(txCtx, idOrName);
    const open = await tx.report.findMany({
      where: { reporterId: actor.userId, state: "open" },
      select: { skillId: true },
      take: MAX_OPEN,
    });
    if (open.some(({ skillId }) => skillId === skill.id))
      throw new AppError(
        "conflict",
        `You have already reported “${skill.name}”. An admin has not closed the report yet.`,
      );
    if (open.length >= MAX_OPEN)
      throw new AppError(
        "rate_limited",
        `You have reached the limit of ${MAX_OPEN} open reports. Wait until an admin closes one.`,
      );
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

/** One report; for admins. */
export async function getReport(ctx: Ctx, id: string): Promise<Report> {
  requireScope(ctx.actor, "admin");
  const row = await ctx.db.report.findUnique({ where: { id } });
  const [report] = row === null ? [] : await presentReports(ctx, [row]);
  if (!report) throw new AppError("not_found", "There is no such report.");
  return report;
}

async function presentReports(ctx: Ctx, rows: ReportRow[]): Promise<Report[]> {
  const alive = await ctx.db.skill.findMany({
    where: { id: { in: rows.map(({ skillId }) => skillId) }, deletedAt: null },
    select: { id: true, label: true },
  });
  const labels = new Map(alive.map(({ id, label }) => [id, label]));
  return rows.map((row) =>
    Report.parse({
      ...row,
      createdAt: row.createdAt.toISOString(),
      skill: {
        id: row.skillId,
        name: row.skillName,
        label: labels.get(row.skillId) ?? null,
        exists: labels.has(row.skillId),
      },
      reporter: { id: row.reporterId, name: row.reporterName },
      closed: row.closedAt && {
        resolution: row.resolution,
        note: row.resolutionNote,
        at: row.closedAt.toISOString(),
        by: { id: row.closedById, name: row.closedByName ?? "" },
      },
    }),
  );
}

/** Reports, newest first; for admins. */
export async function listReports(ctx: Ctx, query: ListReportsQuery): Promise<Page<Report>> {
  requireScope(ctx.actor, "admin");
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const rows = await ctx.db.report.findMany({
    where: {
      state: query.state,
      ...(query.skill ? { skillId: query.skill } : {}),
      ...(before === null ? {} : { id: { lt: before } }),
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, ({ id }) => id);
  return { items: await presentReports(ctx, page.items), nextCursor: page.nextCursor };
}

/** Closes a report with a resolution, without changing the skill; for admins. `conflict` when it is already closed. */
export async function closeReport(ctx: Ctx, id: string, input: CloseReportInput): Promise<Report> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const report = await getReport(txCtx, id);
    if (report.closed !== null)
      throw new AppError("conflict", `${report.closed.by.name || "An admin"} has already closed this report.`);
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
