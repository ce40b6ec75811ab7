import { z } from "zod";
import { download } from "@/lib/http/download";
import { route } from "@/lib/http/route";
import { readAnalysisBlob } from "@/lib/review/analysis/lease-analysis";

export const GET = route({
  access: "worker",
  summary: "Bytes of a file that a dry run of this worker needs",
  params: z.object({ analysisId: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  media: ["application/octet-stream"],
  handle: async ({ ctx, params }) => {
    const bytes = await readAnalysisBlob(ctx, params);
    const { sha256 } = params;
    return download({ filename: sha256, contentType: "application/octet-stream", bytes, etag: sha256 });
  },
});
