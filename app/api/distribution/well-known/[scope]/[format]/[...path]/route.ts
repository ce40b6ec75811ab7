import { z } from "zod";
import { FORMATS, serveFile, serveIndex } from "@/lib/distribution/serve-well-known";
import { route } from "@/lib/http/route";
import { JsonObject } from "@/lib/skill-format/schema";

/** `/s/<publisher>/<skill>@<version>/.well-known/agent-skills/index.json` and so on. */
export const addresses = [":scope/.well-known/:format(agent-skills|skills)/:path+"];

/** Index of one version, as the draft of the Agent Skills specification has it (agentskills/agentskills#254). */
const VERSIONED = /^v(\d[A-Za-z0-9.+-]{0,79})\/index\.json$/;

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  summary: "Well-known index of a scope, or a file of the older index",
  params: z.object({ scope: z.string().max(400), format: z.enum(FORMATS), path: z.string().max(500) }),
  media: ["text/plain", "text/markdown", "application/octet-stream"],
  answer: JsonObject,
  also: { 206: { description: "The requested byte range" } },
  handle: ({ ctx, params: { scope, format, path }, request }) => {
    const version = format === "agent-skills" ? VERSIONED.exec(path)?.[1] : undefined;
    if (path === "index.json" || version !== undefined) return serveIndex(ctx, { request, scope, format, version });
    const [name = "", ...rest] = format === "skills" ? path.split("/") : [];
    return serveFile(ctx, { request, scope, name, path: rest.join("/") });
  },
});
