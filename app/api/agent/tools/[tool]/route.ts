import { z } from "zod";
import { callTool } from "@/lib/agent/call-tool";
import { ToolAnswer } from "@/lib/agent/schema";
import { agentSessionOf } from "@/lib/http/agent-session";
import { route } from "@/lib/http/route";
import { untilShutdown } from "@/lib/http/shutdown";
import { describeRefusedRun } from "@/lib/runner/describe-refused-run";
import { JsonObject } from "@/lib/skill-format/schema";

const Refused = z.object({ code: z.string(), status: z.number(), detail: z.string() }).loose();

export const POST = route({
  access: "read",
  agents: "open",
  describeRun: describeRefusedRun,
  summary: "Call a tool with its arguments as body; answers like MCP’s tools/call",
  params: z.object({ tool: z.string() }),
  query: z.object({
    confirm: z
      .literal("true")
      .optional()
      .describe("Confirms a run that needs it, with a personal token; agents cannot confirm."),
  }),
  body: JsonObject,
  answer: ToolAnswer,
  handle: async ({ ctx, params, query, body, request }) => {
    const session = await agentSessionOf(ctx, request);
    const answer = await untilShutdown(request.signal, (signal) =>
      callTool(ctx, session, params.tool, body, {
        signal,
        ...(query.confirm === undefined ? {} : { confirm: async () => true }),
      }),
    );
    const headers = { "x-agent-session": session.id };
    const refused = Refused.safeParse(answer.structured);
    if (!answer.isError || !refused.success) return Response.json(answer, { headers });
    // A problem that also contains the tool's answer.
    const { code, status, retryAfterSeconds } = refused.data;
    const problem = { type: `/docs/api#${code}`, title: code.replaceAll("_", " "), ...refused.data, ...answer };
    return Response.json(problem, {
      status,
      headers: {
        ...headers,
        "content-type": "application/problem+json",
        ...(typeof retryAfterSeconds === "number" ? { "retry-after": String(retryAfterSeconds) } : {}),
      },
    });
  },
});
