import { join } from "node:path";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { freeSpace } from "@/lib/core/free-space";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { APPLIED, type AppliedMigration, pendingMigrations, readMigrations } from "@/lib/db/pending-migrations";
import { query, sqlOf } from "@/lib/db/sql";
import { workerStatus } from "@/lib/runner/workers/workers";
import packageJson from "@/package.json";
import type { Readiness } from "./schema";
import { isDraining } from "./shutdown";

const DATABASE_MS = 2_000;

type Check = Readiness["checks"][number];

/** Whether this process should receive requests, with the failing checks. Takes no lock and writes nothing. */
export async function getReadiness(ctx: Ctx): Promise<Readiness> {
  const database = await check("database", () => databaseProblem(ctx));
  const checks = [
    database,
    database.ok
      ? await check("migrations", () => migrationProblem(ctx))
      : { name: "migrations" as const, ok: false, problem: "The database does not respond." },
    await check("disk", diskProblem),
    await check("draining", () => (isDraining() ? "This process is about to stop." : null)),
  ];
  return { status: checks.every(({ ok }) => ok) ? "ready" : "not_ready", checks };
}

async function check(name: Check["name"], inspect: () => string | null | Promise<string | null>): Promise<Check> {
  const problem = await inspect();
  return { name, ok: problem === null, problem };
}

const ANSWERS = query<{ one: number }>(`SELECT 1 AS "one"`);

async function databaseProblem(ctx: Ctx): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${DATABASE_MS} ms`)), DATABASE_MS);
  });
  try {
    await Promise.race([sqlOf(ctx).get(ANSWERS), timeout]);
    return null;
  } catch (err) {
    logger.warn({ err }, "the database does not respond");
    return "The database does not respond.";
  } finally {
    clearTimeout(timer);
  }
}

const APPLIED_HERE = query<AppliedMigration>(APPLIED);

async function migrationProblem(ctx: Ctx): Promise<string | null> {
  try {
    const known = await readMigrations(join(process.cwd(), "prisma", "migrations", ctx.database.dialect));
    const pending = pendingMigrations(known, await sqlOf(ctx).all(APPLIED_HERE));
    return pending.length === 0 ? null : `${pending.length} migrations of this release are not applied.`;
  } catch (err) {
    logger.warn({ err }, "the migrations could not be compared with this release");
    return "The database belongs to another release.";
  }
}

function diskProblem(): string | null {
  const { dataDir, SKILLGATE_MIN_FREE_MIB } = getEnv();
  const free = freeSpace(dataDir);
  if (free === null || free >= SKILLGATE_MIN_FREE_MIB * 1024 * 1024) return null;
  return "The disk of the data directory is almost full: the server answers reads and refuses writes.";
}

/** Throws `unavailable` when the database does not respond. */
export async function getHealth(ctx: Ctx) {
  try {
    const { online } = await workerStatus(ctx);
    return {
      status: "ok",
      version: packageJson.version,
      database: { provider: ctx.database.dialect, ok: true },
      workers: { online },
    };
  } catch (cause) {
    throw new AppError("unavailable", "The database does not respond.", { retryAfterSeconds: 5, cause });
  }
}
