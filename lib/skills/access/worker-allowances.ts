import { isIP } from "node:net";
import { keepParsed } from "@/lib/core/json";
import { type AddressRanges, isAllowedAddress, PUBLIC_ONLY, parseRanges } from "@/lib/core/outgoing/address-ranges";
import type { Ctx } from "@/lib/db/context";
import type { Skill, Version, Worker } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { WorkerOffers } from "@/lib/policy/eligibility/schema";
import { Grants } from "@/lib/policy/grants/schema";
import { requireScope } from "@/lib/policy/require-scope";
import {
  ALLOWS_NOTHING,
  describeNotAllowed,
  isWithinGrants,
  type NotAllowed,
  needsOperator,
  notAllowed,
  notAllowedOfRelease,
  sharesNetwork,
  type WorkerAllowance,
  type WorkerRefusal,
} from "@/lib/policy/worker-allowance";
import { LEASE_SECONDS } from "@/lib/worker/protocol";
import { findReleased } from "../approval/release-manifest";
import { servedManifest } from "../approval/served-manifest";
import type { UnservedSkills, WorkerAllowanceList } from "./schema";

/** A worker with its allowances. `saysAllows` is false for older releases, which report none. */
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

/** Registered workers that connected at least once, by name. */
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

/** Whether a worker takes runs of this scope that name no worker. */
export function mayTake({ manager }: Pick<AllowingWorker, "manager">, scope: string): boolean {
  return manager || scope === "host";
}

/**
 * Explains why no worker allows all grants of an approved version. Null when a worker does, when none ever connected,
 * and for skills that are not run.
 */
export async function whyNotServed(
  ctx: Ctx,
  { scope }: { scope: string },
  version: Pick<Version, "digest" | "manifest" | "entry" | "grants">,
): Promise<string | null> {
  const manifest = servedManifest(version);
  const grants = keepParsed(Grants, version.grants ?? "{}");
  if (manifest.entry === null || !needsOperator(grants)) return null;
  const able = (await allowingWorkers(ctx)).filter((worker) => mayTake(worker, scope));
  const refusing = await refusingWorkers(able, { digest: version.digest, grants });
  return refusing.length === 0 || refusing.length < able.length ? null : describeNotAllowed(refusing);
}

export type Granted = { digest: string; grants: Grants };

/** The workers that do not allow all grants of a version, with the missing allowances. */
export async function refusingWorkers<W extends Pick<AllowingWorker, "name" | "allows">>(
  workers: readonly W[],
  granted: Granted,
): Promise<(W & WorkerRefusal)[]> {
  if (workers.length === 0 || !needsOperator(granted.grants)) return [];
  const refusing = among(workers, granted.grants, notAllowed);
  // Reads the release manifest only when a worker refuses.
  if (refusing.length === 0 || !(await isGrantedByRelease(granted))) return refusing;
  return among(workers, granted.grants, notAllowedOfRelease);
}

function among<W extends Pick<AllowingWorker, "allows">>(
  workers: readonly W[],
  grants: Grants,
  judge: typeof notAllowed,
): (W & Pick<WorkerRefusal, "notAllowed">)[] {
  return workers.flatMap((worker) => {
    const found = [...judge(worker.allows, grants), ...addressesNotAllowed(worker.allows, grants)];
    return found.length === 0 ? [] : [{ ...worker, notAllowed: found }];
  });
}

/** Whether this is a built-in whose grants stay within its release; workers apply the same rule. */
async function isGrantedByRelease({ digest, grants }: Granted): Promise<boolean> {
  const released = await findReleased(digest);
  return released !== null && isWithinGrants(grants, released.grants);
}

/** Allowances of all workers, for reviewers only: they name folders of hosts. */
export async function listAllowances(ctx: Ctx): Promise<WorkerAllowanceList> {
  requireScope(ctx.actor, "review");
  const workers = await allowingWorkers(ctx);
  return {
    items: workers.map(({ id, name, manager, isOnline, saysAllows, allows }) => ({
      ...{ id, name, manager, online: isOnline, saysAllows, allows },
    })),
    nextCursor: null,
  };
}

const MAX_LISTED = 200;

type ApprovedRow = Pick<Skill, "id" | "name" | "scope" | "source"> &
  Pick<Version, "digest" | "manifest" | "entry" | "grants">;

/** Texts in a grants column that need an allowance; most rows contain none and are skipped. */
const OPENING = ['"paths":[{', '"env":["', '"capabilities":["', '"namespaces":["', '"network":["', '"network":true'];
const APPROVED = query<ApprovedRow>(
  `SELECT s."id", s."name", s."scope", s."source", v."digest", v."manifest", v."entry", v."grants"
   FROM "Skill" s JOIN "Version" v ON v."id" = s."currentId"
   WHERE s."deletedAt" IS NULL AND s."enabled" = ? AND s."listed" = ? AND v."state" = ?
     AND (${OPENING.map(() => `v."grants" LIKE ?`).join(" OR ")})
   ORDER BY s."name", s."id"`,
);

/** Enabled, approved skills that no worker may run, at most `limit`; empty without a worker. For admins. */
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

/** Granted IP addresses outside the worker's ranges. The worker checks addresses behind names at each connection. */
function addressesNotAllowed(allowance: WorkerAllowance, grants: Grants): NotAllowed[] {
  const addresses = sharesNetwork(grants) || !Array.isArray(grants.network) ? [] : grants.network.flatMap(addressOf);
  if (addresses.length === 0) return [];
  const ranges = readRanges(allowance.ranges);
  return addresses
    .filter((address) => !isAllowedAddress(address, ranges))
    .map((address) => ({ variable: "SKILLGATE_WORKER_RANGES", what: `the address ${address}` }));
}

function addressOf(host: string): string[] {
  const [name = ""] = host.split(":");
  if (name === "localhost") return ["127.0.0.1"];
  return isIP(name) === 0 ? [] : [name];
}

/** Unreadable ranges allow public addresses only. */
function readRanges(texts: readonly string[]): AddressRanges {
  try {
    return parseRanges(texts.join(","));
  } catch {
    return PUBLIC_ONLY;
  }
}
