import type { JsonObject } from "@/lib/skill-format/schema";

/** The result that a sub-agent returns for a playbook with its own context. */
export const RESULT_CONTRACT: JsonObject = {
  type: "object",
  properties: {
    outcome: { type: "string", enum: ["done", "partly", "failed"] },
    summary: { type: "string", description: "What was found or done, in a few sentences." },
    artifacts: {
      type: "array",
      items: { type: "string" },
      description: "Paths or addresses of what it left behind.",
    },
    problems: { type: "array", items: { type: "string" } },
  },
  required: ["outcome", "summary"],
};

type Forked = { name: string; allowedTools: string[] | null; denied: string[] };

/** Tells the agent that loaded such a playbook to start a sub-agent, since the server starts none. */
export function forkDirective(
  { name, allowedTools, denied }: Forked,
  { agent, model }: { agent: string | null; model: string | null },
): string {
  const tools = allowedTools ?? [];
  return [
    `“${name}” runs in a context of its own. Do not follow it here: start a sub-agent${agent ? ` of the kind “${agent}”` : ""}${model ? ` with the model “${model}”` : ""}, and give it the playbook below, the task, and nothing else of this conversation.`,
    tools.length === 0
      ? "It may use the tools that you may use."
      : `It may call only these tools: ${tools.join(", ")}. Your own tools stay as they are.`,
    ...(denied.length === 0 ? [] : [`It may not call these: ${denied.join(", ")}.`]),
    `It answers with one JSON object and no other text: {"outcome": "done" | "partly" | "failed", "summary": string, "artifacts"?: [string], "problems"?: [string]}. Use that result; the sub-agent's steps do not belong into this context.`,
    "If you cannot start sub-agents, carry the playbook out yourself in one go and keep only such a result of it.",
  ].join("\n");
}
