import { authorizeTool } from "@/lib/agent/authorize-tool";
import { Authorization, AuthorizeToolInput, SessionHeader } from "@/lib/agent/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "read",
  agents: "open",
  summary: "Whether the active skill of an agent lets a tool be called, whosever tool it is",
  body: AuthorizeToolInput,
  answer: Authorization,
  handle: ({ ctx, body, request }) => {
    const session = body.session ?? request.headers.get(SessionHeader) ?? undefined;
    return authorizeTool(ctx, { ...body, session });
  },
});
