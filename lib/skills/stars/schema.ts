import { z } from "zod";

export const StarState = z.object({
  /** Whether the caller has starred the skill. */
  starred: z.boolean(),
  /** People who have. */
  stars: z.number().int(),
});
export type StarState = z.infer<typeof StarState>;
