import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

const count = z.number().int().min(0).max(1_000_000_000);

/** Quotas of one person. The settings of the same names apply to people without own quotas. 0 is no limit. */
export const Quotas = z.strictObject({
  skillsPerPerson: count.describe("Maximum number of skills that one person may own. 0 is no limit."),
  skillMiBPerPerson: count.describe("Maximum size of all versions of one person's skills. 0 is no limit."),
  importMiBPerDay: count.describe(
    "Maximum size of the skills that one person may import within 24 hours. 0 is no limit.",
  ),
  runsPerHour: count.describe("Runs that one person and their agents may start within an hour. 0 is no limit."),
  runsPerDay: count.describe("Runs that one person and their agents may start within 24 hours. 0 is no limit."),
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

/** Quotas set for one person; absent ones follow the settings. */
export const OwnQuotas = Quotas.partial();
export type OwnQuotas = z.infer<typeof OwnQuotas>;

/** A number sets a quota for this person; null resets it to the settings. */
export const PatchQuotasInput = z
  .strictObject(
    Object.fromEntries(QUOTA_KEYS.map((key) => [key, Quotas.shape[key].nullable()])) as {
      [K in QuotaKey]: z.ZodNullable<(typeof Quotas.shape)[K]>;
    },
  )
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "enter at least one quota");
export type PatchQuotasInput = z.infer<typeof PatchQuotasInput>;

export const QuotaUsage = z.object({
  key: z.enum(QUOTA_KEYS),
  unit: z.enum(["skills", "MiB", "runs"]),
  /** Length of the window in seconds; null for quotas without one. */
  windowSeconds: z.number().int().nullable(),
  /** Null: no limit. */
  limit: z.number().int().nullable(),
  own: z.boolean(),
  used: z.number(),
  /** When the oldest counted item leaves the window; null for quotas without one. */
  freesAt: IsoTime.nullable(),
});
export type QuotaUsage = z.infer<typeof QuotaUsage>;

export const QuotaList = z.object({ items: z.array(QuotaUsage), nextCursor: z.null() });
export type QuotaList = z.infer<typeof QuotaList>;
