import { z } from "zod";
import { route } from "@/lib/http/route";
import { getAdvice } from "@/lib/skills/versions/get-advice";
import { VersionAdvice } from "@/lib/skills/versions/schema";

export const GET = route({
  access: "read",
  summary: "Advice for a version, and its parts that the standard form cannot express",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: VersionAdvice,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getAdvice(ctx, params.id, params.digest),
});
