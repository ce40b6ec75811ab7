import { describeResource, ProtectedResource } from "@/lib/auth/oauth/describe-oauth";
import { getEnv } from "@/lib/core/env";
import { route } from "@/lib/http/route";

// Where RFC 9728 puts the description of a resource whose address has a path.
export const GET = route({
  access: "public",
  agents: "open",
  summary: "How programs sign in to /mcp (RFC 9728), by the address with its path",
  answer: ProtectedResource,
  handle: async () => describeResource(getEnv().publicUrl),
});
