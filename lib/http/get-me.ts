import type { Me } from "@/lib/auth/schema";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { countReviews } from "@/lib/review/count-reviews";
import { countApprovals } from "@/lib/runner/list-approvals";
import { workerStatus } from "@/lib/runner/worker-status";
import { getSettings } from "@/lib/settings/get-settings";
import packageJson from "@/package.json" with { type: "json" };
import { getRights } from "./get-rights";

/** The caller and what the shell of every page shows. */
export async function getMe(ctx: Ctx): Promise<Me> {
  const actor = requireScope(ctx.actor, "read");
  const { userId, name, email, role } = actor;
  const { soloMode } = await getSettings(ctx);
  const workers = await workerStatus(ctx);
  return {
    user: { id: userId, name, email, role },
    counts: { reviews: await countReviews(ctx), approvals: await countApprovals(ctx) },
    rights: await getRights(ctx, actor, soloMode),
    soloMode,
    reviewers: await ctx.db.user.count({ where: { state: "active", role: { in: ["reviewer", "admin"] } } }),
    workersOnline: workers.online,
    isolation: workers.isolation,
    version: packageJson.version,
  };
}
