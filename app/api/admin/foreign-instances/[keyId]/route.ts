import { z } from "zod";
import { route } from "@/lib/http/route";
import { trustInstance } from "@/lib/review/bundles/instances";
import { ForeignInstance, TrustInstanceInput } from "@/lib/review/bundles/schema";

export const PATCH = route({
  access: "admin",
  summary: "Trust the approvals of another instance, or withdraw that trust",
  params: z.object({ keyId: z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hex digits") }),
  body: TrustInstanceInput,
  answer: ForeignInstance,
  handle: ({ ctx, params, body }) => trustInstance(ctx, params.keyId, body),
});
