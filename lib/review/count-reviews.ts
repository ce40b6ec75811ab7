import type { Ctx } from "@/lib/db/context";
import { listReviews } from "./list-reviews";

/** How many versions wait for the caller's decision, counted up to 100. */
export async function countReviews(ctx: Ctx): Promise<number> {
  return (await listReviews(ctx, { limit: 100 })).items.length;
}
