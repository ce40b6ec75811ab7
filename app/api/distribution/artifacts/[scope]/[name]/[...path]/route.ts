import { z } from "zod";
import { serveArtifact } from "@/lib/distribution/serve-artifact";
import { route } from "@/lib/http/route";

/** `/a/<name>/<digest>.zip` and so on. */
export const addresses = [":scope(root|token)/a/:name([A-Za-z0-9-]+)/:path+"];

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  summary: "An approved version by digest, as an archive or its SKILL.md",
  params: z.object({ scope: z.string().max(400), name: z.string().max(100), path: z.string().max(200) }),
  media: ["application/zip", "application/gzip", "text/markdown"],
  also: { 206: { description: "The requested byte range" } },
  handle: ({ ctx, params: { scope, name, path }, request }) =>
    serveArtifact(ctx, { request, scope, name, artifact: path }),
});
