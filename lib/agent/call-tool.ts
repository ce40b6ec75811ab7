import type { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { recordAgentRead } from "@/lib/audit/record-refusal";
import { recordRefusedRun } from "@/lib/audit/record-run-event";
import { AppError, type ErrorCode } from "@/lib/core/errors";
import { fieldErrors } from "@/lib/core/field-errors";
import type { Ctx } from "@/lib/db/context";
import { inQuickTransaction, inTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { decideTool, type ToolQuestion } from "@/lib/policy/tool-limit/decide-tool";
import { describeRefusedRun } from "@/lib/runner/describe-refused-run";
import { getRun } from "@/lib/runner/runs/get-run";
import { JsonObject } from "@/lib/skill-format/schema";
import { findNamedSkill } from "@/lib/skills/skill-access";
import type { StoredFile } from "@/lib/skills/versions/get-version-file";
import type { ListSkillsInput, ReadSkillFileInput } from "./built-in-tools";
import { BUILT_IN_TOOLS, type BuiltInToolName, type GetRunInput, isBuiltInTool, skillToolName } from "./built-in-tools";
import { type CallOptions, callSkillTool, presentRun } from "./call-skill-tool";
import { offeredTools } from "./list-tools";
import type { EnabledSkill } from "./offers/enabled-skills";
import { type OfferOptions, offeredSkills } from "./offers/offered-skills";
import { describeOffered, refusalOf } from "./offers/require-offered";
import { splitReadPath } from "./read-path";
import { readSkillFile, readWholeFile } from "./read-skill-file";
import { saveSkill } from "./save-skill";
import type { ToolAnswer } from "./schema";
import { inSession, requireAgentSession } from "./sessions/open-agent-session";
import { recordRead, recordStep } from "./sessions/record-step";
import type { AgentStepKind } from "./sessions/schema";
import { offerOptionsOf, readToolLimit } from "./sessions/session-limits";
import { useSkill as loadPlaybook } from "./use-skill";

const MAX_EVENTS = 200;

/** Codes of refusals by a policy, as opposed to errors of the caller. */
const REFUSALS = new Set<ErrorCode>([
  "forbidden",
  "not_approved",
  "confirmation_required",
  "no_isolation",
  "worker_does_not_allow",
  "credential_missing",
  "not_offered",
  "rate_limited",
]);
/** Codes that are thrown to the endpoint instead of becoming the tool's answer. */
const FAULTS = new Set<ErrorCode>(["internal", "unavailable", "unauthenticated"]);

const KINDS: Record<BuiltInToolName, AgentStepKind> = {
  use_skill: "loaded",
  read_skill_file: "read",
  save_skill: "saved",
  list_skills: "listed",
  get_run: "read",
};

/**
 * Calls a tool for an agent, by MCP or HTTP: a built-in tool, or an offered skill by its tool name. Refusals and errors are
 * answers with `isError` and the problem as structured content. Throws `not_found` for a session of another caller. Every
 * call adds a step to the session’s trace.
 */
export async function callTool(
  ctx: Ctx,
  { id }: { id: string },
  name: string,
  args: unknown,
  options: CallOptions = {},
): Promise<ToolAnswer> {
  const session = await requireAgentSession(ctx, id);
  const within = inSession(ctx, session);
  try {
    return isBuiltInTool(name)
      ? await callBuiltInTool(within, session, { name, args }, options)
      : await callSkill(within, session, { name, args }, options);
  } catch (error) {
    if (!(error instanceof AppError) || FAULTS.has(error.code)) throw error;
    await recordFailure(within, session, { name, args, error });
    return problemAnswer(error);
  }
}

/** The bytes of a file of an offered skill, binaries and long texts included; refusals are recorded like those of read_skill_file. */
export async function readFileInSession(
  ctx: Ctx,
  { id }: { id: string },
  input: ReadSkillFileInput,
  { canConfirm }: CallOptions,
): Promise<StoredFile> {
  const session = await requireAgentSession(ctx, id);
  const within = inSession(ctx, session);
  try {
    return await readWholeFile(within, session, input, offerOptionsOf(session, canConfirm));
  } catch (error) {
    if (!(error instanceof AppError) || FAULTS.has(error.code)) throw error;
    await recordFailure(within, session, { name: "read_skill_file", args: input, error });
    throw error;
  }
}

async function callBuiltInTool(
  ctx: Ctx,
  session: AgentSession,
  { name, args }: { name: BuiltInToolName; args: unknown },
  { canConfirm }: CallOptions,
): Promise<ToolAnswer> {
  requireScope(ctx.actor, BUILT_IN_TOOLS[name].scope);
  const to = offerOptionsOf(session, canConfirm);
  switch (name) {
    case "use_skill":
      return loadPlaybook(ctx, session, parse(BUILT_IN_TOOLS.use_skill.input, args), { to });
    case "read_skill_file":
      return readSkillFile(ctx, session, parse(BUILT_IN_TOOLS.read_skill_file.input, args), to);
    case "save_skill":
      return saveSkill(ctx, session, parse(BUILT_IN_TOOLS.save_skill.input, args));
    case "list_skills":
      return listSkillsForAgent(ctx, session, parse(BUILT_IN_TOOLS.list_skills.input, args), to);
    case "get_run":
      return getRunForAgent(ctx, parse(BUILT_IN_TOOLS.get_run.input, args));
  }
}

type Call = { name: string; args: unknown };

async function callSkill(
  ctx: Ctx,
  session: AgentSession,
  { name, args }: Call,
  options: CallOptions,
): Promise<ToolAnswer> {
  const { canConfirm = true } = options;
  const { tools } = await offeredTools(ctx, { canConfirm });
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw await explainMissingTool(ctx, name, { tools, canConfirm });
  const input = JsonObject.safeParse(args);
  const decide = (limit: Pick<ToolQuestion, "limit" | "denied">) =>
    decideTool({
      tool: name,
      input: input.success ? input.data : null,
      cwd: null,
      ...limit,
      server: "skillgate",
      builtInTools: Object.keys(BUILT_IN_TOOLS),
      skillTools: tools.map((candidate) => candidate.name),
    });
  const outer = options.within ? decide(options.within) : null;
  if (outer?.allowed === false) {
    const message = `This sub-agent may not call ${name}, also after loading another skill. ${outer.reason}`;
    throw new AppError("forbidden", message, { rule: "allowed-tools" });
  }
  const { allowed, reason } = decide(await readToolLimit(ctx, session));
  if (!allowed) {
    const active = session.activeSkillId && (await ctx.db.skill.findUnique({ where: { id: session.activeSkillId } }));
    const message = `The active skill${active ? ` “${active.name}”` : ""} does not allow ${name}. ${reason} Load another skill to replace its limit.`;
    throw new AppError("forbidden", message, { rule: "allowed-tools" });
  }
  return callSkillTool(ctx, session, { tool, args }, options);
}

type Offered = { tools: { name: string }[]; canConfirm: boolean };

/** The refusal, with its rule, for a visible skill of that tool name that the caller may not call; else `not_found`. */
async function explainMissingTool(ctx: Ctx, name: string, { tools, canConfirm }: Offered): Promise<AppError> {
  const shown = name.slice(0, 100);
  const { skills, hidden } = await offeredSkills(ctx, { canConfirm });
  const away = hidden.find(({ tool }) => tool === name);
  if (away !== undefined) return refusalOf(away);
  const offered = skills.find((skill) => skill.runnable && skillToolName(skill.toolName) === name);
  if (offered?.manifest.disableModelInvocation) {
    const message = `Only people may start “${offered.name}”; its author does not allow models to call it.`;
    return new AppError("forbidden", message, { rule: "model-invocation" });
  }
  if (!hasScope(ctx.actor, "run")) {
    return new AppError("not_found", `There is no tool “${shown}”; a token without the scope “run” runs no skills.`);
  }
  if (offered?.asksPerson && offered.tool === null) {
    const message = `A person must confirm each run of “${offered.name}”, and this client cannot ask one. use_skill loads its playbook.`;
    return new AppError("confirmation_required", message);
  }
  const similar = tools.find((tool) => tool.name.toLowerCase() === name.toLowerCase());
  const hint = similar ? `; did you mean “${similar.name}”?` : ".";
  return new AppError("not_found", `There is no tool “${shown}” among those you are offered${hint}`);
}

function parse<S extends z.ZodType>(schema: S, args: unknown): z.output<S> {
  const parsed = schema.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error, "The object of arguments");
  throw new AppError("invalid", `The arguments do not match the schema. ${errors[0]?.message}`, { errors });
}

/** Records a step and an event for a refused or failed call. */
export async function recordFailure(
  ctx: Ctx,
  session: Pick<AgentSession, "id" | "client">,
  { name, args, error }: Call & { error: AppError },
): Promise<void> {
  const isRefused = REFUSALS.has(error.code);
  const tool = name.slice(0, 200);
  const isOfRun = !isBuiltInTool(name);
  const run = isOfRun ? await describeRefusedRun(ctx, error.askedRun ?? { idOrName: name, args }) : null;
  const skillId = run === null ? await skillOfCall(ctx, { name, args }) : (run.skill?.id ?? null);
  const kind = isRefused ? "refused" : isBuiltInTool(name) ? KINDS[name] : "ran";
  await inTransaction(ctx, async (tx, txCtx) => {
    const outcome = isRefused ? "refused" : "failed";
    await recordStep(tx, txCtx, { sessionId: session.id, kind, outcome, tool, skillId, detail: error.message });
    const entry = {
      action: isRefused ? "agent.refuse" : "agent.fail",
      outcome,
      ...(skillId === null ? {} : { skillId }),
      summary: `${isRefused ? "was refused" : "failed to call"} the tool ${tool} (${error.code})`,
      target: { kind: "agent-session", id: session.id, name: session.client },
      tool,
      ...(isRefused ? { decision: "refuse" as const, rule: error.rule ?? null } : {}),
      // Arguments of a skill may contain secret fields, so only their digest is recorded.
      ...(isOfRun ? {} : { arguments: args }),
      error: { code: error.code, message: error.message },
      data: { code: error.code, rule: error.rule, detail: error.message },
    } as const;
    await (run === null ? recordEvent(tx, txCtx, entry) : recordRefusedRun(tx, txCtx, run, entry));
  });
}

function problemAnswer(error: AppError): ToolAnswer {
  return { content: error.message, notes: [], structured: describeProblem(error), isError: true };
}

/** A refusal or error as structured content. */
export function describeProblem({ code, status, message, rule, errors, retryAfterSeconds }: AppError): JsonObject {
  return {
    ...{ code, status, detail: message },
    ...(rule === undefined ? {} : { rule }),
    ...(errors === undefined ? {} : { errors }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

async function skillOfCall(ctx: Ctx, { name, args }: Call): Promise<string | null> {
  const given = JsonObject.safeParse(args);
  const { name: named, path } = given.success ? given.data : {};
  const asked = isBuiltInTool(name) ? (named ?? (typeof path === "string" ? splitReadPath(path).name : null)) : name;
  if (typeof asked !== "string" || asked === "") return null;
  try {
    return (await findNamedSkill(ctx, asked)).id;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** A run that the caller asked for, with its newer events; `not_found` for runs of other people, even visible ones. */
async function getRunForAgent(ctx: Ctx, { id, after }: GetRunInput): Promise<ToolAnswer> {
  const actor = requireScope(ctx.actor, "read");
  const run = await getRun(ctx, id);
  if (run.caller.id !== actor.userId) throw new AppError("not_found", `You did not start a run ${id.slice(0, 64)}.`);
  const rows = await ctx.db.runEvent.findMany({
    where: { runId: id, seq: { gt: after } },
    orderBy: { seq: "asc" },
    take: MAX_EVENTS,
  });
  const events = rows.map(({ seq, at, stream, text }) => ({ seq, at: at.toISOString(), stream, text }));
  const answer = await presentRun(ctx, run);
  // Counted, since agents poll.
  await recordAgentRead(ctx, { path: `/api/runs/${run.id}`, query: "" });
  // The call succeeded although the run failed.
  return { ...answer, structured: { ...answer.structured, events }, isError: false };
}

/** Lists the skills that a model may load; with a query, those that contain every word. */
export async function listSkillsForAgent(
  ctx: Ctx,
  session: AgentSession,
  { query, mode }: ListSkillsInput,
  to: OfferOptions,
): Promise<ToolAnswer> {
  const { skills } = await offeredSkills(ctx, to);
  const words = (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = skills.filter((skill) => !skill.manifest.disableModelInvocation && containsWords(skill, words));
  await inQuickTransaction(ctx, async (tx, txCtx) => {
    await recordRead(tx, txCtx, session, {
      ...{ kind: words.length > 0 ? "searched" : "listed", tool: "list_skills", args: { query, mode } },
      detail: words.length > 0 ? `found ${found.length} skills for “${query}”` : `listed ${found.length} skills`,
    });
  });
  const lines = found.map(({ name, manifest }) => {
    if (mode === "names") return name;
    const when = manifest.whenToUse === null ? "" : ` When to use: ${oneLine(manifest.whenToUse)}`;
    return `${name}: ${oneLine(manifest.description)}${when}`;
  });
  const items = found.map(describeOffered);
  const structured = { skills: mode === "names" ? items.map(({ name }) => ({ name })) : items, total: found.length };
  return { content: lines.join("\n") || "No skill matches.", notes: [], structured, isError: false };
}

function containsWords({ name, slug, label, manifest }: EnabledSkill, words: string[]): boolean {
  const text = [name, slug, label ?? "", manifest.description, manifest.whenToUse ?? "", ...manifest.tags].join("\n");
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
