import { z } from "zod";
import { route } from "@/lib/http/route";
import { openDiff } from "@/lib/review/open-version";
import { VersionDiff } from "@/lib/skills/versions/schema";

export const GET = route({
  access: "read",
  summary: "Compare a version with another, by default the active one",
  params: z.object({ id: z.string(), digest: z.string() }),
  query: z.object({ against: z.string().optional() }),
  answer: VersionDiff,
  handle: ({ ctx, params, query }) => openDiff(ctx, params.id, params.digest, query.against),
});
