import { canonicalJson } from "@/lib/core/json";
import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import type { Worker } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { addressesNotAllowed } from "@/lib/policy/addresses-not-allowed";
import { WorkerOffers } from "@/lib/policy/eligibility/schema";
import type { Grants } from "@/lib/policy/grants/schema";
import { settleGrants } from "@/lib/policy/grants/settle-grants";
import {
  ALLOWS_NOTHING,
  needsOperator,
  notAllowed,
  notAllowedOfRelease,
  type Refusing,
  type WorkerAllowance,
} from "@/lib/policy/worker-allowance";
import type { SkillManifest } from "@/lib/skill-format/schema";
import { LEASE_SECONDS } from "@/lib/worker/protocol";
import { findReleased } from "../release-manifest";

/** A worker with what its operator allows; `saysAllows` false: it is of a release that does not say, so it allows nothing. */
export type AllowingWorker = Pick<Worker, "id" | "name" | "manager" | "isolation"> & {
  isOnline: boolean;
  saysAllows: boolean;
  allows: WorkerAllowance;
};

type Row = Pick<Worker, "id" | "name" | "manager" | "isolation" | "offers" | "lastSeenAt">;
const REGISTERED = query<Row>(
  `SELECT "id", "name", "manager", "isolation", "offers", "lastSeenAt" FROM "Worker"
   WHERE "revokedAt" IS NULL AND "lastSeenAt" IS NOT NULL ORDER BY "name"`,
  { manager: "flag", lastSeenAt: "date" },
);

/** The workers that have connected once and are not revoked, by name. */
export async function allowingWorkers(ctx: Ctx): Promise<AllowingWorker[]> {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  return (await sqlOf(ctx).all(REGISTERED)).map(({ offers, lastSeenAt, ...worker }) => {
    const { allows } = keepParsed(WorkerOffers, offers);
    return {
      ...worker,
      isOnline: lastSeenAt !== null && lastSeenAt >= since,
      saysAllows: allows !== undefined,
      allows: allows ?? ALLOWS_NOTHING,
    };
  });
}

/** An approved version, as far as it says what its runs are granted. */
export type Granted = {
  digest: string;
  manifest: Pick<SkillManifest, "envAllow" | "timeoutSeconds">;
  grants: Grants;
};

/**
 * Of some workers those that do not allow all that the runs of a version are granted, each with what it does not allow. A
 * built-in of the release under the very grants of its release is judged by `notAllowedOfRelease`.
 */
export async function refusingWorkers<W extends Pick<AllowingWorker, "name" | "allows">>(
  workers: readonly W[],
  granted: Granted,
): Promise<(W & Refusing)[]> {
  if (workers.length === 0 || !needsOperator(granted.grants)) return [];
  const judge = (await isGrantedByRelease(granted)) ? notAllowedOfRelease : notAllowed;
  return workers.flatMap((worker) => {
    const found = [...judge(worker.allows, granted.grants), ...addressesNotAllowed(worker.allows, granted.grants)];
    return found.length === 0 ? [] : [{ ...worker, notAllowed: found }];
  });
}

async function isGrantedByRelease({ digest, manifest, grants }: Granted): Promise<boolean> {
  const released = await findReleased(digest);
  return released !== null && canonicalJson(settleGrants(manifest, released.grants)) === canonicalJson(grants);
}
