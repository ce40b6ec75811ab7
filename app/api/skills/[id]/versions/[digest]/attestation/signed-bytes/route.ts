import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import { download } from "@/lib/http/download";
import { route } from "@/lib/http/route";
import { exportSignedBytes } from "@/lib/review/attest/ssh-signatures";

export const GET = route({
  access: "read",
  summary: "Bytes that the attestation of a version signs, for the approvers’ own keys",
  params: z.object({ id: z.string(), digest: z.string() }),
  media: ["application/octet-stream"],
  handle: async ({ ctx, params }) => {
    const bytes = new Uint8Array(await exportSignedBytes(ctx, params));
    return download({
      filename: "approval.bin",
      contentType: "application/octet-stream",
      bytes,
      etag: sha256Hex(bytes),
    });
  },
});
