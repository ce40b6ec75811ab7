import { z } from "zod";
import { download } from "@/lib/http/download";
import { route } from "@/lib/http/route";
import { readLeasedBlob } from "@/lib/runner/read-leased-blob";

export const GET = route({
  access: "worker",
  summary: "The bytes of a blob that one of the worker’s own runs needs",
  params: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  query: z.object({ run: z.string().optional(), fence: z.string().optional() }),
  handle: async ({ ctx, params }) => {
    const bytes = await readLeasedBlob(ctx, params.sha256);
    return download({ filename: params.sha256, contentType: "application/octet-stream", bytes, etag: params.sha256 });
  },
});
