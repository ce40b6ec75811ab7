import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import { VersionState } from "@/lib/skills/versions/schema";

/** A text that resembles the SKILL.md in question. */
export const NearCopy = z.object({
  hash: z.string().describe("Names the other text: `…/near-copies/{hash}` compares the two."),
  differs: z.number().int().describe("Share of words that differ, in per cent; 0 for the same words."),
  skill: z
    .object({
      id: z.string(),
      name: z.string(),
      digest: z.string(),
      number: z.number().int(),
      state: VersionState,
      decidedAt: IsoTime.nullable(),
    })
    .nullable()
    .describe("A version of a skill here with this text; null for an entry of the catalog."),
  entry: z.object({ id: z.string(), name: z.string(), source: z.string() }).nullable(),
});
export type NearCopy = z.infer<typeof NearCopy>;
export const NearCopyList = z.object({ items: z.array(NearCopy), nextCursor: z.null() });
export type NearCopyList = z.infer<typeof NearCopyList>;
