import { z } from "zod";
import { compareVersionWith } from "@/lib/catalog/overlap/near-copies";
import { route } from "@/lib/http/route";
import { FileDiff } from "@/lib/skills/versions/schema";

export const GET = route({
  access: "read",
  summary: "The difference from a near copy to a version's SKILL.md",
  params: z.object({ id: z.string(), digest: z.string(), hash: z.string() }),
  answer: FileDiff,
  handle: ({ ctx, params }) => compareVersionWith(ctx, params),
});
