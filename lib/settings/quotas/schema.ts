import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

const count = z.number().int().min(0).max(1_000_000_000);

/** What one person may have or do: the settings of these names hold for everybody whom nothing else is said of. 0 is no limit. */
export const Quotas = z.strictObject({
  skillsPerPerson: count.describe("Skills that one person may own. 0 is no limit."),
  skillMiBPerPerson: count.describe("MiB that all versions of the skills of one person may take. 0 is no limit."),
  importMiBPerDay: count.describe("MiB of skills that one person may bring in within 24 hours. 0 is no limit."),
  runsPerHour: count.describe("Runs that one person may start within an hour, their agents included. 0 is no limit."),
  runsPerDay: count.describe("Runs that one person may start within 24 hours, their agents included. 0 is no limit."),
  runsAtOnce: count.describe("Runs of one person that may be queued or running at the same time. 0 is no limit."),
});
export type Quotas = z.infer<typeof Quotas>;
export type QuotaKey = keyof Quotas;
export const QUOTA_KEYS = Object.keys(Quotas.shape) as QuotaKey[];

export const QUOTA_DEFAULTS: Quotas = {
  skillsPerPerson: 10_000,
  skillMiBPerPerson: 10_240,
  importMiBPerDay: 10_240,
  runsPerHour: 0,
  runsPerDay: 0,
  runsAtOnce: 0,
};

/** What is said of one person alone; what is left out is as the settings say. */
export const OwnQuotas = Quotas.partial();
export type OwnQuotas = z.infer<typeof OwnQuotas>;

/** A number sets a quota for this person, null leaves it to the settings again. */
export const PatchQuotasInput = z
  .strictObject(
    Object.fromEntries(QUOTA_KEYS.map((key) => [key, Quotas.shape[key].nullable()])) as {
      [K in QuotaKey]: z.ZodNullable<(typeof Quotas.shape)[K]>;
    },
  )
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "name at least one quota");
export type PatchQuotasInput = z.infer<typeof PatchQuotasInput>;

export const QuotaUsage = z.object({
  key: z.enum(QUOTA_KEYS),
  unit: z.enum(["skills", "MiB", "runs"]),
  /** Within this many seconds; null for what is had, and not done. */
  windowSeconds: z.number().int().nullable(),
  /** Null: no limit. */
  limit: z.number().int().nullable(),
  /** Whether the limit was set for this person. */
  own: z.boolean(),
  used: z.number(),
  /** When what counts longest stops counting; null where time changes nothing. */
  freesAt: IsoTime.nullable(),
});
export type QuotaUsage = z.infer<typeof QuotaUsage>;

export const QuotaList = z.object({ items: z.array(QuotaUsage), nextCursor: z.null() });
export type QuotaList = z.infer<typeof QuotaList>;
