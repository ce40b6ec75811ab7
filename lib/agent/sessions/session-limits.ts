import { z } from "zod";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import type { ToolQuestion } from "@/lib/policy/tool-limit/decide-tool";
import { SkillManifest } from "@/lib/skill-format/schema";
import type { EnabledSkill } from "../offers/enabled-skills";
import type { OfferOptions } from "../offers/offered-skills";

const DisallowedTools = SkillManifest.pick({ disallowedTools: true });

/**
 * What the active skill of a session allows (null: no limit) and what it takes away. The latter is read from the version
 * that was loaded, whose digest stands for its bytes.
 */
export async function readToolLimit(ctx: Ctx, session: AgentSession): Promise<Pick<ToolQuestion, "limit" | "denied">> {
  const { activeSkillId: skillId, activeVersionDigest: digest, activeTools } = session;
  const limit = activeTools === null ? null : keepParsed(Patterns, activeTools);
  if (skillId === null || digest === null) return { limit, denied: [] };
  const version = await ctx.db.version.findUnique({
    where: { skillId_digest: { skillId, digest } },
    select: { manifest: true },
  });
  const denied = version === null ? null : parseJsonColumn(DisallowedTools, version.manifest).disallowedTools;
  return { limit, denied: denied ?? [] };
}

/** What skills are offered by in a session: what the agent's own host can do, and whether a person can be asked there. */
export function offerOptionsOf({ capabilities }: AgentSession, canConfirm = true): OfferOptions {
  return { capabilities: capabilities === null ? null : keepParsed(Patterns, capabilities), canConfirm };
}

type Read = Pick<EnabledSkill, "id" | "digest" | "manifest">;

/**
 * Whether a model may read the files of a version of an offered skill: always, unless only people start it
 * (`disable-model-invocation`). Then a person has to have started this version, by its prompt, in this session.
 */
export async function mayModelRead(ctx: Ctx, sessionId: string, { id, digest, manifest }: Read): Promise<boolean> {
  if (!manifest.disableModelInvocation) return true;
  // A load by the model itself is refused, so what was loaded was started by a person.
  const loaded = { sessionId, kind: "loaded", outcome: "ok", skillId: id, versionDigest: digest };
  return (await ctx.db.agentStep.findFirst({ where: loaded, select: { id: true } })) !== null;
}

/** Of the JSON columns of a session: patterns of tools, ids of capabilities. */
export const Patterns = z.array(z.string());
