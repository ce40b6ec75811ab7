import { randomUUID } from "node:crypto";
import { inTransaction } from "@/lib/db/context";
import { RESULT_CONTRACT } from "../fork-directive";
import { openAgentSession } from "../sessions/open-agent-session";
import { readToolLimit } from "../sessions/session-limits";
import type { AnswerContext, ForkedSkill } from "./answer-context";
import { conversationTools, converse } from "./conversation-tools";

const MAX_RESULT = 4096;

/**
 * Runs a playbook in a sub-agent with its own session. It gets only the playbook and the task, is limited to the skill’s tools
 * also after loading others, and returns a compact result. It shares the answer's budget, does not limit the main agent, and cannot
 * start another sub-agent.
 */
export async function forkAgent(
  context: AnswerContext,
  skill: ForkedSkill,
): Promise<{ result: string; isError: boolean }> {
  const fork = randomUUID().slice(0, 8);
  const { agent, emit } = context;
  const session = await openAgentSession(agent, {
    client: `playground, sub-agent for ${skill.name}`,
    surface: context.surface,
  });
  const limited = await inTransaction(agent, (tx) =>
    tx.agentSession.update({
      where: { id: session.id },
      data: {
        activeSkillId: skill.id === "" ? null : skill.id,
        activeVersionDigest: skill.digest,
        activeTools: skill.tools === null ? null : JSON.stringify(skill.tools),
      },
    }),
  );
  const within = await readToolLimit(agent, limited);
  emit({ type: "fork", fork, skill: skill.name, tools: skill.tools });
  const own = { ...context, fork, within, startFork: null, sessionId: session.id };
  const tools = await conversationTools(own);
  const outcome = await converse(own, { system: systemOf(skill), messages: context.task, tools });
  const isError = outcome.reason !== "done";
  const why = isError
    ? { outcome: "failed", summary: outcome.problem ?? `It ended at its limit: ${outcome.reason}.` }
    : null;
  const result = (why ? JSON.stringify(why) : outcome.text).slice(0, MAX_RESULT);
  emit({ type: "joined", fork, result, reason: outcome.reason });
  return { result, isError };
}

function systemOf({ playbook }: ForkedSkill): string {
  return [
    "You are a sub-agent. Carry out this playbook for the task you are given, and answer with one JSON object and no other text.",
    `It has this form: ${JSON.stringify(RESULT_CONTRACT)}. At most ${MAX_RESULT} characters.`,
    "",
    playbook,
  ].join("\n");
}
