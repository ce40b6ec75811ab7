import { z } from "zod";
import { lineOfText, withoutControls } from "@/lib/core/schema";
import { MarketplaceName } from "@/lib/policy/marketplace-name";
import { ForwardFile, ForwardSyslog, ForwardWebhook } from "./forwarding/schema";
import { QUOTA_DEFAULTS, Quotas } from "./quotas/schema";

/** Text that lists things of one form; may be empty. */
function commaList(form: RegExp, what: string) {
  return withoutControls
    .trim()
    .max(1000)
    .refine(
      (text) => text === "" || text.split(",").every((entry) => form.test(entry.trim())),
      `must be ${what}, separated by commas`,
    );
}

/** Every setting an admin can change. The description is shown beside it. */
export const Settings = z.strictObject({
  soloMode: z.boolean().describe("One person may import, approve and confirm alone. Named on every approval it makes."),
  instanceName: lineOfText(60).describe("Shown in the sidebar and in page titles."),
  marketplaceName: MarketplaceName.describe("What Claude Code and Codex call this instance’s marketplace."),
  maxTimeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(3600)
    .describe("The longest a run may take, whatever a skill asks for."),
  stdoutLimitMiB: z.number().int().min(1).max(16).describe("The most a run may print as its result, in MiB."),
  importsPerHour: z.number().int().min(1).max(100_000).describe("Imports one person may make in an hour."),
  dangerousNeedsSop: z.boolean().describe("A dangerous run has to name a signed standard operating procedure."),
  approvalHours: z.number().int().min(1).max(720).describe("Hours a run waits for its approval before it expires."),
  requestsPerMinute: z.number().int().min(10).max(1_000_000).describe("Requests one person may send in a minute."),
  agentRequestsPerMinute: z
    .number()
    .int()
    .min(10)
    .max(1_000_000)
    .describe("Requests one agent token (with a persona) may send in a minute."),
  runsPerMinute: z.number().int().min(1).max(1_000_000).describe("Runs one person may ask for in a minute."),
  agentRunsPerMinute: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .describe("Runs one agent token (with a persona) may ask for in a minute."),
  ...Quotas.shape,
  signaturesForDangerous: z
    .number()
    .int()
    .min(1)
    .max(5)
    .describe("People who must approve a dangerous version, with solo mode off. Never who wrote or imported it."),
  signaturesForMutating: z
    .number()
    .int()
    .min(1)
    .max(5)
    .describe("People who must approve a mutating version, with solo mode off. Never who wrote or imported it."),
  ownerMayApproveSafe: z.boolean().describe("A person may approve a safe skill of their own for their own use."),
  safeWithoutSandbox: z
    .boolean()
    .describe("Workers that cannot keep runs apart may run safe skills: these reach whatever the worker can."),
  mutatingWithoutSandbox: z
    .boolean()
    .describe(
      "Workers without namespaces of their own for each run may run mutating skills: these reach the network and files of the host.",
    ),
  dangerousWithoutSandbox: z
    .boolean()
    .describe(
      "Workers without namespaces of their own for each run may run dangerous skills: these reach the network and files of the host.",
    ),
  warmStarts: z
    .boolean()
    .describe(
      "The next process of a skill that ran before waits with its sandbox built, before any line of the skill.",
    ),
  warmMemoryMiB: z
    .number()
    .int()
    .min(8)
    .max(16_384)
    .describe("The most memory that waiting processes may hold on each worker, in MiB."),
  pipelineMaxDepth: z
    .number()
    .int()
    .min(1)
    .max(20)
    .describe(
      "The most skills in a chain of pipelines that run each other, the first one counted. Tools that a step calls do not count.",
    ),
  agentTraceDays: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .describe("Days that the traces of agents are kept after a session was last seen. The audit keeps what it has."),
  playgroundDays: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .describe("Days that conversations of the playground are kept after somebody last spoke in them."),
  auditRetentionDays: z
    .number()
    .int()
    .min(0)
    .max(36_500)
    .describe("Events older than this many days are sealed into files and leave the timeline. 0 keeps all."),
  backupEveryHours: z
    .number()
    .int()
    .min(0)
    .max(720)
    .describe("A backup is made this many hours after the last one. 0 makes none."),
  backupsKept: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .describe("Backups that are kept; older ones are removed once a newer one was checked."),
  passwordSignIn: z
    .boolean()
    .describe(
      "People sign in with email and password. It can be switched off once an admin signs in with a provider, and holds while one can.",
    ),
  connectByEmail: z
    .boolean()
    .describe(
      "Whoever is here already is found by the address that a provider has verified. Off: they connect it in their profile first. Invited people join either way.",
    ),
  joinDomains: commaList(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, "email domains such as example.org").describe(
    "Email domains whose people may join as users with a provider, separated by commas. Empty: invited people only.",
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
      "Ed25519 public keys whose signatures in skills count as their authors’, as name=base64, separated by commas.",
    ),
  auditForwardFile: ForwardFile.describe("Name of a file in audit-forward of the data directory that events go to."),
  auditForwardSyslog: ForwardSyslog.describe("Syslog server that events go to, as tcp://host:port or udp://host:port."),
  auditForwardWebhook: ForwardWebhook.describe("Address that events are posted to."),
  auditForwardCredential: withoutControls
    .trim()
    .max(100)
    .describe("Name of the stored credential that signs what is posted. Empty for unsigned."),
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
