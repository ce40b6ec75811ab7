import { findPersona } from "@/lib/auth/personas";
import { type Me, Rights } from "@/lib/auth/schema";
import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { gateRun } from "@/lib/policy/gate-run";
import { effectiveScopes, requireScope } from "@/lib/policy/require-scope";
import { countReviews } from "@/lib/review/review-queue";
import { countApprovals } from "@/lib/runner/approvals/list-approvals";
import { workerStatus } from "@/lib/runner/workers/workers";
import { getSettings } from "@/lib/settings/settings";

import type { SkillClass } from "@/lib/skill-format/schema";
import packageJson from "@/package.json";

const REVIEWERS = query<{ count: number }>(
  `SELECT COUNT(*) AS "count" FROM "User" WHERE "state" = 'active' AND "role" IN ('reviewer', 'admin')`,
);

/** The caller, with the counts and states that every page shows. */
export async function getMe(ctx: Ctx): Promise<Me> {
  const actor = requireScope(ctx.actor, "read");
  const { userId, name, email, role } = actor;
  const { soloMode, instanceName } = await getSettings(ctx);
  const workers = await workerStatus(ctx);
  return {
    user: { id: userId, name, email, role },
    counts: { reviews: await countReviews(ctx), approvals: await countApprovals(ctx) },
    rights: await getRights(ctx, actor, soloMode),
    instanceName,
    soloMode,
    reviewers: (await sqlOf(ctx).get(REVIEWERS))?.count ?? 0,
    workersOnline: workers.online,
    isolation: workers.isolation,
    version: packageJson.version,
  };
}

/** Rights of the caller: those of the person, limited by token scopes and persona. */
async function getRights(ctx: Ctx, actor: PersonActor, soloMode: boolean): Promise<Rights> {
  const persona = await findPersona(ctx, actor);
  // Lists of single skills do not matter for rights by class.
  const policy = persona === null || persona === "missing" ? persona : { ...persona, allow: [], deny: [] };
  const skill = { name: "a skill", slug: "a-skill", toolName: "a_skill" };
  const outcomeOf = (runClass: SkillClass) => {
    const { outcome, rule, reason } = gateRun({
      class: runClass,
      persona: policy,
      confirmed: false,
      soloMode,
      skill,
    });
    return { outcome, rule, reason };
  };
  return Rights.parse({
    via: actor.kind === "token" ? "token" : "session",
    scopes: effectiveScopes(actor),
    persona: persona === "missing" ? null : persona,
    runs: { safe: outcomeOf("safe"), mutating: outcomeOf("mutating"), dangerous: outcomeOf("dangerous") },
  });
}
