import { trimConversations } from "@/lib/agent/playground/stop-conversation";
import { trimTraces } from "@/lib/agent/sessions/trim-traces";
import { writeHead } from "@/lib/audit/chain/heads";
import { describeForwarding, forwardEvents } from "@/lib/audit/forward-events";
import { fileSink, type Sink, syslogSink, webhookSink } from "@/lib/audit/forward-sinks";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { sealEvents } from "@/lib/audit/seal-events";
import { backUpWhenDue } from "@/lib/backup/back-up";
import { checkDatabase } from "@/lib/backup/check-database";
import { sketchTexts } from "@/lib/catalog/overlap/sketch-texts";
import { keepSources } from "@/lib/catalog/sources/keep-source";
import { syncRunner } from "@/lib/catalog/sync/sync-runner";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { packApprovedVersions } from "@/lib/distribution/pack-approved-versions";
import { requestDueAnalyses } from "@/lib/review/analysis/request-analysis";
import { approveAllTrusted } from "@/lib/review/automatic-approvals";

import { scanDueVersions, stopScanning } from "@/lib/review/scan-version";
import { resumePipelines } from "@/lib/runner/pipelines/advance-pipeline";
import { expireRuns } from "@/lib/runner/runs/end-run";
import { failLostRuns } from "@/lib/runner/runs/fail-lost-runs";
import { startDueSchedules } from "@/lib/runner/schedules/start-due-schedules";
import { unsealCredential } from "@/lib/settings/credentials/credentials";
import { getSettings } from "@/lib/settings/settings";
import { ageSkills } from "@/lib/skills/lifecycle";
import { syncIntegrations } from "@/lib/skills/transfer/integrations";
import { clearTampered } from "@/lib/skills/versions/read-blob";

const MOST_SEGMENTS = 25;

/** A background job. It may run twice in a row or be interrupted at any point, so it must be safe to repeat. */
export type BackgroundJob = {
  /** Stable: part of API addresses and of stored records. */
  name: string;
  title: string;
  everySeconds: number;
  /** It adds data that can wait: it does not run while writes are refused for lack of space. */
  takesSpace?: true;
  /** Returns a sentence on what it did; null when there was nothing to do. */
  run(ctx: Ctx): Promise<string | null>;
  /** Stops work that the job continues after `run` has returned, when the process ends. */
  stop?(): Promise<void>;
};

/** Fewer indexed events than this are not reported, since events are written all the time. */
const WORTH_TELLING = 1_000;

export const JOB_TABLE: readonly BackgroundJob[] = [
  {
    name: "lost-runs",
    title: "End runs whose worker is gone",
    everySeconds: 2,
    run: async (ctx) => counted(await failLostRuns(ctx), "lost run ended", "lost runs ended"),
  },
  {
    name: "pipelines",
    title: "Resume pipelines that stopped between two steps",
    everySeconds: 2,
    run: async (ctx) => counted(await resumePipelines(ctx), "pipeline taken up", "pipelines taken up"),
  },
  {
    name: "run-expiry",
    title: "Expire runs that were not decided in time",
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
    takesSpace: true,
    run: async (ctx) => counted(await syncRunner().start(ctx), "sync begun", "syncs begun"),
    stop: () => syncRunner().stop(),
  },
  {
    name: "scan",
    title: "Scan versions that are new, or were scanned with older rules",
    everySeconds: 3,
    takesSpace: true,
    run: async (ctx) => counted(await scanDueVersions(ctx), "version scanned", "versions scanned"),
    stop: stopScanning,
  },
  {
    name: "kept-sources",
    title: "Store all files of the catalog sources that an admin keeps",
    everySeconds: 30,
    takesSpace: true,
    run: async (ctx) => counted(await keepSources(ctx), "file stored", "files stored"),
  },
  {
    name: "sketches",
    title: "Sketch new texts, to find near copies",
    everySeconds: 15,
    takesSpace: true,
    run: async (ctx) => counted(await sketchTexts(ctx), "text sketched", "texts sketched"),
  },
  {
    name: "dry-runs",
    title: "Request dry runs of imported versions in review, if an admin has chosen so",
    everySeconds: 5,
    takesSpace: true,
    run: async (ctx) => counted(await requestDueAnalyses(ctx), "dry run requested", "dry runs requested"),
  },
  {
    name: "door-packages",
    title: "Package approved versions for other programs",
    everySeconds: 3,
    takesSpace: true,
    run: async (ctx) => counted(await packApprovedVersions(ctx), "version packed", "versions packed"),
  },
  {
    name: "integrations",
    title: "Update integrations whose version has changed",
    everySeconds: 60,
    takesSpace: true,
    run: async (ctx) => counted(await syncIntegrations(ctx), "version updated", "versions updated"),
  },
  {
    name: "trusted-digests",
    title: "Approve worker skills whose digest the operator trusts",
    everySeconds: 5,
    run: async (ctx) => counted(await approveAllTrusted(ctx), "version approved", "versions approved"),
  },
  {
    name: "tampered-files",
    title: "Check stored files again where changed ones were found",
    everySeconds: 60,
    run: async (ctx) => counted(await clearTampered(ctx), "version restored", "versions restored"),
  },
  {
    name: "audit-heads",
    title: "Sign the newest event of the audit log into the second file",
    everySeconds: 10,
    run: async (ctx) => {
      await writeHead(ctx.database, ctx.now());
      return null;
    },
  },
  {
    name: "audit-forwarding",
    title: "Forward new audit events",
    everySeconds: 2,
    run: forwardAudit,
    stop: stopForwarding,
  },
  {
    name: "audit-retention",
    title: "Seal audit events that are older than the setting says",
    everySeconds: 3600,
    run: async (ctx) => counted(await sealAudit(ctx), "event sealed", "events sealed"),
  },
  {
    name: "audit-index",
    title: "Index new audit events for filters, counts and the search",
    everySeconds: 15,
    takesSpace: true,
    run: async (ctx) => {
      const added = await indexAllEvents(ctx);
      return added < WORTH_TELLING ? null : `${added} events indexed`;
    },
  },
  {
    name: "agent-traces",
    title: "Remove traces of agents that are older than the setting says",
    everySeconds: 3600,
    run: async (ctx) => counted(await trimTraces(ctx), "session or step removed", "sessions and steps removed"),
  },
  {
    name: "playground",
    title: "Remove conversations that are older than the setting says",
    everySeconds: 3600,
    run: async (ctx) => counted(await trimConversations(ctx), "conversation removed", "conversations removed"),
  },
  {
    name: "backup",
    title: "Make a backup when the settings say so",
    everySeconds: 60,
    run: backUpWhenDue,
  },
  {
    name: "database-check",
    title: "Check every page of the database",
    everySeconds: 7 * 24 * 3600,
    run: checkDatabase,
  },
  {
    name: "ageing",
    title: "Mark unused skills as stale, and archive them later",
    everySeconds: 3600,
    run: async (ctx) => counted(await ageSkills(ctx), "skill aged", "skills aged"),
  },
];

function counted(count: number, one: string, many: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}

async function sealAudit(ctx: Ctx): Promise<number> {
  const { auditRetentionDays: days } = await getSettings(ctx);
  if (days === 0) return 0;
  let sealed = 0;
  for (let turn = 0; turn < MOST_SEGMENTS; turn++) {
    const count = await sealEvents(ctx, days);
    sealed += count;
    if (count === 0) break;
  }
  return sealed;
}

function stopping(): AbortController {
  return processStore("audit-forwarding", () => new AbortController());
}

async function forwardAudit(ctx: Ctx): Promise<string | null> {
  const sinks = await sinksOf(ctx);
  return sinks.length === 0 ? null : describeForwarding(await forwardEvents(ctx, sinks, stopping().signal));
}

async function stopForwarding(): Promise<void> {
  stopping().abort();
}

async function sinksOf(ctx: Ctx): Promise<Sink[]> {
  const { auditForwardFile: file, auditForwardSyslog: syslog, ...settings } = await getSettings(ctx);
  const { auditForwardWebhook: url, auditForwardCredential: name } = settings;
  const secret = name === "" || url === "" ? null : await secretOf(ctx, name);
  return [
    ...(file === "" ? [] : [fileSink(ctx.database.keyFolder, file)]),
    ...(syslog === "" ? [] : [syslogSink(syslog)]),
    ...(url === "" ? [] : [webhookSink({ url, secret }, ctx.now)]),
  ];
}

/** Throws instead of sending unsigned events: receivers that check signatures would refuse them. */
async function secretOf(ctx: Ctx, name: string): Promise<string> {
  const row = await ctx.db.credential.findUnique({ where: { name } });
  const secret = row === null ? null : await unsealCredential(ctx, row);
  if (secret === null) throw new Error(`The credential ${name}, which signs the audit log’s webhook, is not stored.`);
  return secret;
}
