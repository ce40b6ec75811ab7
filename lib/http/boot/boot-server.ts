import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chainOlderEvents } from "@/lib/audit/chain/chain-older-events";
import { writeLastHead } from "@/lib/audit/chain/write-head";
import { fitIndexes } from "@/lib/backup/indexes/fit-indexes";
import { inspectInstance } from "@/lib/backup/inspect-instance";
import { recordRestore } from "@/lib/backup/restored-note";
import { type Env, parseEnv } from "@/lib/core/env";
import { acquireDataDirectory } from "@/lib/core/lock-data-directory";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { relayWakes, wakeHere } from "@/lib/core/wake-bus";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { type Ctx, createCtx } from "@/lib/db/context";
import type { DatabaseAddress } from "@/lib/db/database";
import { databaseAddress } from "@/lib/db/database-address";
import { oneAtATime } from "@/lib/db/one-at-a-time";
import { keepProcess } from "@/lib/jobs/processes/keep-process";
import { instanceName, leaveProcesses, registerProcess } from "@/lib/jobs/processes/register-process";
import { startBackgroundWork } from "@/lib/jobs/start-background-work";
import { returnForbiddenApprovals } from "@/lib/review/return-approvals";
import { mintLocalWorker } from "@/lib/runner/mint-local-worker";
import { followSettings } from "@/lib/settings/cached-settings";
import packageJson from "@/package.json";
import { measureProcess } from "../metrics/collect-metrics";
import { observeWrites } from "../metrics/observe-writes";
import { getDatabase } from "../server-database";
import { bootstrapAdmin } from "./bootstrap-admin";
import { explainFailedStart } from "./explain-failed-start";
import { inspectKeys } from "./inspect-keys";
import { loadSecret } from "./load-secret";

/** A stop takes ten seconds at most; a start waits a little longer for the folder of a process that stops. */
const FORMER_PROCESS_MS = 12_000;

/** `canRetry`: what is wrong may be over by itself, as a full disk; starting again later makes sense. */
type Boot = { setupUrl: string | null; workerToken: string; problems: string[]; canRetry?: boolean };
declare global {
  var __skillgateOnBoot: ((boot: Boot) => void) | undefined;
  var __skillgateShutdown: (() => Promise<void>) | undefined;
}

/**
 * Checks the environment, takes the data directory, migrates, makes sure there is a way in, and starts the background
 * work. What the launcher has to print or pass on is handed to it; problems mean that nothing was started.
 */
export async function bootServer(): Promise<void> {
  const parsed = parseEnv(process.env);
  if ("problems" in parsed) return refuse(parsed.problems);
  const { env } = parsed;
  try {
    await mkdir(env.dataDir, { recursive: true, mode: 0o700 });
    await processStore("data-lock", () => acquireDataDirectory(env.dataDir, { patienceMs: FORMER_PROCESS_MS }));
    const found = [...(await inspectKeys(env.keyDir)), ...(await inspectInstance(env))];
    if (found.length > 0) return refuse(found);
    const address = databaseAddress(env);
    const { ctx, setupUrl } = await oneAtATime(address, () => prepare(env, address));
    const { database } = ctx;
    measureProcess();
    observeWrites(database);
    const instance = await instanceName(database.workFolder);
    const unlink = await linkProcesses(ctx, { instance, version: packageJson.version, address: env.publicUrl });
    const isAlone = database.dialect === "sqlite";
    const workerToken = await mintLocalWorker(ctx, isAlone ? "local" : `local-${instance}`);
    const background = startBackgroundWork(ctx);
    globalThis.__skillgateShutdown = async () => {
      await background.stop();
      await unlink();
      await writeLastHead(database, new Date()).catch((err: unknown) =>
        logger.error({ err }, "the last head was not written"),
      );
      await database.close();
    };
    report({ setupUrl, workerToken, problems: [] });
  } catch (error) {
    const { problems, canRetry } = explainFailedStart(error, env.dataDir);
    refuse(problems, canRetry);
  }
}

/** What has to be there before anything is served, and must not be made by two processes at once. */
async function prepare(env: Env, address: DatabaseAddress): Promise<{ ctx: Ctx; setupUrl: string | null }> {
  process.env.NEXTAUTH_SECRET ??= await loadSecret(env.keyDir);
  process.env.NEXTAUTH_URL ??= env.publicUrl;
  const applied = await applyMigrations(address, join(process.cwd(), "prisma", "migrations"));
  if (applied.length > 0) logger.info({ applied }, "database migrated");
  const ctx = createCtx({ actor: { kind: "system", name: "Skillgate" }, database: await getDatabase() });
  const chained = await chainOlderEvents(ctx);
  if (chained > 0) logger.info({ chained }, "older audit events chained");
  await recordRestore(ctx);
  await rebuildMisfits(ctx);
  const returned = await returnForbiddenApprovals(ctx);
  if (returned > 0) logger.warn({ returned }, "approvals that their owners made alone wait for review again");
  const { setupUrl } = await bootstrapAdmin(ctx, env);
  return { ctx, setupUrl };
}

/** What is found and listed by an index is not worth refusing a start. */
async function rebuildMisfits(ctx: Ctx): Promise<void> {
  try {
    for (const { index, problem } of await fitIndexes(ctx)) logger.warn({ index, problem }, "an index was rebuilt");
  } catch (err) {
    logger.error({ err }, "the indexes could not be rebuilt; stop the server and run npm run rebuild-indexes");
  }
}

function refuse(problems: string[], canRetry = false): void {
  report({ setupUrl: null, workerToken: "", problems, canRetry });
}

/** To the launcher's half of this process; under `next start` there is none, and the log has to do. */
function report(boot: Boot): void {
  if (globalThis.__skillgateOnBoot) globalThis.__skillgateOnBoot(boot);
  else if (boot.problems.length > 0) logger.fatal({ problems: boot.problems }, "Skillgate cannot start");
}

/** Ties this process to the others on its database: what one tells, all hear. Answers what unties it. */
async function linkProcesses(
  ctx: Ctx,
  self: { instance: string; version: string; address: string },
): Promise<() => Promise<void>> {
  const channel = await ctx.database.openChannel?.(wakeHere);
  if (channel) relayWakes(channel.send);
  const unfollow = followSettings(ctx.database);
  await registerProcess(ctx, self);
  const stop = keepProcess(ctx, (err) => logger.error({ err }, "this process could not say that it lives"));
  return async () => {
    stop();
    unfollow();
    relayWakes(null);
    await channel?.close();
    await leaveProcesses(ctx);
  };
}
