import type { ModelMessage } from "ai";
import { createRedactor } from "@/lib/core/redact/create-redactor";
import type { Ctx } from "@/lib/db/context";
import type { Model } from "@/lib/settings/models/require-model";
import { storableText } from "@/lib/skill-format/storable-text";
import { type AnswerBudget, openBudget } from "../playground/answer-budget";
import type { TriedSkill } from "../playground/assert-may-try";
import { conversationTools } from "../playground/conversation-tools";
import { forkAgent } from "../playground/fork-agent";
import { type AgentToolbox, runAgent } from "../playground/run-agent";
import type { PlaygroundEvent, PlaygroundLimits } from "../playground/schema";
import { systemPrompt } from "../playground/system-prompt";
import { openAgentSession } from "../sessions/open-agent-session";
import { type Answered, checkAnswer } from "./check-answer";
import { judgeAnswer } from "./judge-answer";
import type { CheckOutcome, EvalAnswer, EvalCase } from "./schema";

const MAX_ANSWER = 32_768;
const WITHOUT = "You help a person. Answer briefly.";

export type Evaluating = {
  /** Acts as the agent of the evaluation. */
  agent: Ctx;
  tried: TriedSkill;
  model: Model;
  limits: PlaygroundLimits;
  signal: AbortSignal;
};

/**
 * Asks one case of the model and holds the answer against its checks: with the skill by the same way as an agent of the
 * playground, in a session of its own; without it, there is nothing but the prompt. An answer that was ended by a limit or
 * an error has not passed, whatever it says.
 */
export async function answerCase(work: Evaluating, item: EvalCase, withSkill: boolean): Promise<EvalAnswer> {
  const { model, limits, signal, tried } = work;
  const budget = openBudget(limits);
  const from = performance.now();
  const noted = { tools: [] as string[], skills: [] as string[] };
  const messages: ModelMessage[] = [{ role: "user", content: promptOf(item) }];
  const side = withSkill
    ? await withTheSkill({ ...work, budget }, item, messages, noted)
    : { system: WITHOUT, tools: [], session: null };
  const outcome = await runAgent({
    ...{ model, budget, signal, messages, system: side.system, tools: side.tools },
    onText: () => {},
    onBadCall: () => {},
    onUsage: () => {},
  });
  const durationMs = Math.round(performance.now() - from);
  const redactor = model.apiKey === null ? null : createRedactor([{ credential: "model key", value: model.apiKey }]);
  const hide = (text: string) => storableText(redactor?.text(text) ?? text);
  const text = hide(outcome.text);
  const answered = { text, steps: outcome.steps, ...noted };
  const checks = outcome.reason === "done" ? await holdAgainst(work, item, answered, tried.skill.name) : [];
  return {
    answer: text.slice(0, MAX_ANSWER),
    passed: checks.length > 0 && checks.every(({ passed }) => passed),
    checks: checks.map(({ what, passed, why }) => ({ what, passed, why: hide(why) })),
    reason: outcome.reason,
    problem: outcome.problem === null ? null : hide(outcome.problem),
    steps: outcome.steps,
    tokens: outcome.tokens,
    durationMs,
    sessionId: side.session,
  };
}

type Side = { system: string; tools: AgentToolbox[]; session: string };
type Answering = Evaluating & { budget: AnswerBudget };
type Noted = Pick<Answered, "tools" | "skills">;

async function withTheSkill(work: Answering, item: EvalCase, task: ModelMessage[], noted: Noted): Promise<Side> {
  const { agent, tried, model, budget, signal } = work;
  const client = `evaluation (${model.model})`;
  const { id: sessionId } = await openAgentSession(agent, { client, surface: "evaluation" });
  const tools = await conversationTools({
    ...{ agent, sessionId, model, budget, signal, task, tried: [tried] },
    surface: "evaluation",
    fork: null,
    within: null,
    startFork: forkAgent,
    emit: watcher(tried, noted),
  });
  return { system: await systemPrompt(agent, [tried], item.prompt), tools, session: sessionId };
}

/** Notes what was called and answered, by the agent and by its sub-agents. */
function watcher({ skill }: TriedSkill, { tools, skills }: Noted): (event: PlaygroundEvent) => void {
  const asked = new Map<string, unknown>();
  return (event) => {
    if (event.type === "call") asked.set(`${event.fork} ${event.id}`, event.args);
    if (event.type !== "result" || (event.outcome !== "ok" && event.outcome !== "parked")) return;
    tools.push(event.tool);
    const { name } = (asked.get(`${event.fork} ${event.id}`) ?? {}) as { name?: unknown };
    const isLoaded = event.tool === "use_skill" && [skill.name, skill.slug, skill.id].includes(String(name));
    if (isLoaded || event.tool === skill.toolName) skills.push(skill.name);
  };
}

function promptOf({ prompt, files }: EvalCase): string {
  const parts = files.map(({ path, text }) => `<file path=${JSON.stringify(path)}>\n${text}\n</file>`);
  return [prompt, ...parts].join("\n\n");
}

async function holdAgainst(
  work: Evaluating,
  { prompt, checks }: EvalCase,
  answered: Answered,
  skill: string,
): Promise<CheckOutcome[]> {
  const statements = checks.flatMap((check) => (check.kind === "judged" ? check.value : []));
  const known = checks.flatMap((check) => (check.kind === "judged" ? [] : checkAnswer(check, answered, skill)));
  const judged = statements.length === 0 ? [] : await judgeAnswer(work, { prompt, answer: answered.text, statements });
  return [...known, ...judged];
}
