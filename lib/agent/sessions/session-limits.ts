import { z } from "zod";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import type { ToolQuestion } from "@/lib/policy/tool-limit/decide-tool";
import { SkillManifest } from "@/lib/skill-format/schema";
import type { EnabledSkill } from "../offers/enabled-skills";
import type { OfferOptions } from "../offers/offered-skills";

const DisallowedTools = SkillManifest.pick({ disallowedTools: true });

/** The allowed (null: no limit) and denied tools of the active skill, the latter from the loaded version. */
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

/** Offer options of a session: the capabilities of the agent's host, and whether its client can ask a person. */
export function offerOptionsOf({ capabilities }: AgentSession, canConfirm = true): OfferOptions {
  return { capabilities: capabilities === null ? null : keepParsed(Patterns, capabilities), canConfirm };
}

type Read = Pick<EnabledSkill, "id" | "digest" | "manifest">;

/** If only people may start the skill, a person must have started this version, as a prompt, in this session. */
export async function mayModelRead(ctx: Ctx, sessionId: string, { id, digest, manifest }: Read): Promise<boolean> {
  if (!manifest.disableModelInvocation) return true;
  // Models cannot load such a skill, so every load was started by a person.
  const loaded = { sessionId, kind: "loaded", outcome: "ok", skillId: id, versionDigest: digest };
  return (await ctx.db.agentStep.findFirst({ where: loaded, select: { id: true } })) !== null;
}

/** JSON columns of a session: tool patterns or capability ids. */
export const Patterns = z.array(z.string());
