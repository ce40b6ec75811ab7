import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";

export const Sightings = z.object({
  items: z.array(
    z.object({
      door: z.string(),
      client: z.string(),
      mine: z.boolean().describe("With a token or a capability URL of the caller; else without signing in."),
      lastSeenAt: IsoTime,
    }),
  ),
});
export type Sightings = z.infer<typeof Sightings>;

/** Which clients have called which doors as the caller, or without signing in, and when last. */
export async function listSightings(ctx: Ctx): Promise<Sightings> {
  const { userId } = requireScope(ctx.actor, "read");
  const rows = await ctx.db.doorSighting.findMany({
    where: { userId: { in: [userId, ""] } },
    orderBy: { lastSeenAt: "desc" },
  });
  return {
    items: rows.map((row) => ({
      door: row.door,
      client: row.client,
      mine: row.userId !== "",
      lastSeenAt: row.lastSeenAt.toISOString(),
    })),
  };
}
