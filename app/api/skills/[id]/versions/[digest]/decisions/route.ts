import { z } from "zod";
import { route } from "@/lib/http/route";
import { decideVersion } from "@/lib/review/decide-version";
import { DecideVersionInput } from "@/lib/review/schema";
import { Version } from "@/lib/skills/versions/schema";

export const POST = route({
  access: "write",
  summary: "Approve, request changes to, reject or revoke a version",
  params: z.object({ id: z.string(), digest: z.string() }),
  body: DecideVersionInput,
  answer: Version,
  handle: ({ ctx, params, body }) => decideVersion(ctx, params.id, params.digest, body),
});
