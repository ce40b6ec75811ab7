import { z } from "zod";
import { route } from "@/lib/http/route";
import { removeFromCollection } from "@/lib/skills/community/edit-collections";
import { Collection } from "@/lib/skills/community/schema";

export const DELETE = route({
  access: "write",
  summary: "Remove a skill from a collection",
  params: z.object({ slug: z.string().max(100), skillId: z.string().max(100) }),
  answer: Collection,
  handle: ({ ctx, params }) => removeFromCollection(ctx, params.slug, params.skillId),
});
