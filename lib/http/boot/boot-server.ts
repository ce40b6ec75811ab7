import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CHAIN_KEY_FILE, parseKey } from "@/lib/audit/chain/chain-key";
import { chainOlderEvents } from "@/lib/audit/chain/chain-older-events";
import { writeLastHead } from "@/lib/audit/chain/heads";
import { recordEvent } from "@/lib/audit/record-event";
import { hashPassword } from "@/lib/auth/people/passwords";
import { createFirstAdmin, hasAdmin, openSetup } from "@/lib/auth/people/setup";
import { Email } from "@/lib/auth/schema";
import { registerAdminToken } from "@/lib/auth/tokens/tokens";
import { repairIndexes } from "@/lib/backup/check-indexes";
import { inspectInstance } from "@/lib/backup/inspect-instance";
import { recordRestore } from "@/lib/backup/restore-backup";
import { type Env, parseEnv } from "@/lib/core/env";
import { freeSpace, isStorageFull, mebibytes } from "@/lib/core/free-space";
import { loadKeyFile, parseSecret } from "@/lib/core/key-file";
import { acquireDataDirectory, DataDirectoryInUse } from "@/lib/core/lock-data-directory";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { parseSealingKey, SEALING_KEY_FILE } from "@/lib/core/seal";
import { parseSigningKey, SIGNING_KEY_FILE } from "@/lib/core/signing-key";
import { relayWakes, wakeHere } from "@/lib/core/wake-bus";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { type Ctx, createCtx, inTransaction } from "@/lib/db/context";
import { type DatabaseAddress, databaseAddress } from "@/lib/db/database";
import { withStartupLock } from "@/lib/db/startup-lock";
import { observeWrites } from "@/lib/db/write-queue";
import { instanceName, registerProcess, sendHeartbeats, unregisterProcess } from "@/lib/jobs/processes";
import { startBackgroundWork } from "@/lib/jobs/start-background-work";
import { ATTESTATION_KEYS_FILE, parseAttestationKeys } from "@/lib/review/attest/attestation-keys";
import { returnForbiddenApprovals } from "@/lib/review/return-approvals";
import { mintLocalWorker } from "@/lib/runner/workers/workers";
import { followSettings, getSettings } from "@/lib/settings/settings";

import packageJson from "@/package.json";
import { getDatabase } from "../../db/open-database";
import { measureProcess } from "../collect-metrics";

const SECRET_FILE = "auth.secret";

const LOSS = "Without a backup: remove it; the server creates a new secret, and everyone has to sign in again.";

const PARSERS: [name: string, parse: (text: string, file: string) => unknown][] = [
  [SIGNING_KEY_FILE, parseSigningKey],
  [ATTESTATION_KEYS_FILE, parseAttestationKeys],
  [SEALING_KEY_FILE, parseSealingKey],
  [CHAIN_KEY_FILE, parseKey],
  [SECRET_FILE, parseAuthSecret],
];

/** A stopping process releases the data directory within ten seconds. */
const FORMER_PROCESS_MS = 12_000;

/** `canRetry`: the problem may resolve itself, such as a full disk. */
type Boot = { setupUrl: string | null; workerToken: string; problems: string[]; canRetry?: boolean };
declare global {
  var __skillgateOnBoot: ((boot: Boot) => void) | undefined;
  var __skillgateShutdown: (() => Promise<void>) | undefined;
}

/**
 * Checks the environment, locks the data directory, migrates, creates the first admin or a set-up link, and starts the
 * background work. Reports the result to the launcher; with problems nothing was started.
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
    const { ctx, setupUrl } = await withStartupLock(address, () => prepare(env, address));
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
        logger.error({ err }, "the last audit head was not written"),
      );
      await database.close();
    };
    report({ setupUrl, workerToken, problems: [] });
  } catch (error) {
    const { problems, canRetry } = explainFailedStart(error, env.dataDir);
    refuse(problems, canRetry);
  }
}

/** Preparation that must not run in two processes at once. */
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
  if (returned > 0) logger.warn({ returned }, "versions that their owners approved alone are pending review again");
  const { setupUrl } = await bootstrapAdmin(ctx, env);
  return { ctx, setupUrl };
}

async function rebuildMisfits(ctx: Ctx): Promise<void> {
  try {
    for (const { index, problem } of await repairIndexes(ctx)) logger.warn({ index, problem }, "an index was rebuilt");
  } catch (err) {
    logger.error({ err }, "the indexes could not be rebuilt; stop the server and run npm run rebuild-indexes");
  }
}

function refuse(problems: string[], canRetry = false): void {
  report({ setupUrl: null, workerToken: "", problems, canRetry });
}

/** Reports to bin/web.mjs in this process; under `next start` it is absent, and problems are logged. */
function report(boot: Boot): void {
  if (globalThis.__skillgateOnBoot) globalThis.__skillgateOnBoot(boot);
  else if (boot.problems.length > 0) logger.fatal({ problems: boot.problems }, "Skillgate cannot start");
}

/**
 * Connects this process to the others on its database, so that wake-ups reach all. Returns the function that
 * disconnects it.
 */
async function linkProcesses(
  ctx: Ctx,
  self: { instance: string; version: string; address: string },
): Promise<() => Promise<void>> {
  const channel = await ctx.database.openChannel?.(wakeHere);
  if (channel) relayWakes(channel.send);
  const unfollow = followSettings(ctx.database);
  await registerProcess(ctx, self);
  const stop = sendHeartbeats(ctx, (err) => logger.error({ err }, "this process could not renew its registration"));
  return async () => {
    stop();
    unfollow();
    relayWakes(null);
    await channel?.close();
    await unregisterProcess(ctx);
  };
}

/** Messages for a failed start, and whether the same start may succeed later. */
export function explainFailedStart(error: unknown, dataDir: string): { problems: string[]; canRetry: boolean } {
  if (isStorageFull(error, dataDir)) {
    const free = freeSpace(dataDir);
    const left = free === null ? "no space is left" : `${mebibytes(free)} are left`;
    const problem = `The disk of ${dataDir} is full (${left}). No data is lost. Free some space and start again.`;
    return { problems: [problem], canRetry: true };
  }
  const problems = [error instanceof Error ? error.message : String(error)];
  return { problems, canRetry: error instanceof DataDirectoryInUse };
}

/** Problems of existing key files with their remedies, one sentence per damaged or unreadable file. */
export async function inspectKeys(keyDir: string): Promise<string[]> {
  const problems = await Promise.all(PARSERS.map(([name, parse]) => problemOf(join(keyDir, name), parse)));
  return problems.filter((problem) => problem !== null);
}

async function problemOf(file: string, parse: (text: string, file: string) => unknown): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT") return null;
    return `${file} cannot be read (${code}). Make it a file that the server's user may read, or put it back from a backup.`;
  }
  try {
    parse(text, file);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Creates the admin and token of the environment, or returns a one-time set-up link while there is no admin. */
export async function bootstrapAdmin(ctx: Ctx, env: Env): Promise<{ setupUrl: string | null }> {
  const { SKILLGATE_ADMIN_EMAIL: email, SKILLGATE_ADMIN_PASSWORD: password, SKILLGATE_ADMIN_TOKEN: token } = env;
  if (!(await hasAdmin(ctx))) {
    if (env.SKILLGATE_SOLO_MODE !== undefined) await storeSoloMode(ctx, env.SKILLGATE_SOLO_MODE);
    if (email !== undefined && password !== undefined) {
      const passwordHash = await hashPassword(password);
      await createFirstAdmin(ctx, { name: "Administrator", email: Email.parse(email), passwordHash });
    }
  }
  if (email !== undefined && token !== undefined) await registerAdminToken(ctx, { email: Email.parse(email), token });
  if (await hasAdmin(ctx)) return { setupUrl: null };
  return { setupUrl: `${env.publicUrl}/setup?token=${await openSetup(ctx)}` };
}

/** Stores solo mode from the environment before the first admin exists; later it is an ordinary setting. */
async function storeSoloMode(ctx: Ctx, soloMode: boolean): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const before = (await getSettings(txCtx)).soloMode;
    if (before === soloMode) return;
    const data = { value: JSON.stringify(soloMode), updatedAt: ctx.now(), updatedBy: null };
    await tx.setting.upsert({ where: { key: "soloMode" }, create: { key: "soloMode", ...data }, update: data });
    await recordEvent(tx, txCtx, {
      action: "settings.update",
      summary: `set soloMode to ${soloMode}, from the environment`,
      target: { kind: "settings", id: "settings", name: "Settings" },
      data: { before: { soloMode: before }, after: { soloMode } },
    });
  });
}

/** Reads the secret that signs sessions, `auth.secret` in the key folder, and creates it if missing. */
export function loadSecret(dataDir: string): Promise<string> {
  return loadKeyFile(join(dataDir, SECRET_FILE), LOSS);
}

function parseAuthSecret(text: string, file: string): string {
  return parseSecret(text, file, LOSS);
}
