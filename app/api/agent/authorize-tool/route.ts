import { authorizeTool } from "@/lib/agent/authorize-tool";
import { Authorization, AuthorizeToolInput, SessionHeader } from "@/lib/agent/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "read",
  agents: "open",
  summary: "Whether the active skill of an agent allows a call of a tool, also of another server",
  body: AuthorizeToolInput,
  answer: Authorization,
  handle: ({ ctx, body, request }) => {
    const session = body.session ?? request.headers.get(SessionHeader) ?? undefined;
    return authorizeTool(ctx, { ...body, session });
  },
});
