import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { decideTool } from "@/lib/policy/tool-limit/decide-tool";
import { fillArguments } from "@/lib/skill-format/arguments/call-arguments";
import { escapeHtml } from "@/lib/skill-format/export/escape-html";
import { getInstructions, onlyPeopleStart } from "@/lib/skills/versions/get-instructions";
import type { SkillInstructions } from "@/lib/skills/versions/schema";
import type { UseSkillInput } from "./built-in-tools";
import { forkDirective, RESULT_CONTRACT } from "./fork-directive";
import { type OfferedEntry, type OfferTo, offeredSkills } from "./offers/offered-skills";
import { requireOffered } from "./offers/require-offered";
import type { ToolAnswer } from "./schema";
import { recordStep } from "./sessions/record-step";
import { offerTo } from "./sessions/session-limits";

type Options = {
  /** A person started it by its name: a prompt of a client. What only people start is then given. */
  byPerson?: boolean;
  to?: OfferTo;
};

/**
 * Loads the playbook of an offered skill into a session: it counts as used, and the tools it allows are the session's limit
 * until the next one is loaded. No list, or an empty one, takes the limit away. One that forks limits nothing here; the answer
 * says how to hand it to a sub-agent. `forbidden` or `not_approved` with the reason why it is not to be had.
 */
export async function useSkill(
  ctx: Ctx,
  session: AgentSession,
  input: UseSkillInput,
  { byPerson = false, to = offerTo(session) }: Options = {},
): Promise<ToolAnswer> {
  const from = performance.now();
  const skill = await requireOffered(ctx, input.name, to);
  const { disableModelInvocation, disallowedTools, userInvocable } = skill.manifest;
  if (disableModelInvocation && !byPerson) throw onlyPeopleStart(skill);
  if (!userInvocable && byPerson) {
    const message = `“${skill.name}” is not for people to start by hand; an agent loads it when it fits.`;
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
      detail: `loaded ${skill.name}${given.contextFork ? " for a sub-agent" : sayLimit(limit, denied)}`,
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
  const withheld = given.contextFork ? [] : await whichAreWithheld(ctx, limit, to);
  return present(skill, { ...given, instructions }, { limit, denied, withheld });
}

/** What is said of a skill that has no text of its own. */
function withoutPlaybook({ name, tool, plan, callSchema, manifest }: OfferedEntry): string {
  if (tool === null) return `“${name}” has no playbook beyond its description: ${manifest.description}\n`;
  const schema = JSON.stringify(plan?.schema ?? callSchema ?? { type: "object", properties: {} });
  return `“${name}” has no playbook: it is run. Call the tool ${tool} with arguments that fit this JSON Schema: ${schema}\n`;
}

/** Of the tools that a playbook allows, the skills of this server that the caller may not run, with the reason. */
async function whichAreWithheld(ctx: Ctx, limit: string[] | null, to: OfferTo): Promise<string[]> {
  if (limit === null) return [];
  const { hidden } = await offeredSkills(ctx, { ...to, capabilities: null });
  const names = hidden.flatMap(({ tool }) => tool ?? []);
  const asked = { input: null, cwd: null, limit, denied: [], server: "skillgate", machinery: [], skillTools: names };
  return hidden.flatMap(({ tool, why }) =>
    tool !== null && decideTool({ tool, ...asked }).allowed ? `${tool} (${why.replace(/\.$/, "")})` : [],
  );
}

type Limit = { limit: string[] | null; denied: string[]; withheld: string[] };

function sayLimit(limit: string[] | null, denied: string[]): string {
  const only = limit === null ? "" : `, limited to ${limit.join(", ")}`;
  return denied.length === 0 ? only : `${only}, without ${denied.join(", ")}`;
}

function present(skill: OfferedEntry, given: SkillInstructions, { limit, denied, withheld }: Limit): ToolAnswer {
  const { agent, model } = skill.manifest;
  const examples = skill.overlay?.fewShot ?? [];
  const fork = given.contextFork
    ? {
        directive: withoutFrame(forkDirective({ ...given, denied }, { agent, model })),
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
      : ["", withoutFrame(`While this skill is active, only these tools may be called: ${limit.join(", ")}.`)]),
    ...(withheld.length === 0 ? [] : ["", `Of these, you are not offered: ${withheld.join("; ")}.`]),
    ...(denied.length === 0 || fork !== null
      ? []
      : ["", withoutFrame(`While this skill is active, these tools may not be called: ${denied.join(", ")}.`)]),
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

/**
 * A playbook as a model reads it, with its examples and the paths of its other files, and nothing about how it is used. The
 * tags of the frame stand in it once: a playbook, or an argument filled into it, that has them gets a backslash behind the `<`.
 */
export function writeSkillContent({ name, instructions, resources, examples = [] }: SkillContent): string {
  const block = (tag: string, lines: string[]) => (lines.length === 0 ? [] : ["", `<${tag}>`, ...lines, `</${tag}>`]);
  return [
    `<skill_content name="${escapeHtml(name)}">`,
    withoutFrame(instructions.trimEnd()),
    ...block("skill_examples", examples.map(writeExample)),
    ...block(
      "skill_resources",
      resources.map((path) => `<file>${escapeHtml(path)}</file>`),
    ),
    "</skill_content>",
  ].join("\n");
}

/** In time that grows with the text alone: no character of the first class is a `<`. */
function withoutFrame(text: string): string {
  return text.replace(/<(?=[\s\p{Cf}/]*skill_content)/giu, "<\\");
}

function writeExample({ input, output }: Example): string {
  return `<example><input>${escapeHtml(input)}</input><output>${escapeHtml(output)}</output></example>`;
}
