import { z } from "zod";
import { followPlaybook } from "@/lib/agent/playground/follow-playbook";
import { route } from "@/lib/http/route";
import { AgentTurn, AgentTurnRequest } from "@/lib/worker/protocol";

export const POST = route({
  access: "worker",
  summary: "Ask the model of a dry run's agent for its next commands",
  params: z.object({ analysisId: z.string() }),
  body: AgentTurnRequest,
  maxBodyBytes: 1024 * 1024,
  answer: AgentTurn,
  handle: ({ ctx, params, body }) => followPlaybook(ctx, params.analysisId, body),
});
