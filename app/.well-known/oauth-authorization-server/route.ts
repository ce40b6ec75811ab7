import { AuthorizationServer, describeAuthorizationServer } from "@/lib/auth/oauth/describe-oauth";
import { getEnv } from "@/lib/core/env";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  summary: "OAuth endpoints at which programs sign people in (RFC 8414)",
  answer: AuthorizationServer,
  handle: async () => describeAuthorizationServer(getEnv().publicUrl),
});
