import { z } from "zod";
import { route } from "@/lib/http/route";
import { getVersion } from "@/lib/skills/versions/get-version";
import { ChangelogInput, Version } from "@/lib/skills/versions/schema";
import { setChangelog } from "@/lib/skills/versions/submit-version";

export const PUT = route({
  access: "write",
  summary: "Set the changelog of an undecided version",
  params: z.object({ id: z.string(), digest: z.string() }),
  body: ChangelogInput,
  answer: Version,
  ifMatch: ({ ctx, params }) => getVersion(ctx, params.id, params.digest),
  handle: ({ ctx, params, body }) => setChangelog(ctx, params.id, params.digest, body),
});
