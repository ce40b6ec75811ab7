import { z } from "zod";
import { lineOfText, withoutControls } from "@/lib/core/schema";
import { MarketplaceName } from "@/lib/policy/marketplace-name";
import { ForwardFile, ForwardSyslog, ForwardWebhook } from "./forwarding/schema";
import { QUOTA_DEFAULTS, Quotas } from "./quotas/schema";

function commaList(form: RegExp, what: string) {
  return withoutControls
    .trim()
    .max(1000)
    .refine(
      (text) => text === "" || text.split(",").every((entry) => form.test(entry.trim())),
      `must be ${what}, separated by commas`,
    );
}

/** Every setting an admin can change. The Settings page shows the descriptions. */
export const Settings = z.strictObject({
  soloMode: z.boolean().describe("One person may import, approve and confirm alone. Each such approval records it."),
  instanceName: lineOfText(60).describe("Shown in the sidebar and in page titles."),
  marketplaceName: MarketplaceName.describe("Name of this instance’s marketplace in Claude Code and Codex."),
  maxTimeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(3600)
    .describe("Maximum time limit of a run. It caps the limit that a skill asks for."),
  stdoutLimitMiB: z.number().int().min(1).max(16).describe("Maximum size of a run's result on stdout."),
  importsPerHour: z.number().int().min(1).max(100_000).describe("Imports that one person may make within an hour."),
  dangerousNeedsSop: z.boolean().describe("A dangerous run has to name a signed standard operating procedure."),
  approvalHours: z.number().int().min(1).max(720).describe("How long a run waits for its approval before it expires."),
  requestsPerMinute: z.number().int().min(10).max(1_000_000).describe("Requests that one person may send per minute."),
  agentRequestsPerMinute: z
    .number()
    .int()
    .min(10)
    .max(1_000_000)
    .describe("Requests that one agent token (with a persona) may send per minute."),
  runsPerMinute: z.number().int().min(1).max(1_000_000).describe("Runs that one person may start per minute."),
  agentRunsPerMinute: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .describe("Runs that one agent token (with a persona) may start per minute."),
  ...Quotas.shape,
  signaturesForDangerous: z
    .number()
    .int()
    .min(1)
    .max(5)
    .describe("Signatures to approve a dangerous version when solo mode is off. Authors and importers do not count."),
  signaturesForMutating: z
    .number()
    .int()
    .min(1)
    .max(5)
    .describe("Signatures to approve a mutating version when solo mode is off. Authors and importers do not count."),
  ownerMayApproveSafe: z.boolean().describe("Owners may approve their own safe skills for their own use."),
  safeWithoutSandbox: z
    .boolean()
    .describe("Workers without isolation may run safe skills. These can reach everything that the worker can."),
  mutatingWithoutSandbox: z
    .boolean()
    .describe(
      "Workers without separate namespaces for each run may run mutating skills. These can reach the host's network and files.",
    ),
  dangerousWithoutSandbox: z
    .boolean()
    .describe(
      "Workers without separate namespaces for each run may run dangerous skills. These can reach the host's network and files.",
    ),
  warmStarts: z
    .boolean()
    .describe("After a run, the worker prewarms a process with the sandbox for the skill's next run."),
  warmMemoryMiB: z.number().int().min(8).max(16_384).describe("Maximum memory of prewarmed processes on each worker."),
  pipelineMaxDepth: z
    .number()
    .int()
    .min(1)
    .max(20)
    .describe("Maximum number of nested pipelines, counting the first. Tools that a step calls do not count."),
  agentTraceDays: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .describe("How long agents' traces are kept after the session was last seen. The audit keeps its events."),
  playgroundDays: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .describe("How long playground conversations are kept after the last message."),
  auditRetentionDays: z
    .number()
    .int()
    .min(0)
    .max(36_500)
    .describe("Events older than this are moved into sealed files and leave the timeline. 0 keeps all events."),
  backupEveryHours: z.number().int().min(0).max(720).describe("Time between backups. 0 makes none."),
  backupsKept: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .describe("Number of backups to keep. Older ones are deleted after a newer one was verified."),
  passwordSignIn: z
    .boolean()
    .describe(
      "People may sign in with email and password. It can be switched off only while an admin can sign in with a provider.",
    ),
  connectByEmail: z
    .boolean()
    .describe(
      "The first sign-in with a provider finds an existing person by the verified email address. Off: people connect the provider in their profile first. Invited people can join in both cases.",
    ),
  joinDomains: commaList(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, "email domains such as example.org").describe(
    "Email domains whose people may join as users with a provider, separated by commas. Empty: only invited people.",
  ),
  joinOrganisations: commaList(/^[a-z0-9-]{1,39}$/i, "names of organisations").describe(
    "GitHub organisations whose members may join as users, separated by commas.",
  ),
  joinGroups: commaList(/^[^\p{Cc}]{1,200}$/u, "names of groups").describe(
    "Groups of the OpenID Connect provider whose members may join as users, separated by commas.",
  ),
  authorKeys: commaList(
    /^[A-Za-z0-9._@-]{1,40}=[A-Za-z0-9+/]{43}=$/,
    "names with Ed25519 public keys in base64, as name=key",
  )
    .refine(
      (text) => new Set(text.split(",").map((entry) => entry.trim().split("=", 1)[0])).size === text.split(",").length,
      "must name each key once",
    )
    .describe(
      "Ed25519 public keys of authors, as name=base64, separated by commas. Their signatures in skills are accepted.",
    ),
  auditForwardFile: ForwardFile.describe(
    "Name of the file for events, in the folder audit-forward of the data directory.",
  ),
  auditForwardSyslog: ForwardSyslog.describe("Syslog server for events, as tcp://host:port or udp://host:port."),
  auditForwardWebhook: ForwardWebhook.describe("Address to which events are posted."),
  auditForwardCredential: withoutControls
    .trim()
    .max(100)
    .describe("Name of the stored credential that signs posted events. Empty: unsigned."),
});
export type Settings = z.infer<typeof Settings>;

export const SETTING_DEFAULTS: Settings = {
  soloMode: true,
  instanceName: "Skillgate",
  marketplaceName: "skillgate",
  maxTimeoutSeconds: 300,
  stdoutLimitMiB: 1,
  importsPerHour: 600,
  dangerousNeedsSop: false,
  approvalHours: 24,
  requestsPerMinute: 60_000,
  agentRequestsPerMinute: 600,
  runsPerMinute: 12_000,
  agentRunsPerMinute: 60,
  ...QUOTA_DEFAULTS,
  signaturesForDangerous: 2,
  signaturesForMutating: 1,
  ownerMayApproveSafe: true,
  safeWithoutSandbox: false,
  mutatingWithoutSandbox: false,
  dangerousWithoutSandbox: false,
  warmStarts: true,
  warmMemoryMiB: 256,
  pipelineMaxDepth: 5,
  agentTraceDays: 30,
  playgroundDays: 30,
  auditRetentionDays: 0,
  backupEveryHours: 0,
  backupsKept: 7,
  passwordSignIn: true,
  connectByEmail: false,
  joinDomains: "",
  joinOrganisations: "",
  joinGroups: "",
  authorKeys: "",
  auditForwardFile: "",
  auditForwardSyslog: "",
  auditForwardWebhook: "",
  auditForwardCredential: "",
};

export const PatchSettingsInput = Settings.partial().refine(
  (patch) => Object.keys(patch).length > 0,
  "change at least one setting",
);
export type PatchSettingsInput = z.infer<typeof PatchSettingsInput>;

export const SettingsAnswer = z.object({
  values: Settings,
  settings: z.array(
    z.object({ key: z.string(), type: z.string(), value: z.unknown(), default: z.unknown(), description: z.string() }),
  ),
});
export type SettingsAnswer = z.infer<typeof SettingsAnswer>;
