import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import type { Skill, Version } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { Grants } from "@/lib/policy/grants/schema";
import { requireScope } from "@/lib/policy/require-scope";
import { findReleased } from "../release-manifest";
import { servedManifest } from "../served-manifest";
import type { UnservedSkills } from "./schema";
import { allowingWorkers, mayTake, refusingWorkers } from "./worker-allowances";

const MAX_LISTED = 200;

type Row = Pick<Skill, "id" | "name" | "scope" | "source"> & Pick<Version, "digest" | "manifest" | "entry" | "grants">;

/** Most grants open nothing, and are not read: what opens something stands in their text in one of these spellings. */
const OPENING = ['"paths":[{', '"env":["', '"capabilities":["', '"namespaces":["', '"network":["', '"network":true'];
const APPROVED = query<Row>(
  `SELECT s."id", s."name", s."scope", s."source", v."digest", v."manifest", v."entry", v."grants"
   FROM "Skill" s JOIN "Version" v ON v."id" = s."currentId"
   WHERE s."deletedAt" IS NULL AND s."enabled" = ? AND s."listed" = ? AND v."state" = ?
     AND (${OPENING.map(() => `v."grants" LIKE ?`).join(" OR ")})
   ORDER BY s."name", s."id"`,
);

/**
 * The approved skills that are switched on and whose runs no worker may serve, since none allows all that they are granted;
 * each with what is missing on which worker, at most `limit`. None where no worker has connected. For admins.
 */
export async function listUnserved(ctx: Ctx, limit = MAX_LISTED): Promise<UnservedSkills> {
  requireScope(ctx.actor, "admin");
  const workers = await allowingWorkers(ctx);
  if (workers.length === 0) return { items: [], more: 0 };
  const rows = await sqlOf(ctx).all(APPROVED, true, true, "approved", ...OPENING.map((text) => `%${text}%`));
  const items: UnservedSkills["items"] = [];
  for (const { id, name, scope, source, digest, grants, ...version } of rows) {
    if (servedManifest(version).entry === null) continue;
    const able = workers.filter((worker) => mayTake(worker, scope));
    const granted = { digest, grants: keepParsed(Grants, grants ?? "{}") };
    const refusing = await refusingWorkers(able, granted);
    if (refusing.length === 0 || refusing.length < able.length) continue;
    items.push({
      skill: { id, name },
      versionDigest: digest,
      builtin: source === "worker" && (await findReleased(digest)) !== null,
      missing: refusing.flatMap(({ id: workerId, name: workerName, saysAllows, notAllowed }) =>
        notAllowed.map(({ what, variable }) => ({
          worker: { id: workerId, name: workerName, saysAllows },
          ...{ what, variable },
        })),
      ),
    });
  }
  return { items: items.slice(0, limit), more: Math.max(0, items.length - limit) };
}
