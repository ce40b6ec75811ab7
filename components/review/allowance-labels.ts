import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/components/state/use-me";
import { type WorkerAllowanceItem, workerAllowancesQuery } from "@/lib/client/workers";
import { HARMLESS_ENV, notAllowed, sayNotAllowed } from "@/lib/policy/worker-allowance";
import type { Version } from "@/lib/skills/versions/schema";

type Grants = Version["declaredGrants"];
export type AllowingWorker = WorkerAllowanceItem;

/** What of a decision also needs the operator of a worker. */
export type WorkerLimitedGrant = "paths" | "env" | "capabilities" | "namespaces" | "network";

const variables: Record<Exclude<WorkerLimitedGrant, "network">, string> = {
  paths: "SKILLGATE_WORKER_PATHS",
  env: "SKILLGATE_WORKER_ENV",
  capabilities: "SKILLGATE_WORKER_LINUX_CAPABILITIES",
  namespaces: "SKILLGATE_WORKER_NAMESPACES",
};

function allowedOn({ allows }: AllowingWorker, kind: Exclude<WorkerLimitedGrant, "network">): string[] {
  return kind === "env" ? allows.env.filter((name) => !HARMLESS_ENV.includes(name)) : allows[kind];
}

/** Whether the form offers it: some worker allows some of it. Without any worker nothing is known, and all is offered. */
export function isOffered(kind: WorkerLimitedGrant, workers: readonly AllowingWorker[]): boolean {
  if (workers.length === 0 || kind === "env") return true;
  return workers.some((worker) => (kind === "network" ? worker.allows.proxy : allowedOn(worker, kind).length > 0));
}

/** One sentence: what which worker allows. Empty when there is nothing to say. */
export function allowanceText(kind: WorkerLimitedGrant, workers: readonly AllowingWorker[]): string {
  if (workers.length === 0) return "No worker has connected yet, so it is not known what will be allowed.";
  const old = workers.filter(({ saysAllows }) => !saysAllows).map(({ name }) => name);
  const aged =
    old.length === 0 ? "" : ` ${old.join(", ")} is of an older release and allows nothing until it is updated.`;
  if (kind === "network") {
    const without = workers.filter(({ allows }) => !allows.proxy).map(({ name }) => name);
    if (without.length === 0) return "";
    const verb =
      without.length === 1
        ? "cannot give a run a network of its own, so it takes"
        : "cannot give a run a network of its own, so they take";
    return `${without.join(", ")} ${verb} no runs with network.`;
  }
  const variable = variables[kind];
  const giving = workers.filter((worker) => allowedOn(worker, kind).length > 0);
  if (giving.length === 0) {
    const what = kind === "env" ? `any besides ${HARMLESS_ENV.join(", ")}` : "any";
    return `No worker allows ${what}. The operator of a worker opens them with ${variable}.${aged}`;
  }
  const rest = workers.filter((worker) => !giving.includes(worker)).map(({ name }) => `on ${name}: none`);
  const given = giving.map((worker) => `on ${worker.name}: ${allowedOn(worker, kind).join(", ")}`);
  return `Allowed ${[...given, ...rest].join("; ")} (${variable}).${aged}`;
}

/** Of one kind of grant: what each worker does not allow, one sentence for each thing. */
export function refusedGrantTexts(
  kind: WorkerLimitedGrant,
  workers: readonly AllowingWorker[],
  grants: Grants,
): string[] {
  // Which network it is depends on the namespaces that are shared.
  const part =
    kind === "network" ? { network: grants.network, namespaces: grants.namespaces } : { [kind]: grants[kind] };
  return workers.flatMap(({ name, allows }) =>
    notAllowed(kind === "network" ? { ...allows, namespaces: [...(grants.namespaces ?? [])] } : allows, part).map(
      ({ what, variable }) => `The worker ${name} does not allow ${what}${variable === null ? "" : `: ${variable}`}.`,
    ),
  );
}

/** Why no worker could serve runs under these grants, by names alone; null when one could, or no worker is known. */
export function noWorkerReason(workers: readonly AllowingWorker[], grants: Grants, scope: string): string | null {
  const able = workers.filter(({ manager }) => manager || scope === "host");
  const refusing = able
    .map(({ name, allows }) => ({ name, notAllowed: notAllowed(allows, grants) }))
    .filter((worker) => worker.notAllowed.length > 0);
  return refusing.length === 0 || refusing.length < able.length ? null : sayNotAllowed(refusing);
}

/** What each worker allows, for people who review; undefined for others, and until it is known. */
export function useWorkerAllowances(): readonly AllowingWorker[] | undefined {
  const role = useMe()?.user.role;
  const query = useQuery({ ...workerAllowancesQuery, enabled: role === "reviewer" || role === "admin" });
  return query.data?.items;
}
