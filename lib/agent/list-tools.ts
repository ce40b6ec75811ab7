import { findPersona } from "@/lib/auth/find-persona";
import type { Ctx } from "@/lib/db/context";
import { inQuickTransaction } from "@/lib/db/in-transaction";
import { RUN_POLICY } from "@/lib/policy/gate-run";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { capDescription } from "@/lib/skill-format/cap-description";
import type { JsonObject } from "@/lib/skill-format/schema";
import type { PipelinePlan } from "@/lib/skills/pipeline/schema";
import { isMachinery, MACHINERY, type MachineryName, machinerySchema } from "./machinery";
import type { EnabledSkill } from "./offers/enabled-skills";
import { type Offer, offeredSkills } from "./offers/offered-skills";
import type { AgentTool } from "./schema";
import { requireAgentSession } from "./sessions/open-agent-session";
import { recordRead } from "./sessions/record-read";
import { recordStep } from "./sessions/record-step";

const MAX_NAME_CHARS = 64;
const EMPTY: JsonObject = { type: "object", properties: {} };

export type OfferedTools = {
  /** Grows when what the caller is offered may have changed. */
  revision: number;
  tools: AgentTool[];
};

/** The tools that the caller’s agent may call now, noted in the session’s trace. Needs the scope `read`. */
export async function listTools(ctx: Ctx, session: { id: string }): Promise<OfferedTools> {
  const offered = await offeredTools(ctx);
  const skills = offered.tools.filter(({ kind }) => kind === "skill").length;
  await inQuickTransaction(ctx, async (tx, txCtx) => {
    const detail = `was told of ${offered.tools.length} tools, ${skills} of them skills`;
    const step = { kind: "listed", tool: "tools/list", detail } as const;
    // What comes by the HTTP API is a read of its address, which has an event already.
    const row = await requireAgentSession(txCtx, session.id);
    if (row.surface === "mcp") await recordRead(tx, txCtx, row, step);
    else await recordStep(tx, txCtx, { ...step, sessionId: session.id });
  });
  return offered;
}

/**
 * The same without a trace: the machinery that the token’s scopes allow, and each runnable skill whose class the persona’s
 * mode does not refuse. A skill named like a part of the machinery is called `skill_…`; of two with the same name, the one
 * that ranks higher is there.
 */
export async function offeredTools(ctx: Ctx): Promise<OfferedTools> {
  const actor = requireScope(ctx.actor, "read");
  const offer = await offeredSkills(ctx);
  const machinery = (Object.keys(MACHINERY) as MachineryName[])
    .filter((name) => hasScope(actor, MACHINERY[name].scope))
    .map(machineryTool);
  if (!hasScope(actor, "run")) return { revision: offer.revision, tools: machinery };
  const persona = await findPersona(ctx, actor);
  if (persona === "missing") return { revision: offer.revision, tools: machinery };
  const steps = RUN_POLICY[persona?.permissionMode ?? "person"];
  const tools = skillTools(offer).filter((tool) => tool.class === null || steps[tool.class] !== "refuse");
  return { revision: offer.revision, tools: [...machinery, ...tools] };
}

/** The name under which a skill is called: its own, unless the machinery has it. */
export function skillToolName(toolName: string): string {
  return isMachinery(toolName) ? `skill_${toolName}`.slice(0, MAX_NAME_CHARS) : toolName;
}

const made = new WeakMap<Offer, AgentTool[]>();

/** Of one offer the tools are made once. */
function skillTools(offer: Offer): AgentTool[] {
  const known = made.get(offer) ?? makeTools(offer);
  made.set(offer, known);
  return known;
}

function makeTools({ skills, plans }: Offer): AgentTool[] {
  const runnable = skills.filter((skill) => skill.runnable && !skill.manifest.disableModelInvocation);
  // Skills that have a name by themselves come before those that were given it.
  const ordered = [
    ...runnable.filter(({ toolName }) => !isMachinery(toolName)),
    ...runnable.filter(({ toolName }) => isMachinery(toolName)),
  ];
  const byName = new Map<string, AgentTool>();
  for (const skill of ordered) {
    const name = skillToolName(skill.toolName);
    if (byName.has(name)) continue;
    byName.set(name, skillTool(name, skill, plans.get(skill.id)));
  }
  return [...byName.values()];
}

function skillTool(name: string, skill: EnabledSkill, plan: PipelinePlan | undefined): AgentTool {
  const runClass = plan?.class ?? skill.class;
  const schema = plan?.schema ?? skill.callSchema ?? EMPTY;
  const { whenToUse, description } = skill.manifest;
  const title = skill.label ?? skill.name;
  return {
    name,
    title,
    description: capDescription(
      [description, whenToUse && `When to use: ${whenToUse}`, skill.resultPreview].filter(Boolean).join("\n"),
    ),
    inputSchema: { ...schema, type: "object" },
    annotations: {
      title,
      readOnlyHint: runClass === "safe",
      destructiveHint: runClass === "dangerous",
      idempotentHint: runClass === "safe",
      openWorldHint: skill.hasNetwork,
    },
    kind: "skill",
    skillId: skill.id,
    class: runClass,
  };
}

function machineryTool(name: MachineryName): AgentTool {
  const { title, description, isReading, isIdempotent } = MACHINERY[name];
  return {
    ...{ name, title, description },
    inputSchema: machinerySchema(name),
    annotations: {
      title,
      readOnlyHint: isReading,
      destructiveHint: false,
      idempotentHint: isIdempotent,
      openWorldHint: false,
    },
    kind: "machinery",
    skillId: null,
    class: null,
  };
}
