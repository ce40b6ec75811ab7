import { describeResource, ProtectedResource } from "@/lib/auth/oauth/describe-oauth";
import { getEnv } from "@/lib/core/env";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  summary: "Metadata for signing in to /mcp (RFC 9728)",
  answer: ProtectedResource,
  handle: async () => describeResource(getEnv().publicUrl),
});
