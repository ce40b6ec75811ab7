import { AppError } from "@/lib/core/errors";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { fillArguments } from "@/lib/skill-format/arguments/call-arguments";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import { isAgentFile } from "@/lib/skills/versions/agent-file-access";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import { isBuiltInTool, ReadSkillFileInput, UseSkillInput } from "../built-in-tools";
import { callTool, recordFailure } from "../call-tool";
import { offeredTools } from "../list-tools";
import { splitReadPath } from "../read-path";
import type { ToolAnswer } from "../schema";
import { inSession, requireAgentSession } from "../sessions/open-agent-session";
import { recordStep } from "../sessions/record-step";
import { type SkillContent, writeSkillContent } from "../use-skill";
import type { AnswerContext, ForkedSkill } from "./answer-context";
import { type AgentOutcome, type AgentRun, type AgentToolbox, runAgent } from "./run-agent";

type Answered = Pick<ToolAnswer, "content" | "structured" | "isError">;

/** Maximum part of an answer shown to people; the model gets all of it. */
const MAX_SHOWN_CHARS = 8_000;
const NOT_IN_PLAYGROUND = new Set(["save_skill"]);
/** `list_skills` would show skills outside the choice. */
const NOT_WITH_A_CHOICE = new Set([...NOT_IN_PLAYGROUND, "list_skills"]);

/** The tools of a conversation’s agent, limited to the chosen skills. */
export async function conversationTools(context: AnswerContext): Promise<AgentToolbox[]> {
  const { tools } = await offeredTools(context.agent);
  const chosen = new Set(context.tried.filter(({ pending }) => pending === null).map(({ skill }) => skill.id));
  const excluded = context.tried.length === 0 ? NOT_IN_PLAYGROUND : NOT_WITH_A_CHOICE;
  return tools
    .filter(({ name, skillId }) =>
      skillId === null ? !excluded.has(name) : context.tried.length === 0 || chosen.has(skillId),
    )
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
      call: (args: unknown, id: string) => answerCall(context, { id, tool: name, args }),
    }));
}

/** Lets a conversation's agent or sub-agent answer, and emits its text, invalid calls and usage. */
export function converse(
  context: AnswerContext,
  asked: Pick<AgentRun, "system" | "messages" | "tools">,
): Promise<AgentOutcome> {
  const { model, budget, signal, emit, fork } = context;
  return runAgent({
    ...{ model, budget, signal, ...asked },
    onText: (text) => emit({ type: "text", fork, text }),
    onBadCall: ({ message, ...call }) => {
      emit({ type: "call", fork, ...call });
      const { id, tool } = call;
      const content = message.slice(0, MAX_SHOWN_CHARS);
      emit({ type: "result", fork, id, tool, outcome: "failed", content, runId: null, milliseconds: 0 });
    },
    onUsage: (used) => emit({ type: "usage", fork, ...used }),
  });
}

type Call = { id: string; tool: string; args: unknown };

async function answerCall(context: AnswerContext, call: Call): Promise<string> {
  const { emit, fork } = context;
  emit({ type: "call", fork, ...call });
  const from = performance.now();
  const answer = await answerOf(context, call);
  const { state, runId } = answer.structured as { state?: string; runId?: string; id?: string };
  emit({
    type: "result",
    fork,
    id: call.id,
    tool: call.tool,
    outcome: answer.isError
      ? isRefusal(answer)
        ? "refused"
        : "failed"
      : state === "awaiting_approval"
        ? "parked"
        : "ok",
    content: answer.content.slice(0, MAX_SHOWN_CHARS),
    runId: runId ?? null,
    milliseconds: Math.round(performance.now() - from),
  });
  return answer.content;
}

async function answerOf(context: AnswerContext, call: Call): Promise<Answered> {
  try {
    const own = await answerLocally(context, call).catch((error: unknown) => recordLocalFailure(context, call, error));
    if (own !== null) return own;
    const signal = AbortSignal.any([context.signal, context.budget.deadline]);
    const options = { signal, onAbort: "cancel" as const, within: context.within };
    const answer = await callTool(context.agent, { id: context.sessionId }, call.tool, call.args, options);
    if (call.tool !== "use_skill" || answer.isError)
      return { ...answer, content: [answer.content, ...answer.notes].join("\n") };
    return await afterLoading(context, answer);
  } catch (error) {
    if (!(error instanceof AppError)) logger.error({ err: error, tool: call.tool }, "a playground tool failed");
    const detail = error instanceof AppError ? error.message : "The tool failed inside the server.";
    const code = error instanceof AppError ? error.code : "internal";
    return { content: detail, structured: { code }, isError: true };
  }
}

async function recordLocalFailure(context: AnswerContext, { tool, args }: Call, error: unknown): Promise<never> {
  if (error instanceof AppError) {
    const session = await requireAgentSession(context.agent, context.sessionId);
    await recordFailure(inSession(context.agent, session), session, { name: tool, args, error });
  }
  throw error;
}

/** Answers for skills outside the choice and for inactive versions; null for all other calls. */
async function answerLocally(context: AnswerContext, { tool, args }: Call): Promise<Answered | null> {
  if (context.tried.length === 0 || !isBuiltInTool(tool)) return null;
  const input =
    tool === "use_skill"
      ? UseSkillInput.safeParse(args)
      : tool === "read_skill_file"
        ? ReadSkillFileInput.safeParse(args)
        : null;
  if (!input?.success) return null;
  const path = "path" in input.data ? input.data.path : "";
  const name = input.data.name ?? splitReadPath(path).name;
  const chosen = context.tried.find(({ skill }) => [skill.name, skill.slug, skill.id].includes(name));
  if (!chosen)
    throw new AppError("forbidden", `“${name.slice(0, 100)}” is not one of the chosen skills.`, {
      rule: "not-chosen",
    });
  if (chosen.pending === null) return null;
  const version = { skill: chosen.skill, version: chosen.pending };
  if (tool === "read_skill_file") {
    return { content: await readPendingFile(context.agent, version, path), structured: {}, isError: false };
  }
  const playbook = await readPendingPlaybook(
    context.agent,
    version,
    "arguments" in input.data ? (input.data.arguments ?? "") : "",
  );
  const found = { id: chosen.skill.id, name: playbook.name, digest: chosen.pending.digest, tools: playbook.limit };
  await recordLoading(context, found, playbook.contextFork);
  if (playbook.contextFork && context.startFork !== null)
    return startSubAgent(context, { ...found, playbook: playbook.content });
  context.emit({ type: "limit", fork: context.fork, skill: playbook.name, tools: playbook.limit });
  return { content: `${playbook.content}\n\n${playbook.note}`, structured: {}, isError: false };
}

async function recordLoading(
  context: AnswerContext,
  found: { id: string; name: string; digest: string; tools: string[] | null },
  forks: boolean,
): Promise<void> {
  await inTransaction(context.agent, async (tx, txCtx) => {
    const step = { sessionId: context.sessionId, kind: "loaded", tool: "use_skill", skillId: found.id } as const;
    const detail = `loaded ${found.name}, a version that is not active`;
    await recordStep(tx, txCtx, { ...step, versionDigest: found.digest, detail });
    if (forks) return;
    const activeTools = found.tools === null ? null : JSON.stringify(found.tools);
    const active = { activeSkillId: found.id, activeVersionDigest: found.digest, activeTools };
    await tx.agentSession.update({ where: { id: context.sessionId }, data: active });
  });
}

async function afterLoading(context: AnswerContext, answer: ToolAnswer): Promise<Answered> {
  const loaded = answer.structured as SkillContent & {
    skillId: string;
    digest: string;
    limit: string[] | null;
    allowedTools: string[] | null;
    fork: unknown;
  };
  if (loaded.fork !== null && context.startFork !== null) {
    const { skillId: id, name, digest } = loaded;
    const tools = loaded.allowedTools?.length ? loaded.allowedTools : null;
    // The answer's directive is for agents that start sub-agents themselves.
    return startSubAgent(context, { id, name, digest, tools, playbook: writeSkillContent(loaded) });
  }
  if (loaded.fork === null)
    context.emit({ type: "limit", fork: context.fork, skill: loaded.name, tools: loaded.limit });
  return answer;
}

async function startSubAgent(context: AnswerContext, skill: ForkedSkill): Promise<Answered> {
  if (context.startFork === null) throw new Error("a sub-agent cannot start another one");
  const { result, isError } = await context.startFork(context, skill);
  return { content: result, structured: {}, isError };
}

function isRefusal({ structured }: Answered): boolean {
  return [
    ...["forbidden", "not_approved", "no_isolation", "worker_does_not_allow"],
    ...["credential_missing", "confirmation_required"],
  ].includes(String(structured.code));
}

type Pending = { skill: SkillRow; version: VersionRow };
type Playbook = {
  content: string;
  note: string;
  limit: string[] | null;
  contextFork: boolean;
  name: string;
};

/** The playbook of an inactive version, without its scripts. The caller must be allowed to try it. */
async function readPendingPlaybook(ctx: Ctx, { skill, version }: Pending, args: string): Promise<Playbook> {
  const { manifest } = readSkill(await readVersionFiles(ctx, version), { folder: skill.slug });
  const files = version.files.filter(
    (file) => file.path.toLowerCase() !== "skill.md" && isAgentFile(file, { mayScripts: false }),
  );
  const content = writeSkillContent({
    name: skill.name,
    instructions: fillArguments(manifest.body, args, manifest.arguments),
    resources: files.map(({ path }) => path),
  });
  const state = version.state === "approved" ? "is not active" : "is not approved";
  const note = `This version ${state}: you can read its playbook, but it does not run.`;
  const tools = manifest.allowedTools;
  const limit = tools === null || tools.length === 0 ? null : tools;
  return { content, note, limit, contextFork: manifest.contextFork, name: skill.name };
}

/** One text file of an inactive version, at most 256 KiB; no scripts. */
async function readPendingFile(ctx: Ctx, { skill, version }: Pending, path: string): Promise<string> {
  const files = await readVersionFiles(ctx, version);
  const split = splitReadPath(path);
  const isStored = files.some((candidate) => candidate.path === path);
  const inside = !isStored && [skill.slug, skill.name].includes(split.name) ? split.inside : path;
  const file = files.find((candidate) => candidate.path === inside);
  if (!file) throw new AppError("not_found", `“${skill.name}” has no file “${path.slice(0, 200)}”.`);
  const stored = version.files.find((candidate) => candidate.path === inside);
  if (stored === undefined || !isAgentFile(stored, { mayScripts: false })) {
    throw new AppError(
      "forbidden",
      `${inside} is a script or not text. Only the playbook of an inactive version can be read.`,
    );
  }
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file.bytes);
}
