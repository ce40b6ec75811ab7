import { stat } from "node:fs/promises";
import { EnvSchema, getEnv } from "@/lib/core/env";
import { freeSpace } from "@/lib/core/free-space";
import { processId } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { databaseAddress } from "@/lib/db/database";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { listUnserved } from "@/lib/skills/access/worker-allowances";
import packageJson from "@/package.json";
import { readState } from "./collect-metrics";
import { getReadiness } from "./health";
import { countInFlight } from "./observe/observe-request";
import type { System } from "./schema";

/** Names of variables with secrets; a database URL contains its password. */
const SECRET = /SECRET|PASSWORD$|TOKEN|_KEY$|^DATABASE_URL$/;

const MIB = 1024 * 1024;

export async function getSystem(ctx: Ctx): Promise<System> {
  requireScope(ctx.actor, "admin");
  const env = getEnv();
  const state = await readState(ctx);
  const { requests, streams } = countInFlight();
  return {
    version: packageJson.version,
    startedAt: new Date(ctx.now().getTime() - process.uptime() * 1000).toISOString(),
    process: {
      name: processId(),
      node: process.versions.node,
      memoryBytes: process.memoryUsage.rss(),
      requests,
      streams,
    },
    processes: await processes(ctx),
    database: { provider: ctx.database.dialect, ...(await sizes(ctx)), ...(await migrations(ctx)) },
    disk: { freeBytes: freeSpace(env.dataDir), leastFreeBytes: env.SKILLGATE_MIN_FREE_MIB * MIB },
    readiness: await getReadiness(ctx),
    unserved: await listUnserved(ctx),
    queue: {
      queued: state.runs.queued,
      running: state.runs.running,
      oldestSeconds: state.oldestQueuedSeconds,
      workers: state.workers,
    },
    audit: {
      head: state.audit.head,
      verified: state.audit.verified && {
        at: state.audit.verified.at.toISOString(),
        ok: state.audit.verified.ok,
      },
    },
    metrics: { address: `${env.publicUrl}/metrics`, hasToken: env.SKILLGATE_METRICS_TOKEN !== undefined },
    configuration: listConfiguration(process.env),
  };
}

async function processes(ctx: Ctx): Promise<System["processes"]> {
  const rows = await ctx.db.process.findMany({ orderBy: { startedAt: "asc" } });
  return rows.map(({ id, host, pid, version, address, startedAt }) => ({
    ...{ name: id, host, pid, version, address, startedAt: startedAt.toISOString(), isThis: id === processId() },
  }));
}

const SIZE = query<{ bytes: number }>({
  sqlite: `SELECT page_count * page_size AS "bytes" FROM pragma_page_count(), pragma_page_size()`,
  postgresql: `SELECT pg_database_size(current_database()) AS "bytes"`,
});

async function sizes(ctx: Ctx): Promise<{ bytes: number | null; walBytes: number | null }> {
  const size = await sqlOf(ctx).get(SIZE);
  const address = databaseAddress(getEnv());
  const log = "file" in address ? await stat(`${address.file}-wal`).catch(() => null) : null;
  return { bytes: size?.bytes ?? null, walBytes: log?.size ?? null };
}

const MIGRATIONS = query<{ migration_name: string }>(
  `SELECT "migration_name" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY "migration_name"`,
);

async function migrations(ctx: Ctx): Promise<{ migrations: number; lastMigration: string | null }> {
  const rows = await sqlOf(ctx).all(MIGRATIONS);
  return { migrations: rows.length, lastMigration: rows.at(-1)?.migration_name ?? null };
}

function listConfiguration(environment: Record<string, string | undefined>): System["configuration"] {
  const env: Record<string, unknown> = getEnv();
  return Object.entries(EnvSchema.shape).map(([name, field]) => {
    const isSecret = SECRET.test(name);
    const value = env[name];
    return {
      name,
      description: field.description ?? "",
      isSet: (environment[name] ?? "") !== "",
      isSecret,
      value: isSecret || value === undefined || value === "" ? null : String(value),
    };
  });
}
