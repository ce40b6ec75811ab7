import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { workerStatus } from "@/lib/runner/workers/workers";
import packageJson from "@/package.json" with { type: "json" };

/** Throws `unavailable` when the database does not respond. */
export async function getHealth(ctx: Ctx) {
  try {
    const { online } = await workerStatus(ctx);
    return {
      status: "ok",
      version: packageJson.version,
      database: { provider: ctx.database.dialect, ok: true },
      workers: { online },
    };
  } catch (cause) {
    throw new AppError("unavailable", "The database does not respond.", { retryAfterSeconds: 5, cause });
  }
}
