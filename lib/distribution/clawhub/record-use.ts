import type { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { countStars, setStar } from "@/lib/skills/community/popularity";
import { limitReads } from "../answer-endpoint";
import { countInstall } from "../count-install";
import { identifyRootViewer } from "../identify-viewer";
import { findPinned } from "./find-skill";
import { withdrawalOf } from "./moderate";
import type { SkillReference, TelemetryInput } from "./schema";

/** `POST /api/v1/stars/{slug}`. */
export async function starClawSkill(ctx: Ctx, wanted: SkillReference) {
  const { id, starred } = await readStar(ctx, wanted);
  await setStar(ctx, id, true);
  return { ok: true as const, starred: true as const, alreadyStarred: starred };
}

/** `DELETE /api/v1/stars/{slug}`. */
export async function unstarClawSkill(ctx: Ctx, wanted: SkillReference) {
  const { id, starred } = await readStar(ctx, wanted);
  await setStar(ctx, id, false);
  return { ok: true as const, unstarred: true as const, alreadyUnstarred: !starred };
}

async function readStar(ctx: Ctx, wanted: SkillReference) {
  const { id } = (await findPinned(ctx, wanted)).published.skill;
  return { id, starred: (await countStars(ctx, [id])).get(id)?.starred ?? false };
}

/** `POST /api/cli/telemetry/install`: counts an install once, together with its download. Ignores every other event. */
export async function noteInstall(ctx: Ctx, request: Request, event: z.output<typeof TelemetryInput>) {
  const viewer = await identifyRootViewer(ctx);
  await limitReads(viewer);
  if (event.event !== "install" || event.slug === undefined) return { ok: true as const };
  const { slug, ownerHandle, version } = event;
  try {
    const { published } = await findPinned(viewer.ctx, { slug, ownerHandle }, { version: version ?? undefined });
    await countInstall(viewer, published, "clawhub", request);
  } catch (error) {
    // The answer must not reveal whether the skill exists.
    if (!(error instanceof AppError) || error.code !== "not_found") withdrawalOf(error);
  }
  return { ok: true as const };
}
