import type { ModelMessage } from "ai";
import { createRedactor } from "@/lib/core/redact/create-redactor";
import type { Ctx } from "@/lib/db/context";
import { requireAgentStep } from "@/lib/review/analysis/lease-analysis";
import { loadModel } from "@/lib/settings/models/require-model";
import { decodeText } from "@/lib/skill-format/archive/decode-text";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import type { AgentTurn, AgentTurnRequest } from "@/lib/worker/protocol";
import { openBudget } from "./answer-context";
import { type AgentToolbox, runAgent } from "./run-agent";

const MAX_PLAYBOOK = 60_000;
const MAX_FILES = 200;
const MAX_TEXT = 2_000;
/** Of one answer. The worker asks at most once for each command. */
const LIMITS = { steps: 1, tokens: 100_000, seconds: 90 };

/**
 * The next commands of an agent that follows a playbook in a dry run: one answer of the model in the loop of the
 * playground. Its only tool is the shell of the decoy world, which is on the worker; so it gets no skill, run or
 * credential of this server. For the worker that executes the step. Errors of the model are the reason of the end.
 */
export async function followPlaybook(ctx: Ctx, analysisId: string, asked: AgentTurnRequest): Promise<AgentTurn> {
  const { step, version } = await requireAgentStep(ctx, analysisId, asked);
  const model = await loadModel(ctx, step);
  const files = await readVersionFiles(ctx, version);
  const bytes = files.find(({ path }) => path === step.path)?.bytes;
  const playbook = (bytes === undefined ? null : decodeText(bytes)) ?? "";
  const commands: string[] = [];
  const outcome = await runAgent({
    ...{ model, budget: openBudget(LIMITS), signal: new AbortController().signal, tools: [shellTool(commands)] },
    system: systemOf(
      playbook,
      files.map(({ path }) => path),
    ),
    messages: messagesOf(step.task, asked.commands),
  });
  const redactor = model.apiKey === null ? null : createRedactor([{ credential: "model key", value: model.apiKey }]);
  const plain = (text: string) => (redactor?.text(text) ?? text).slice(0, MAX_TEXT);
  const why = outcome.reason === "done" ? outcome.text : (outcome.problem ?? `It reached a limit: ${outcome.reason}.`);
  return { said: plain(outcome.text), commands, end: commands.length > 0 ? "" : plain(why) };
}

function shellTool(commands: string[]): AgentToolbox {
  return {
    name: "run_command",
    description: "Runs a shell command on this computer and returns its output. Files stay between commands.",
    inputSchema: {
      type: "object",
      properties: { command: { type: "string", minLength: 1, maxLength: 4_000 } },
      required: ["command"],
      additionalProperties: false,
    },
    async call(args) {
      const { command } = (args ?? {}) as { command?: unknown };
      if (typeof command === "string" && command.trim() !== "") commands.push(command.slice(0, 4_000));
      return "";
    },
  };
}

/** Says nothing of a dry run: neither the agent nor what it executes should behave differently in one. */
function systemOf(playbook: string, paths: string[]): string {
  return [
    "You are a coding agent on the computer of a developer. You have one tool, run_command, which runs a shell command. Work alone until the task is done, then answer with a short summary.",
    "The person has installed this skill in the current directory, /skill. Follow its playbook; read its other files when it refers to them.",
    `Files: ${paths.slice(0, MAX_FILES).join(", ")}`,
    `<playbook>\n${playbook.slice(0, MAX_PLAYBOOK)}\n</playbook>`,
  ].join("\n\n");
}

function messagesOf(task: string, commands: AgentTurnRequest["commands"]): ModelMessage[] {
  return [
    { role: "user", content: task },
    ...commands.flatMap(({ said, command, output, exitCode }, index): ModelMessage[] => {
      const call = { toolCallId: `command-${index}`, toolName: "run_command" };
      const text = `${output}\n(exit code ${exitCode ?? "unknown"})`;
      return [
        {
          role: "assistant",
          content: [
            ...(said === "" ? [] : [{ type: "text" as const, text: said }]),
            { type: "tool-call", ...call, input: { command } },
          ],
        },
        { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value: text } }] },
      ];
    }),
  ];
}
