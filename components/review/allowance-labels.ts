import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/components/state/use-me";
import { type WorkerAllowanceItem, workerAllowancesQuery } from "@/lib/client/workers";
import { describeNotAllowed, HARMLESS_ENV, notAllowed } from "@/lib/policy/worker-allowance";
import type { Version } from "@/lib/skills/versions/schema";

type Grants = Version["declaredGrants"];

/** Grants that a worker's operator must allow too. */
export type WorkerLimitedGrant = "paths" | "env" | "capabilities" | "namespaces" | "network";

const variables: Record<Exclude<WorkerLimitedGrant, "network">, string> = {
  paths: "SKILLGATE_WORKER_PATHS",
  env: "SKILLGATE_WORKER_ENV",
  capabilities: "SKILLGATE_WORKER_LINUX_CAPABILITIES",
  namespaces: "SKILLGATE_WORKER_NAMESPACES",
};

function allowedOn({ allows }: WorkerAllowanceItem, kind: Exclude<WorkerLimitedGrant, "network">): string[] {
  return kind === "env" ? allows.env.filter((name) => !HARMLESS_ENV.includes(name)) : allows[kind];
}

/** Whether the form offers a grant: any worker allows some of it, or no worker has connected yet. */
export function isOffered(kind: WorkerLimitedGrant, workers: readonly WorkerAllowanceItem[]): boolean {
  if (workers.length === 0 || kind === "env") return true;
  return workers.some((worker) => (kind === "network" ? worker.allows.proxy : allowedOn(worker, kind).length > 0));
}

/** What each worker allows, as a sentence; empty when every worker allows it. */
export function allowanceText(kind: WorkerLimitedGrant, workers: readonly WorkerAllowanceItem[]): string {
  if (workers.length === 0) return "No worker has connected yet, so the allowed values are unknown.";
  const old = workers.filter(({ saysAllows }) => !saysAllows).map(({ name }) => name);
  const aged =
    old.length === 0 ? "" : ` ${old.join(", ")} runs an older release and allows nothing until it is updated.`;
  if (kind === "network") {
    const without = workers.filter(({ allows }) => !allows.proxy).map(({ name }) => name);
    if (without.length === 0) return "";
    return `${without.join(", ")} cannot isolate the network of a run and ${without.length === 1 ? "takes" : "take"} no runs with network access.`;
  }
  const variable = variables[kind];
  const giving = workers.filter((worker) => allowedOn(worker, kind).length > 0);
  if (giving.length === 0) {
    const what = kind === "env" ? `any except ${HARMLESS_ENV.join(", ")}` : "any";
    return `No worker allows ${what}. A worker’s operator sets the allowed values in ${variable}.${aged}`;
  }
  const rest = workers.filter((worker) => !giving.includes(worker)).map(({ name }) => `on ${name}: none`);
  const given = giving.map((worker) => `on ${worker.name}: ${allowedOn(worker, kind).join(", ")}`);
  return `Allowed ${[...given, ...rest].join("; ")} (${variable}).${aged}`;
}

export function refusedGrantTexts(
  kind: WorkerLimitedGrant,
  workers: readonly WorkerAllowanceItem[],
  grants: Grants,
): string[] {
  // Shared namespaces decide which network a run gets.
  const part =
    kind === "network" ? { network: grants.network, namespaces: grants.namespaces } : { [kind]: grants[kind] };
  return workers.flatMap(({ name, allows }) =>
    notAllowed(kind === "network" ? { ...allows, namespaces: [...(grants.namespaces ?? [])] } : allows, part).map(
      ({ what, variable }) => `The worker ${name} does not allow ${what}${variable === null ? "" : `: ${variable}`}.`,
    ),
  );
}

/** Why no worker can run the version under these grants; null when one can, or no worker is known. */
export function noWorkerReason(workers: readonly WorkerAllowanceItem[], grants: Grants, scope: string): string | null {
  const able = workers.filter(({ manager }) => manager || scope === "host");
  const refusing = able
    .map(({ name, allows }) => ({ name, notAllowed: notAllowed(allows, grants) }))
    .filter((worker) => worker.notAllowed.length > 0);
  return refusing.length === 0 || refusing.length < able.length ? null : describeNotAllowed(refusing);
}

/** The allowances of each worker, for reviewers; undefined for other users and while loading. */
export function useWorkerAllowances(): readonly WorkerAllowanceItem[] | undefined {
  const role = useMe()?.user.role;
  const query = useQuery({ ...workerAllowancesQuery, enabled: role === "reviewer" || role === "admin" });
  return query.data?.items;
}
