import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { getSettings } from "@/lib/settings/settings";

/** Imports, installs and updates share one limit: versions a person brings in within an hour. Throws `rate_limited`. */
export async function assertImportQuota(ctx: Ctx, userId: string): Promise<void> {
  const { importsPerHour } = await getSettings(ctx);
  const since = new Date(ctx.now().getTime() - 3_600_000);
  const recent = await ctx.db.version.count({ where: { createdById: userId, createdAt: { gte: since } } });
  if (recent < importsPerHour) return;
  throw new AppError(
    "rate_limited",
    `You imported ${recent} versions in the last hour; the limit is ${importsPerHour}.`,
    { retryAfterSeconds: 600 },
  );
}
