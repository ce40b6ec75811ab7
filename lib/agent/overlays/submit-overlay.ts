import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { getSettings } from "@/lib/settings/get-settings";
import { requireManagedSkill } from "@/lib/skills/skill-access";
import { presentOverlay } from "./present-overlay";
import { readOverlayToml } from "./read-overlay-toml";
import { OverlayEvidence, type SkillOverlay, type SubmitOverlayInput } from "./schema";
import { storeOverlay } from "./store-overlay";
import { wordsOfSkill } from "./words-of-skill";

/** What a column of 32 bits holds. */
const MAX_COUNT = 2_147_483_647;

/** Hands in an `optimized.toml` that was made elsewhere. It waits for a reviewer like one that was made here. */
export async function submitOverlay(ctx: Ctx, idOrName: string, input: SubmitOverlayInput): Promise<SkillOverlay> {
  return inTransaction(ctx, async (_tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    const overlay = readOverlayToml(input.toml, [skill.name, skill.slug, skill.toolName]);
    const { digest, words } = wordsOfSkill(skill);
    const row = await storeOverlay(txCtx, skill, digest, {
      state: "pending",
      optimizer: overlay.optimizer ?? "unnamed",
      optimizedAt: timeOf(overlay.optimizedAt) ?? ctx.now(),
      traceCount: Math.min(MAX_COUNT, Math.max(0, Math.trunc(overlay.traceCount ?? 0))),
      description: overlay.description,
      fewShot: overlay.fewShot,
      before: words,
      evidence: OverlayEvidence.parse({}),
      toml: input.toml,
    });
    return presentOverlay(txCtx, row, skill, await getSettings(txCtx));
  });
}

function timeOf(text: string | null): Date | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time);
}
