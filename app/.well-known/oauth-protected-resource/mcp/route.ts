import { describeResource, ProtectedResource } from "@/lib/auth/oauth/describe-oauth";
import { getEnv } from "@/lib/core/env";
import { route } from "@/lib/http/route";

// RFC 9728 puts the metadata of a resource with a path here.
export const GET = route({
  access: "public",
  agents: "open",
  summary: "Metadata for signing in to /mcp (RFC 9728), at the URL with its path",
  answer: ProtectedResource,
  handle: async () => describeResource(getEnv().publicUrl),
});
