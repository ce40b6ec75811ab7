import { z } from "zod";
import { route } from "@/lib/http/route";
import { activateVersion } from "@/lib/review/activate-version";
import { ActivateVersionInput } from "@/lib/review/schema";
import { Skill } from "@/lib/skills/schema";

export const POST = route({
  access: "write",
  summary: "Make an approved version the active one",
  params: z.object({ id: z.string(), digest: z.string() }),
  body: ActivateVersionInput,
  answer: Skill,
  handle: ({ ctx, params, body }) => activateVersion(ctx, params.id, params.digest, body),
});
