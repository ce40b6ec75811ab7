import { z } from "zod";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";
import { PublisherRef } from "../publishers/schema";

/** A version that was approved. */
export const Update = z.object({
  skill: z.object({ id: z.string(), name: z.string(), description: z.string() }),
  publisher: PublisherRef,
  digest: z.string(),
  number: z.number().int(),
  approvedAt: IsoTime,
  changelog: z.string().nullable(),
  /** Whether it is what the skill serves now. */
  serves: z.boolean(),
  url: z.url(),
});
export type Update = z.infer<typeof Update>;

export const UpdatePage = pageOf(Update);
export const ListUpdatesQuery = PageQuery;
export type ListUpdatesQuery = z.infer<typeof ListUpdatesQuery>;
