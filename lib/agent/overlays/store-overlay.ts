import { stringify } from "smol-toml";
import { recordEvent } from "@/lib/audit/record-event";
import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { SkillManifest } from "@/lib/skill-format/schema";
import type { SkillRow } from "@/lib/skills/skill-access";
import { aboutOverlay, type OverlayRow } from "./present-overlay";
import type { OverlayContent, OverlayEvidence, OverlayExample } from "./schema";

export type NewOverlay = {
  state: "working" | "pending";
  optimizer: string;
  optimizedAt: Date;
  traceCount: number;
  description: string | null;
  fewShot: OverlayExample[];
  before: OverlayContent;
  evidence: OverlayEvidence;
  /** The submitted file; generated when absent. */
  toml?: string;
};

/** Stores a proposal for the active version, with its event. Needs an open transaction. */
export async function storeOverlay(
  ctx: Ctx,
  skill: SkillRow,
  digest: string,
  overlay: NewOverlay,
): Promise<OverlayRow> {
  const { tx } = ctx;
  if (!tx) throw new Error("an overlay is stored inside a transaction");
  const row = await tx.overlay.create({
    data: {
      id: newId(),
      skillId: skill.id,
      baseDigest: digest,
      ...{ state: overlay.state, optimizer: overlay.optimizer, optimizedAt: overlay.optimizedAt },
      ...{ traceCount: overlay.traceCount, description: overlay.description },
      fewShot: JSON.stringify(overlay.fewShot),
      before: JSON.stringify(overlay.before),
      evidence: JSON.stringify(overlay.evidence),
      toml: overlay.toml ?? writeOverlayToml({ ...overlay, skillName: skill.name }),
      createdAt: ctx.now(),
      createdById: isPerson(ctx.actor) ? ctx.actor.userId : null,
      createdByName: "name" in ctx.actor ? ctx.actor.name : "Skillgate",
    },
  });
  await recordEvent(tx, ctx, {
    action: "overlay.propose",
    ...aboutOverlay(row, skill),
    summary: `proposed an overlay for ${skill.name} (${overlay.optimizer}, ${overlay.traceCount} traces)`,
    data: { before: overlay.before, after: { description: overlay.description, fewShot: overlay.fewShot } },
  });
  return row;
}

/** The texts of the active version with its digest. `not_approved` without an active version. */
export function contentOfSkill(skill: SkillRow): { digest: string; content: OverlayContent } {
  if (!skill.current) {
    throw new AppError("not_approved", `“${skill.name}” has no approved version for an overlay.`);
  }
  const { description, overlay } = keepParsed(SkillManifest, skill.current.manifest);
  return { digest: skill.current.digest, content: { description, fewShot: overlay?.fewShot ?? [] } };
}

type OverlayFile = {
  skillName: string;
  optimizer: string;
  optimizedAt: Date;
  traceCount: number;
  description: string | null;
  fewShot: OverlayExample[];
};

/** Writes `optimized.toml` in the format of OpenJarvis ("SkillOverlay"). */
export function writeOverlayToml(overlay: OverlayFile): string {
  const { skillName, optimizer, optimizedAt, traceCount, description, fewShot } = overlay;
  return stringify({
    optimized: {
      skill_name: skillName,
      optimizer,
      optimized_at: optimizedAt.toISOString(),
      trace_count: traceCount,
      ...(description === null ? {} : { description }),
      few_shot: fewShot,
    },
  });
}
