import type { Ctx } from "@/lib/db/context";
import { inQuickTransaction } from "@/lib/db/context";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { withoutBooleanSchemas } from "@/lib/skill-format/arguments/walk-schema";
import { capDescription } from "@/lib/skill-format/cap-description";
import type { JsonObject } from "@/lib/skill-format/schema";
import { BUILT_IN_TOOLS, type BuiltInToolName, builtInToolSchema } from "./built-in-tools";
import { type Offer, type OfferedEntry, type OfferOptions, offeredSkills } from "./offers/offered-skills";
import type { AgentTool } from "./schema";
import { requireAgentSession } from "./sessions/open-agent-session";
import { recordRead, recordStep } from "./sessions/record-step";

const EMPTY: JsonObject = { type: "object", properties: {} };

export type OfferedTools = {
  /** Increases whenever the offer may have changed. */
  revision: number;
  tools: AgentTool[];
  /** The skills behind them; the same object until they change. */
  offer: Offer;
};

/** The tools that the caller’s agent may call, recorded in the session’s trace. Needs the scope `read`. */
export async function listTools(ctx: Ctx, session: { id: string }, to: OfferOptions = {}): Promise<OfferedTools> {
  const offered = await offeredTools(ctx, to);
  const skills = offered.tools.filter(({ kind }) => kind === "skill").length;
  await inQuickTransaction(ctx, async (tx, txCtx) => {
    const detail = `listed ${offered.tools.length} tools, ${skills} of them skills`;
    const step = { kind: "listed", tool: "tools/list", detail } as const;
    // Over HTTP, the read of the address is recorded already.
    const row = await requireAgentSession(txCtx, session.id);
    if (row.surface === "mcp") await recordRead(tx, txCtx, row, step);
    else await recordStep(tx, txCtx, { ...step, sessionId: session.id });
  });
  return offered;
}

/**
 * Like `listTools`, without a trace. A skill named like a built-in tool is called `skill_…`; of equal names the higher-ranked
 * wins.
 */
export async function offeredTools(ctx: Ctx, to: OfferOptions = {}): Promise<OfferedTools> {
  const actor = requireScope(ctx.actor, "read");
  const offer = await offeredSkills(ctx, to);
  const builtIn = (Object.keys(BUILT_IN_TOOLS) as BuiltInToolName[])
    .filter((name) => hasScope(actor, BUILT_IN_TOOLS[name].scope))
    .map(builtInTool);
  return { revision: offer.revision, tools: [...builtIn, ...skillTools(offer)], offer };
}

const cachedTools = new WeakMap<Offer, AgentTool[]>();

function skillTools(offer: Offer): AgentTool[] {
  const known = cachedTools.get(offer);
  if (known !== undefined) return known;
  const tools = offer.skills.flatMap((skill) =>
    skill.tool === null || skill.manifest.disableModelInvocation ? [] : skillTool(skill.tool, skill),
  );
  cachedTools.set(offer, tools);
  return tools;
}

function skillTool(name: string, skill: OfferedEntry): AgentTool {
  const schema = skill.plan?.schema ?? skill.callSchema ?? EMPTY;
  const { whenToUse, description } = skill.manifest;
  const title = skill.label ?? skill.name;
  return {
    name,
    title,
    description: capDescription(
      [description, whenToUse && `When to use: ${whenToUse}`, skill.resultPreview].filter(Boolean).join("\n"),
    ),
    inputSchema: { ...withoutBooleanSchemas(schema), type: "object" },
    annotations: {
      title,
      readOnlyHint: skill.class === "safe",
      destructiveHint: skill.class === "dangerous",
      idempotentHint: skill.class === "safe",
      openWorldHint: skill.hasNetwork,
    },
    kind: "skill",
    skillId: skill.id,
    class: skill.class,
    asksPerson: skill.asksPerson,
  };
}

function builtInTool(name: BuiltInToolName): AgentTool {
  const { title, description, isReading, isIdempotent } = BUILT_IN_TOOLS[name];
  return {
    ...{ name, title, description },
    inputSchema: builtInToolSchema(name),
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
    asksPerson: false,
  };
}
