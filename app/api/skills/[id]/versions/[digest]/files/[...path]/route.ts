import { z } from "zod";
import { download } from "@/lib/http/download";
import { route } from "@/lib/http/route";
import { getVersionFile } from "@/lib/skills/versions/get-version-file";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "Raw bytes of a file, as text/plain or application/octet-stream",
  params: z.object({ id: z.string(), digest: z.string(), path: z.string() }),
  media: ["text/plain", "application/octet-stream"],
  handle: async ({ ctx, params }) => {
    const file = await getVersionFile(ctx, params.id, params.digest, params.path);
    const filename = file.path.split("/").at(-1) ?? "file";
    const contentType = file.isText ? "text/plain" : "application/octet-stream";
    return download({
      filename,
      contentType,
      bytes: file.bytes,
      etag: file.sha256,
      inline: file.isText && !MARKUP.test(filename),
    });
  },
});

/** Some browsers render these in spite of their type, so they are always downloads. */
const MARKUP = /\.(x?html?|xht|svgz?|xml|mht|mhtml)$/i;
