import { z } from "zod";
import { route } from "@/lib/http/route";
import { dismissFinding, reopenFinding } from "@/lib/review/dismiss-finding";
import { DismissFindingInput } from "@/lib/review/schema";
import { Version } from "@/lib/skills/versions/schema";

const params = z.object({ id: z.string(), digest: z.string(), fingerprint: z.string() });

export const POST = route({
  access: "review",
  summary: "Dismiss a finding of a version, with a reason",
  params,
  body: DismissFindingInput,
  answer: Version,
  handle: ({ ctx, params: place, body }) => dismissFinding(ctx, place, body),
});

export const DELETE = route({
  access: "review",
  summary: "Reopen a dismissed finding",
  params,
  answer: Version,
  handle: ({ ctx, params: place }) => reopenFinding(ctx, place),
});
