import { z } from "zod";
import { route } from "@/lib/http/route";
import { ChangelogInput, Version } from "@/lib/skills/versions/schema";
import { submitVersion } from "@/lib/skills/versions/submit-version";

export const POST = route({
  access: "write",
  summary: "Submit a draft for review",
  params: z.object({ id: z.string(), digest: z.string() }),
  body: ChangelogInput.partial(),
  answer: Version,
  handle: ({ ctx, params, body }) => submitVersion(ctx, params.id, params.digest, body),
});
