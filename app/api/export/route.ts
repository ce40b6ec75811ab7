import { sha256Hex } from "@/lib/core/hash";
import { download } from "@/lib/http/download";
import { route } from "@/lib/http/route";
import { exportSkills } from "@/lib/skills/transfer/export-skills";
import { BulkExportQuery } from "@/lib/skills/transfer/schema";

export const GET = route({
  access: "read",
  summary: "Export skills as one ZIP with a folder each and a list of digests: selected ones, or all you may see",
  query: BulkExportQuery,
  media: ["application/zip"],
  handle: async ({ ctx, query, request }) => {
    const { filename, bytes } = await exportSkills(ctx, query, { signal: request.signal });
    return download({ filename, contentType: "application/zip", bytes, etag: sha256Hex(bytes) });
  },
});
