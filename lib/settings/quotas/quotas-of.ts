import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { cachedSettings } from "../cached-settings";
import { OwnQuotas, QUOTA_KEYS, type Quotas } from "./schema";

const OWN = query<{ quotas: string }>(`SELECT "quotas" FROM "User" WHERE "id" = ?`);

/** What is said of this person alone. */
export async function ownQuotas(ctx: Ctx, userId: string): Promise<OwnQuotas> {
  const row = await sqlOf(ctx).get(OWN, userId);
  return row === undefined ? {} : keepParsed(OwnQuotas, row.quotas);
}

/** What holds for this person: their own quotas over the settings, which may be five seconds old. */
export async function quotasOf(ctx: Ctx, userId: string): Promise<Quotas> {
  const settings = await cachedSettings(ctx);
  const ofAll = Object.fromEntries(QUOTA_KEYS.map((key) => [key, settings[key]])) as Quotas;
  return { ...ofAll, ...(await ownQuotas(ctx, userId)) };
}
