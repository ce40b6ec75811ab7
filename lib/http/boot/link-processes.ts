import { logger } from "@/lib/core/logger";
import { relayWakes, wakeHere } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { keepProcess } from "@/lib/jobs/processes/keep-process";
import { leaveProcesses, registerProcess } from "@/lib/jobs/processes/register-process";
import { followSettings } from "@/lib/settings/cached-settings";

/** Ties this process to the others on its database: what one tells, all hear. Answers what unties it. */
export async function linkProcesses(
  ctx: Ctx,
  self: { instance: string; version: string; address: string },
): Promise<() => Promise<void>> {
  const channel = await ctx.database.openChannel?.(wakeHere);
  if (channel) relayWakes(channel.send);
  const unfollow = followSettings(ctx.database);
  await registerProcess(ctx, self);
  const stop = keepProcess(ctx, (err) => logger.error({ err }, "this process could not say that it lives"));
  return async () => {
    stop();
    unfollow();
    relayWakes(null);
    await channel?.close();
    await leaveProcesses(ctx);
  };
}
