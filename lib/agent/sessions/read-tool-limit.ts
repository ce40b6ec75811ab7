import { parseJsonColumn } from "@/lib/core/json";
import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import type { ToolQuestion } from "@/lib/policy/tool-limit/decide-tool";
import { SkillManifest } from "@/lib/skill-format/schema";
import { Patterns } from "./session-columns";

const TakenAway = SkillManifest.pick({ disallowedTools: true });

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
  const denied = version === null ? null : parseJsonColumn(TakenAway, version.manifest).disallowedTools;
  return { limit, denied: denied ?? [] };
}
