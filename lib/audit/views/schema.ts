import { z } from "zod";
import { lineOfText } from "@/lib/core/schema";

/** Filters of a page under a name that their owner gave them. */
export const SavedView = z.object({
  id: z.string(),
  name: z.string(),
  /** Of the address, without the question mark. */
  query: z.string(),
  /** Shown when the page is opened without filters; one for each person at most. */
  isDefault: z.boolean(),
});
export type SavedView = z.infer<typeof SavedView>;
export const SavedViewList = z.object({ items: z.array(SavedView), nextCursor: z.null() });

export const SaveViewInput = z.object({
  name: lineOfText(60),
  query: z.string().max(2_000),
  isDefault: z.boolean().default(false),
});
export type SaveViewInput = z.infer<typeof SaveViewInput>;

export const UpdateViewInput = z
  .object({ name: lineOfText(60), query: z.string().max(2_000), isDefault: z.boolean() })
  .partial();
export type UpdateViewInput = z.infer<typeof UpdateViewInput>;
