import { getUserRow } from "@/lib/auth/people/get-user";
import type { Ctx } from "@/lib/db/context";
import { listQuotas } from "./list-quotas";
import type { QuotaList } from "./schema";

/** The quotas of a person who is there, else `not_found`. */
export async function getPersonQuotas(ctx: Ctx, id: string): Promise<QuotaList> {
  await getUserRow(ctx, id);
  return listQuotas(ctx, id);
}
