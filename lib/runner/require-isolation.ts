import type { Ctx } from "@/lib/db/context";
import { getSettings } from "@/lib/settings/get-settings";
import type { Settings } from "@/lib/settings/schema";
import { SkillClass } from "@/lib/skill-format/schema";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

const SETTING = {
  safe: "safeWithoutSandbox",
  mutating: "mutatingWithoutSandbox",
  dangerous: "dangerousWithoutSandbox",
} as const satisfies Record<SkillClass, keyof Settings>;

export const hasSandbox = (worker: { isolation: string | null }) => worker.isolation === "sandbox";

/** The classes that no worker may run without a sandbox, as the settings stand. */
export function sandboxedClasses(settings: Settings): SkillClass[] {
  return SkillClass.options.filter((name) => !settings[SETTING[name]]);
}

/** Says which worker has no sandbox and which setting an admin would have to change. */
export function noIsolationMessage(workers: string, skillClass: SkillClass): string {
  return `${workers} cannot sandbox runs, and the setting ${SETTING[skillClass]} does not allow ${skillClass} runs there.`;
}

type Wanted = { class: SkillClass; scope: string; workerId: string | undefined };

/**
 * Why a run would end before it starts: the workers that are online and could take it have no sandbox, and no setting
 * lets its class run without one. Null when it may start, and when no such worker is online: then it waits for one.
 */
export async function whyNoIsolation(ctx: Ctx, wanted: Wanted): Promise<string | null> {
  const online = (await onlineWorkers(ctx)).filter(({ id, manager }) =>
    wanted.workerId ? id === wanted.workerId : manager || wanted.scope === "host",
  );
  if (online.length === 0 || online.some(hasSandbox)) return null;
  if (!sandboxedClasses(await getSettings(ctx)).includes(wanted.class)) return null;
  const names = online.map(({ name }) => `“${name}”`).join(", ");
  return noIsolationMessage(online.length === 1 ? `The worker ${names}` : `The workers ${names}`, wanted.class);
}

/** The scopes of runs that some other worker, online and with a sandbox, takes. */
export async function scopesOfSandboxed(ctx: Ctx, besides: string): Promise<string[]> {
  const others = (await onlineWorkers(ctx)).filter((worker) => worker.id !== besides && hasSandbox(worker));
  if (others.length === 0) return [];
  return others.some(({ manager }) => manager) ? ["manager", "host"] : ["host"];
}

function onlineWorkers(ctx: Ctx) {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  return ctx.db.worker.findMany({
    where: { revokedAt: null, lastSeenAt: { gte: since } },
    select: { id: true, name: true, manager: true, isolation: true },
    orderBy: { name: "asc" },
  });
}
