import { z } from "zod";
import { route } from "@/lib/http/route";
import { openVersion } from "@/lib/review/open-version";
import { Version } from "@/lib/skills/versions/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "One version with its files, findings, capabilities and decisions; scans it first if needed",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: Version,
  answersFrom: "rows",
  handle: ({ ctx, params }) => openVersion(ctx, params.id, params.digest),
});
