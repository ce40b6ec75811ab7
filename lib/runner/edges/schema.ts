import { z } from "zod";
import { IsoTime, pageOf } from "@/lib/core/schema";

/** A worker as somebody sees it who chooses where a skill runs. */
export const Edge = z.object({
  id: z.string(),
  name: z.string(),
  online: z.boolean(),
  lastSeenAt: IsoTime.nullable(),
  platform: z.string().nullable(),
  offers: z.boolean().nullable().describe("Whether it can run the skill that was asked for; null when none was."),
});
export type Edge = z.infer<typeof Edge>;
export const EdgePage = pageOf(Edge);
export const ListEdgesQuery = z.object({ skill: z.string().max(200).optional().describe("Id or name of a skill.") });
export type ListEdgesQuery = z.infer<typeof ListEdgesQuery>;
