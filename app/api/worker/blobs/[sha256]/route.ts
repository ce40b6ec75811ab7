import { z } from "zod";
import { download } from "@/lib/http/download";
import { route } from "@/lib/http/route";
import { readLeasedBlob } from "@/lib/runner/leases/lease-runs";
import { storeInventoryBlob } from "@/lib/runner/workers/receive-inventory";
import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";

const params = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export const GET = route({
  access: "worker",
  summary: "Bytes of a blob that a run of this worker needs",
  params,
  query: z.object({ run: z.string().optional(), fence: z.string().optional() }),
  media: ["application/octet-stream"],
  handle: async ({ ctx, params }) => {
    const bytes = await readLeasedBlob(ctx, params.sha256);
    return download({ filename: params.sha256, contentType: "application/octet-stream", bytes, etag: params.sha256 });
  },
});

export const PUT = route({
  access: "worker",
  summary: "Upload a file of the worker’s last inventory that the server lacks",
  params,
  rawBody: { contentType: "application/octet-stream" },
  maxBodyBytes: MAX_FILE_BYTES,
  status: 204,
  handle: ({ ctx, params, bytes }) => storeInventoryBlob(ctx, params.sha256, bytes),
});
