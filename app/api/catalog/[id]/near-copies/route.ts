import { z } from "zod";
import { listNearCopiesOfEntry } from "@/lib/catalog/overlap/near-copies";
import { NearCopyList } from "@/lib/catalog/overlap/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Skills and other catalog entries whose SKILL.md nearly equals an entry's",
  params: z.object({ id: z.string() }),
  answer: NearCopyList,
  handle: ({ ctx, params }) => listNearCopiesOfEntry(ctx, params.id),
});
