import { z } from "zod";
import { compareEntryWith } from "@/lib/catalog/overlap/near-copies";
import { route } from "@/lib/http/route";
import { FileDiff } from "@/lib/skills/versions/schema";

export const GET = route({
  access: "read",
  summary: "The difference from a near copy to an entry's SKILL.md",
  params: z.object({ id: z.string(), hash: z.string() }),
  answer: FileDiff,
  handle: ({ ctx, params }) => compareEntryWith(ctx, params),
});
