import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chainOlderEvents } from "@/lib/audit/chain/chain-older-events";
import { writeLastHead } from "@/lib/audit/chain/write-head";
import { parseEnv } from "@/lib/core/env";
import { logger } from "@/lib/core/logger";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { createCtx } from "@/lib/db/context";
import { startBackgroundWork } from "@/lib/jobs/start-background-work";
import { mintLocalWorker } from "@/lib/runner/mint-local-worker";
import { databaseFile, getDatabase } from "../server-database";
import { bootstrapAdmin } from "./bootstrap-admin";
import { loadSecret } from "./load-secret";
import { lockDataDirectory } from "./lock-data-directory";

type Boot = { setupUrl: string | null; workerToken: string; problems: string[] };
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
    lockDataDirectory(env.dataDir);
    process.env.NEXTAUTH_SECRET ??= await loadSecret(env.dataDir);
    process.env.NEXTAUTH_URL ??= env.publicUrl;
    const applied = await applyMigrations(databaseFile(), join(process.cwd(), "prisma", "migrations", "sqlite"));
    if (applied.length > 0) logger.info({ applied }, "database migrated");
    const database = await getDatabase();
    const ctx = createCtx({ actor: { kind: "system", name: "Skillgate" }, database });
    const chained = await chainOlderEvents(ctx);
    if (chained > 0) logger.info({ chained }, "older audit events chained");
    const { setupUrl } = await bootstrapAdmin(ctx, env);
    const workerToken = await mintLocalWorker(ctx);
    const background = startBackgroundWork(ctx);
    globalThis.__skillgateShutdown = async () => {
      await background.stop();
      await writeLastHead(database, new Date()).catch((err: unknown) =>
        logger.error({ err }, "the last head was not written"),
      );
      await database.close();
    };
    report({ setupUrl, workerToken, problems: [] });
  } catch (error) {
    refuse([error instanceof Error ? error.message : String(error)]);
  }
}

function refuse(problems: string[]): void {
  report({ setupUrl: null, workerToken: "", problems });
}

/** To the launcher's half of this process; under `next start` there is none, and the log has to do. */
function report(boot: Boot): void {
  if (globalThis.__skillgateOnBoot) globalThis.__skillgateOnBoot(boot);
  else if (boot.problems.length > 0) logger.fatal({ problems: boot.problems }, "Skillgate cannot start");
}
