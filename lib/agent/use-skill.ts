import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { decideTool } from "@/lib/policy/tool-limit/decide-tool";
import { fillArguments } from "@/lib/skill-format/arguments/call-arguments";
import { getInstructions, onlyPeopleStart } from "@/lib/skills/versions/get-instructions";
import type { SkillInstructions } from "@/lib/skills/versions/schema";
import type { UseSkillInput } from "./built-in-tools";
import { forkDirective, RESULT_CONTRACT } from "./fork-directive";
import { type OfferedEntry, type OfferOptions, offeredSkills } from "./offers/offered-skills";
import { requireOffered } from "./offers/require-offered";
import { escapeHtml } from "./preamble/build-preamble";
import type { ToolAnswer } from "./schema";
import { recordStep } from "./sessions/record-step";
import { offerOptionsOf } from "./sessions/session-limits";

type Options = {
  /** A person started it by name, as a prompt of their client; then skills that only people start may load. */
  byPerson?: boolean;
  to?: OfferOptions;
};

/**
 * Loads the playbook of an offered skill into a session. It counts as used, and its allowed tools limit the session until the
 * next load; an absent or empty list removes the limit. A playbook with its own context sets no limit here; the answer says how
 * to start a sub-agent. Throws `forbidden` or `not_approved` with the reason.
 */
export async function useSkill(
  ctx: Ctx,
  session: AgentSession,
  input: UseSkillInput,
  { byPerson = false, to = offerOptionsOf(session) }: Options = {},
): Promise<ToolAnswer> {
  const from = performance.now();
  const skill = await requireOffered(ctx, input.name, to);
  const { disableModelInvocation, disallowedTools, userInvocable } = skill.manifest;
  if (disableModelInvocation && !byPerson) throw onlyPeopleStart(skill);
  if (!userInvocable && byPerson) {
    const message = `People cannot start “${skill.name}” themselves; an agent loads it for a matching task.`;
    throw new AppError("forbidden", message, { rule: "user-invocation" });
  }
  const capabilities = skill.hasPlaybook ? (to.capabilities ?? null) : null;
  const given = await getInstructions(ctx, skill.id, { capabilities, byPerson });
  const instructions = given.instructions.trim()
    ? fillArguments(given.instructions, input.arguments ?? "", skill.manifest.arguments)
    : withoutPlaybook(skill);
  const limit = given.allowedTools === null || given.allowedTools.length === 0 ? null : given.allowedTools;
  const denied = disallowedTools ?? [];
  await inTransaction(ctx, async (tx, txCtx) => {
    if (!given.contextFork) {
      const active = { activeSkillId: skill.id, activeVersionDigest: given.digest };
      const activeTools = limit === null ? null : JSON.stringify(limit);
      await tx.agentSession.update({ where: { id: session.id }, data: { ...active, activeTools } });
    }
    await recordStep(tx, txCtx, {
      ...{ sessionId: session.id, kind: "loaded", tool: "use_skill" },
      ...{ skillId: skill.id, versionDigest: given.digest, durationMs: performance.now() - from },
      detail: `loaded ${skill.name}${given.contextFork ? " for a sub-agent" : describeLimit(limit, denied)}`,
    });
    await recordEvent(tx, txCtx, {
      action: "skill.load",
      summary: `loaded the playbook of ${skill.name}`,
      target: { kind: "skill", id: skill.id, name: skill.name },
      concerns: skill.ownerId,
      skillId: skill.id,
      versionDigest: given.digest,
      tool: "use_skill",
      class: skill.class,
      data: { fork: given.contextFork, limit, denied },
    });
  });
  const withheld = given.contextFork ? [] : await findWithheldTools(ctx, limit, to);
  return present(skill, { ...given, instructions }, { limit, denied, withheld });
}

function withoutPlaybook({ name, tool, plan, callSchema, manifest }: OfferedEntry): string {
  if (tool === null) return `“${name}” has no playbook beyond its description: ${manifest.description}\n`;
  const schema = JSON.stringify(plan?.schema ?? callSchema ?? { type: "object", properties: {} });
  return `“${name}” has no playbook. Run it: call the tool ${tool} with arguments that match this JSON Schema: ${schema}\n`;
}

/** Skills among the allowed tools that the caller may not run, with the reason. */
async function findWithheldTools(ctx: Ctx, limit: string[] | null, to: OfferOptions): Promise<string[]> {
  if (limit === null) return [];
  const { hidden } = await offeredSkills(ctx, { ...to, capabilities: null });
  const names = hidden.flatMap(({ tool }) => tool ?? []);
  const asked = { input: null, cwd: null, limit, denied: [], server: "skillgate", builtInTools: [], skillTools: names };
  return hidden.flatMap(({ tool, why }) =>
    tool !== null && decideTool({ tool, ...asked }).allowed ? `${tool} (${why.replace(/\.$/, "")})` : [],
  );
}

type Limit = { limit: string[] | null; denied: string[]; withheld: string[] };

function describeLimit(limit: string[] | null, denied: string[]): string {
  const only = limit === null ? "" : `, limited to ${limit.join(", ")}`;
  return denied.length === 0 ? only : `${only}, without ${denied.join(", ")}`;
}

function present(skill: OfferedEntry, given: SkillInstructions, { limit, denied, withheld }: Limit): ToolAnswer {
  const { agent, model } = skill.manifest;
  const examples = skill.overlay?.fewShot ?? [];
  const fork = given.contextFork
    ? {
        directive: escapeFrame(forkDirective({ ...given, denied }, { agent, model })),
        agent,
        model,
        resultContract: RESULT_CONTRACT,
      }
    : null;
  const content = [
    ...(fork === null ? [] : [fork.directive, ""]),
    writeSkillContent({ ...given, examples }),
    ...(limit === null || fork !== null
      ? []
      : ["", escapeFrame(`While this skill is active, only these tools may be called: ${limit.join(", ")}.`)]),
    ...(withheld.length === 0 ? [] : ["", `Of these, you are not offered: ${withheld.join("; ")}.`]),
    ...(denied.length === 0 || fork !== null
      ? []
      : ["", escapeFrame(`While this skill is active, these tools may not be called: ${denied.join(", ")}.`)]),
  ].join("\n");
  const structured = {
    ...given,
    skillId: skill.id,
    examples,
    overlay: skill.overlay === null ? null : { optimizer: skill.overlay.optimizer },
    limit: fork === null ? limit : null,
    disallowedTools: denied,
    fork,
  };
  return { content, notes: [], structured, isError: false };
}

export type SkillContent = Pick<SkillInstructions, "name" | "instructions" | "resources"> & { examples?: Example[] };
type Example = { input: string; output: string };

/** Escapes the surrounding tag in playbook and arguments, so that they cannot close it early. */
export function writeSkillContent({ name, instructions, resources, examples = [] }: SkillContent): string {
  const block = (tag: string, lines: string[]) => (lines.length === 0 ? [] : ["", `<${tag}>`, ...lines, `</${tag}>`]);
  return [
    `<skill_content name="${escapeHtml(name)}">`,
    escapeFrame(instructions.trimEnd()),
    ...block("skill_examples", examples.map(writeExample)),
    ...block(
      "skill_resources",
      resources.map((path) => `<file>${escapeHtml(path)}</file>`),
    ),
    "</skill_content>",
  ].join("\n");
}

/** Runs in linear time: no character of the first class is a `<`. */
function escapeFrame(text: string): string {
  return text.replace(/<(?=[\s\p{Cf}/]*skill_content)/giu, "<\\");
}

function writeExample({ input, output }: Example): string {
  return `<example><input>${escapeHtml(input)}</input><output>${escapeHtml(output)}</output></example>`;
}
