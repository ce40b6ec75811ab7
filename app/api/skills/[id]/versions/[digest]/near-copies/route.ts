import { z } from "zod";
import { listNearCopiesOfVersion } from "@/lib/catalog/overlap/near-copies";
import { NearCopyList } from "@/lib/catalog/overlap/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Other skills and catalog entries whose SKILL.md nearly equals a version's",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: NearCopyList,
  handle: ({ ctx, params }) => listNearCopiesOfVersion(ctx, params),
});
