import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import { UnservedSkills } from "@/lib/skills/access/schema";

export const Readiness = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.array(
    z.object({
      name: z.enum(["database", "migrations", "disk", "draining"]),
      ok: z.boolean(),
      /** Problem as a sentence without sensitive details; null when ok. */
      problem: z.string().nullable(),
    }),
  ),
});
export type Readiness = z.infer<typeof Readiness>;

/** Bytes are null when unknown. */
export const System = z.object({
  version: z.string(),
  startedAt: IsoTime,
  process: z.object({
    name: z.string(),
    node: z.string(),
    memoryBytes: z.number().int(),
    requests: z.number().int(),
    streams: z.number().int(),
  }),
  /** Every web process on this database, as registered at its start. */
  processes: z.array(
    z.object({
      name: z.string(),
      host: z.string(),
      pid: z.number().int(),
      version: z.string(),
      address: z.string(),
      startedAt: IsoTime,
      isThis: z.boolean(),
    }),
  ),
  database: z.object({
    provider: z.enum(["sqlite", "postgresql"]),
    bytes: z.number().int().nullable(),
    /** Null on PostgreSQL. */
    walBytes: z.number().int().nullable(),
    migrations: z.number().int(),
    lastMigration: z.string().nullable(),
  }),
  disk: z.object({ freeBytes: z.number().nullable(), leastFreeBytes: z.number() }),
  readiness: Readiness,
  unserved: UnservedSkills,
  queue: z.object({
    queued: z.number().int(),
    running: z.number().int(),
    oldestSeconds: z.number(),
    workers: z.object({ online: z.number().int(), slots: z.number().int(), busy: z.number().int() }),
  }),
  audit: z.object({
    head: z.number().int(),
    verified: z.object({ at: IsoTime, ok: z.boolean() }).nullable(),
  }),
  metrics: z.object({ address: z.string(), hasToken: z.boolean() }),
  /** Effective environment; secrets only say whether they are set. */
  configuration: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      isSet: z.boolean(),
      isSecret: z.boolean(),
      /** Effective value; null for secrets and when there is none. */
      value: z.string().nullable(),
    }),
  ),
});
export type System = z.infer<typeof System>;
