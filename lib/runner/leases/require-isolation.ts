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

type Isolated = { isolation: string | null };

const Level = Isolation.catch("none");
const levelOf = ({ isolation }: Isolated): Isolation => Level.parse(isolation);
const isolates = (worker: Isolated, name: SkillClass): boolean => isIsolatedEnough(levelOf(worker), name);

/** The classes that a worker may not run, because its isolation is too weak and no setting allows it. */
export async function refusedClasses(ctx: Ctx, worker: Isolated): Promise<SkillClass[]> {
  const doubtful = SkillClass.options.filter((name) => !isolates(worker, name));
  if (doubtful.length === 0) return [];
  const settings = await getSettings(ctx);
  return doubtful.filter((name) => !settings[SETTING[name]]);
}

/** Names the workers that isolate too weakly, and the two ways to fix that. */
export function noIsolationMessage(workers: string, skillClass: SkillClass): string {
  return (
    `${workers} cannot isolate ${skillClass} runs. Install bubblewrap on its host and start it again, or let an admin allow ` +
    `${skillClass} runs there with the setting ${SETTING[skillClass]}, under Settings, This server.`
  );
}

type Wanted = { class: SkillClass; scope: string; workerId: string | undefined; isForOwnUse: boolean };

/** Whether a worker isolates runs approved by their owner alone: with namespaces, regardless of the settings. */
export function isolatesOwnUse(worker: Isolated): boolean {
  return isolates(worker, "dangerous");
}

/** Says that a worker isolates too weakly for versions that their owner alone approved. */
export function noOwnUseMessage(workers: string): string {
  return (
    `${workers} cannot isolate runs of versions that their owner alone approved: these need namespaces, regardless of the settings. ` +
    "Install bubblewrap on its host and start it again, or let a reviewer approve the version."
  );
}

/** Whether another online worker takes runs of this scope and isolates versions that their owner alone approved. */
export async function isOwnUseTaken(ctx: Ctx, besides: string, scope: string): Promise<boolean> {
  const others = (await onlineWorkers(ctx)).filter(
    ({ id, manager }) => id !== besides && (manager || scope === "host"),
  );
  return others.some(isolatesOwnUse);
}

/** Why no online worker isolates a run well enough; null when one does, or when none is online and the run waits. */
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

/** For each class that a worker refuses: the scopes of runs that another online worker takes and isolates. */
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
