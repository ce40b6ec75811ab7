import type { Ctx } from "@/lib/db/context";
import { examplesOf } from "./present-overlay";
import type { OverlayExample } from "./schema";

type Serving = { id: string; digest: string };
export type ActiveOverlay = { id: string; optimizer: string; description: string | null; fewShot: OverlayExample[] };

/** The approved overlays of these skills, by skill; one that speaks of another version than the serving one is left out. */
export async function activeOverlays(ctx: Ctx, skills: Serving[]): Promise<Map<string, ActiveOverlay>> {
  const serving = new Map(skills.map(({ id, digest }) => [id, digest]));
  const rows = await ctx.db.overlay.findMany({ where: { state: "approved" } });
  return new Map(
    rows
      .filter(({ skillId, baseDigest }) => serving.get(skillId) === baseDigest)
      .map((row) => [
        row.skillId,
        { id: row.id, optimizer: row.optimizer, description: row.description, fewShot: examplesOf(row) },
      ]),
  );
}
