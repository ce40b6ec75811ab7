import type { Ctx } from "@/lib/db/context";
import type { Worker } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { Isolation, isIsolatedEnough } from "@/lib/policy/isolation";
import type { Settings } from "@/lib/settings/schema";
import { getSettings } from "@/lib/settings/settings";
import { SkillClass } from "@/lib/skill-format/schema";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

const SETTING = {
  safe: "safeWithoutSandbox",
  mutating: "mutatingWithoutSandbox",
  dangerous: "dangerousWithoutSandbox",
} as const satisfies Record<SkillClass, keyof Settings>;

/** What the worker said of itself; one that said nothing has none. */
type Isolated = { isolation: string | null };

const Level = Isolation.catch("none");
const levelOf = ({ isolation }: Isolated): Isolation => Level.parse(isolation);
const isolates = (worker: Isolated, name: SkillClass): boolean => isIsolatedEnough(levelOf(worker), name);

/** The classes that a worker may not run: what keeps its runs apart is too little, and no setting allows it all the same. */
export async function refusedClasses(ctx: Ctx, worker: Isolated): Promise<SkillClass[]> {
  const doubtful = SkillClass.options.filter((name) => !isolates(worker, name));
  if (doubtful.length === 0) return [];
  const settings = await getSettings(ctx);
  return doubtful.filter((name) => !settings[SETTING[name]]);
}

/** Says which worker isolates too little, and the two things that can be done about it. */
export function noIsolationMessage(workers: string, skillClass: SkillClass): string {
  return (
    `${workers} cannot isolate ${skillClass} runs. Install bubblewrap on its host and start it again; or an admin allows ` +
    `${skillClass} runs there with the setting ${SETTING[skillClass]}, under Settings, This server.`
  );
}

type Wanted = { class: SkillClass; scope: string; workerId: string | undefined; isForOwnUse: boolean };

/** Whether a worker isolates runs of what its owner approved alone: with namespaces, whatever the settings allow. */
export function isolatesOwnUse(worker: Isolated): boolean {
  return isolates(worker, "dangerous");
}

/** Says that a worker isolates too little for what its owner approved alone. */
export function noOwnUseMessage(workers: string): string {
  return (
    `${workers} cannot isolate runs of what its owner approved alone: these need namespaces, whatever the settings allow. ` +
    "Install bubblewrap on its host and start it again, or let a reviewer approve the version."
  );
}

/** Whether some other worker that is online takes runs of this scope and isolates what owners approve alone. */
export async function isOwnUseTaken(ctx: Ctx, besides: string, scope: string): Promise<boolean> {
  const others = (await onlineWorkers(ctx)).filter(
    ({ id, manager }) => id !== besides && (manager || scope === "host"),
  );
  return others.some(isolatesOwnUse);
}

/**
 * Why a run would end before it starts: none of the workers that are online and could take it isolates its class well
 * enough, and no setting allows the class there. Null when it may start, and when no such worker is online: then it waits
 * for one.
 */
export async function whyNoIsolation(ctx: Ctx, wanted: Wanted): Promise<string | null> {
  const online = (await onlineWorkers(ctx)).filter(({ id, manager }) =>
    wanted.workerId ? id === wanted.workerId : manager || wanted.scope === "host",
  );
  const isAble = wanted.isForOwnUse ? isolatesOwnUse : (worker: Isolated) => isolates(worker, wanted.class);
  if (online.length === 0 || online.some(isAble)) return null;
  if (!wanted.isForOwnUse && (await getSettings(ctx))[SETTING[wanted.class]]) return null;
  const names = online.map(({ name }) => `“${name}”`).join(", ");
  const workers = online.length === 1 ? `The worker ${names}` : `The workers ${names}`;
  return wanted.isForOwnUse ? noOwnUseMessage(workers) : noIsolationMessage(workers, wanted.class);
}

/** Of the classes a worker refuses, the scopes of runs that some other worker takes, online and isolating them. */
export async function leftToOthers(
  ctx: Ctx,
  besides: string,
  refused: SkillClass[],
): Promise<{ class: SkillClass; scopes: string[] }[]> {
  if (refused.length === 0) return [];
  const others = (await onlineWorkers(ctx)).filter(({ id }) => id !== besides);
  return refused.flatMap((name) => {
    const able = others.filter((worker) => isolates(worker, name));
    if (able.length === 0) return [];
    return [{ class: name, scopes: able.some(({ manager }) => manager) ? ["manager", "host"] : ["host"] }];
  });
}

const ONLINE = query<Pick<Worker, "id" | "name" | "manager" | "isolation">>(
  `SELECT "id", "name", "manager", "isolation" FROM "Worker"
   WHERE "revokedAt" IS NULL AND "lastSeenAt" >= ? ORDER BY "name"`,
  { manager: "flag" },
);

function onlineWorkers(ctx: Ctx) {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  return sqlOf(ctx).all(ONLINE, since);
}
