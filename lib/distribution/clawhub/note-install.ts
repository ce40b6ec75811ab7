import type { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { countInstall } from "../count-install";
import { limitDoor } from "../limit-endpoint";
import { viewerOfRoot } from "../viewer-of";
import { findPinned } from "./find-skill";
import type { TelemetryInput } from "./schema";
import { withdrawalOf } from "./withdrawal";

/**
 * `POST /api/cli/telemetry/install`: counted like the download that came before it, so once for both. Of anything else that is
 * told here nothing is kept.
 */
export async function noteInstall(ctx: Ctx, request: Request, told: z.output<typeof TelemetryInput>) {
  const viewer = await viewerOfRoot(ctx);
  await limitDoor(viewer);
  if (told.event !== "install" || told.slug === undefined) return { ok: true as const };
  const { slug, ownerHandle, version } = told;
  try {
    const { published } = await findPinned(viewer.ctx, { slug, ownerHandle }, { version: version ?? undefined });
    await countInstall(viewer, published, "clawhub", request);
  } catch (error) {
    // Nobody learns here whether there is such a skill.
    if (!(error instanceof AppError) || error.code !== "not_found") withdrawalOf(error);
  }
  return { ok: true as const };
}
