import { syncRunner } from "@/lib/catalog/sync/sync-runner";
import type { Ctx } from "@/lib/db/context";
import { approveAllTrusted } from "@/lib/review/approve-trusted";
import { scanDueVersions, stopScanning } from "@/lib/review/scan-due-versions";
import { expireRuns } from "@/lib/runner/expire-runs";
import { failLostRuns } from "@/lib/runner/fail-lost-runs";
import { sweepPipelines } from "@/lib/runner/pipelines/sweep-pipelines";
import { startDueSchedules } from "@/lib/runner/schedules/start-due-schedules";
import { syncIntegrations } from "@/lib/skills/integrations/sync-integrations";
import { ageSkills } from "@/lib/skills/lifecycle/age-skills";

/**
 * One job of the background work. It may run twice in a row or be cut off at any point by the end of the process: what it
 * does has to be safe to repeat.
 */
export type BackgroundJob = {
  /** Stable: part of addresses and of the record. */
  name: string;
  title: string;
  everySeconds: number;
  /** Says in one sentence what it did; null when there was nothing to do, which need not be written down each time. */
  run(ctx: Ctx): Promise<string | null>;
  /** Breaks off what the job goes on doing after `run` has answered, when the process ends. */
  stop?(): Promise<void>;
};

/** All background work of the server. A room to the left adds its verb here as one row. */
export const JOB_TABLE: readonly BackgroundJob[] = [
  {
    name: "lost-runs",
    title: "End runs whose worker is gone",
    everySeconds: 2,
    run: async (ctx) => counted(await failLostRuns(ctx), "lost run ended", "lost runs ended"),
  },
  {
    name: "pipelines",
    title: "Take up pipelines that stand between two steps",
    everySeconds: 2,
    run: async (ctx) => counted(await sweepPipelines(ctx), "pipeline taken up", "pipelines taken up"),
  },
  {
    name: "run-expiry",
    title: "Expire runs that nobody decided on",
    everySeconds: 10,
    run: async (ctx) => counted(await expireRuns(ctx), "run expired", "runs expired"),
  },
  {
    name: "schedules",
    title: "Start scheduled runs that are due",
    everySeconds: 1,
    run: async (ctx) => counted(await startDueSchedules(ctx), "run started", "runs started"),
  },
  {
    name: "catalog-sync",
    title: "Read the catalog sources that are due",
    everySeconds: 2,
    run: async (ctx) => counted(await syncRunner().start(ctx), "sync begun", "syncs begun"),
    stop: () => syncRunner().stop(),
  },
  {
    name: "scan",
    title: "Scan versions that are new, or were scanned with older rules",
    everySeconds: 3,
    run: async (ctx) => counted(await scanDueVersions(ctx), "version scanned", "versions scanned"),
    stop: stopScanning,
  },
  {
    name: "integrations",
    title: "Take up integrations whose version has changed",
    everySeconds: 60,
    run: async (ctx) => counted(await syncIntegrations(ctx), "version came in", "versions came in"),
  },
  {
    name: "trusted-digests",
    title: "Approve versions of workers whose digest the operator trusts",
    everySeconds: 5,
    run: async (ctx) => counted(await approveAllTrusted(ctx), "version approved", "versions approved"),
  },
  {
    name: "ageing",
    title: "Mark skills that nobody uses as stale, and archive them later",
    everySeconds: 3600,
    run: async (ctx) => counted(await ageSkills(ctx), "skill aged", "skills aged"),
  },
];

function counted(count: number, one: string, many: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}
