import { z } from "zod";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";

export const ReportReason = z.enum(["malicious", "impersonation", "broken", "licence", "other"]);
export type ReportReason = z.infer<typeof ReportReason>;

export const ReportResolution = z.enum(["no_action", "deprecated", "revoked", "removed"]);
export type ReportResolution = z.infer<typeof ReportResolution>;

export const CreateReportInput = z.strictObject({
  reason: ReportReason,
  text: z.string().trim().min(1).max(2000),
});
export type CreateReportInput = z.infer<typeof CreateReportInput>;

/** What the person who reported gets back. */
export const ReportReceipt = z.object({ id: z.string(), state: z.enum(["open", "closed"]), createdAt: IsoTime });
export type ReportReceipt = z.infer<typeof ReportReceipt>;

export const Report = ReportReceipt.extend({
  /** `exists` false: the skill was deleted since. */
  skill: z.object({ id: z.string(), name: z.string(), exists: z.boolean() }),
  /** What it served when it was reported. */
  versionDigest: z.string().nullable(),
  reporter: z.object({ id: z.string().nullable(), name: z.string() }),
  reason: ReportReason,
  text: z.string(),
  closed: z
    .object({
      resolution: ReportResolution,
      note: z.string().nullable(),
      at: IsoTime,
      by: z.object({ id: z.string().nullable(), name: z.string() }),
    })
    .nullable(),
});
export type Report = z.infer<typeof Report>;

export const ReportPage = pageOf(Report);

export const ListReportsQuery = PageQuery.extend({
  state: z.enum(["open", "closed"]).default("open"),
  skill: z.string().max(100).optional().describe("Id of a skill."),
});
export type ListReportsQuery = z.infer<typeof ListReportsQuery>;

export const CloseReportInput = z.strictObject({
  resolution: ReportResolution,
  note: z.string().trim().max(2000).optional(),
});
export type CloseReportInput = z.infer<typeof CloseReportInput>;
