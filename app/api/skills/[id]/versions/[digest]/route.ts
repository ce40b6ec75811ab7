import { z } from "zod";
import { route } from "@/lib/http/route";
import { getVersion } from "@/lib/skills/get-version";
import { Version } from "@/lib/skills/schema";

export const GET = route({
  access: "read",
  summary: "One version with its files, diagnostics and decisions",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: Version,
  handle: ({ ctx, params }) => getVersion(ctx, params.id, params.digest),
});
