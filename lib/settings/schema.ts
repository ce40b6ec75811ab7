import { z } from "zod";

/** Every setting an admin can change. The description is shown beside it. */
export const Settings = z.strictObject({
  soloMode: z.boolean().describe("One person may import, approve and confirm alone. Named on every approval it makes."),
  instanceName: z.string().trim().min(1).max(60).describe("Shown in the sidebar and in page titles."),
  maxTimeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(3600)
    .describe("The longest a run may take, whatever a skill asks for."),
  stdoutLimitMiB: z.number().int().min(1).max(16).describe("The most a run may print as its result, in MiB."),
  importsPerHour: z.number().int().min(1).max(100_000).describe("Imports one person may make in an hour."),
});
export type Settings = z.infer<typeof Settings>;

export const SETTING_DEFAULTS: Settings = {
  soloMode: true,
  instanceName: "Skillgate",
  maxTimeoutSeconds: 300,
  stdoutLimitMiB: 1,
  importsPerHour: 600,
};

export const PatchSettingsInput = Settings.partial().refine(
  (patch) => Object.keys(patch).length > 0,
  "name at least one setting",
);
export type PatchSettingsInput = z.infer<typeof PatchSettingsInput>;

export const SettingsAnswer = z.object({
  values: Settings,
  settings: z.array(
    z.object({ key: z.string(), type: z.string(), value: z.unknown(), default: z.unknown(), description: z.string() }),
  ),
});
export type SettingsAnswer = z.infer<typeof SettingsAnswer>;
