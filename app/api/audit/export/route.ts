import { exportEvents } from "@/lib/audit/export-events";
import { ExportAuditQuery } from "@/lib/audit/schema";
import { streamText } from "@/lib/http/download";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Export filtered audit events as a file, oldest first: your own, or all for reviewers and admins",
  query: ExportAuditQuery,
  media: ["application/x-ndjson", "text/csv"],
  handle: async ({ ctx, query }) => {
    const isCsv = query.format === "csv";
    return streamText(await exportEvents(ctx, query), {
      filename: `audit.${query.format}`,
      contentType: isCsv ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson",
    });
  },
});
