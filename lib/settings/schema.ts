import { z } from "zod";
import { lineOfText, withoutControls } from "@/lib/core/schema";
import { MarketplaceName } from "@/lib/policy/marketplace-name";
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

function whole(min: number, max: number, description: string) {
  return z.number().int().min(min).max(max).describe(description);
}

function flag(description: string) {
  return z.boolean().describe(description);
}

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** A file name without folders; empty for none. */
export const ForwardFile = withoutControls
  .trim()
  .max(100)
  .regex(/^([A-Za-z0-9_-][A-Za-z0-9._-]*)?$/, "must be the name of a file, without a folder");

export const ForwardSyslog = withoutControls
  .trim()
  .max(300)
  .refine((text) => text === "" || isSyslog(text), "must be tcp://host:port or udp://host:port");

/** Requires https except on loopback: events are confidential. */
export const ForwardWebhook = withoutControls
  .trim()
  .max(1000)
  .refine((text) => text === "" || isWebhook(text), "must be an https address, or http on this machine");

function isSyslog(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null &&
    ["tcp:", "udp:"].includes(url.protocol) &&
    url.hostname !== "" &&
    url.username === "" &&
    url.port !== "0" &&
    // The URL standard accepts any host for other schemes, so it is checked as http.
    URL.canParse(`http://${url.host}`) &&
    /^\/?$/.test(url.pathname)
  );
}

function isWebhook(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname));
}

/** Every setting an admin can change. The Settings page shows the descriptions. */
export const Settings = z.strictObject({
  soloMode: flag("One person may import, approve and confirm alone. Each such approval records it."),
  instanceName: lineOfText(60).describe("Shown in the sidebar and in page titles."),
  marketplaceName: MarketplaceName.describe("Name of this instance’s marketplace in Claude Code and Codex."),
  maxTimeoutSeconds: whole(1, 3600, "Maximum time limit of a run. It caps the limit that a skill requests."),
  stdoutLimitMiB: whole(1, 16, "Maximum size of a run's result on stdout."),
  importsPerHour: whole(1, 100_000, "Imports that one person may make within an hour."),
  dangerousNeedsSop: flag("A dangerous run has to name a signed standard operating procedure."),
  approvalHours: whole(1, 720, "How long a run waits for its approval before it expires."),
  requestsPerMinute: whole(10, 1_000_000, "Requests that one person may send per minute."),
  agentRequestsPerMinute: whole(10, 1_000_000, "Requests that one agent token (with a persona) may send per minute."),
  runsPerMinute: whole(1, 1_000_000, "Runs that one person may start per minute."),
  agentRunsPerMinute: whole(1, 1_000_000, "Runs that one agent token (with a persona) may start per minute."),
  ...Quotas.shape,
  signaturesForDangerous: whole(1, 5, "Approvals of a dangerous version with solo mode off. Authors do not count."),
  signaturesForMutating: whole(1, 5, "Approvals of a mutating version with solo mode off. Authors do not count."),
  ownerMayApproveSafe: flag("Owners may approve their own safe skills for their own use."),
  safeWithoutSandbox: flag("Workers without isolation may run safe skills, which can reach all that the worker can."),
  mutatingWithoutSandbox: flag("Workers without namespaces may run mutating skills with access to the host."),
  dangerousWithoutSandbox: flag("Workers without namespaces may run dangerous skills with access to the host."),
  warmStarts: flag("After a run, the worker prewarms a process with the sandbox for the skill's next run."),
  analyzeImports: flag(
    "The server requests a dry run of each imported version in review by itself. Off: reviewers start them.",
  ),
  warmMemoryMiB: whole(8, 16_384, "Maximum memory of prewarmed processes on each worker."),
  pipelineMaxDepth: whole(1, 20, "Maximum number of nested pipelines, counting the first."),
  agentTraceDays: whole(1, 3650, "How long agents' traces are kept after the session's last activity."),
  playgroundDays: whole(1, 3650, "How long playground conversations are kept after the last message."),
  auditRetentionDays: whole(0, 36_500, "Older events move to sealed files outside the timeline. 0 keeps all."),
  backupEveryHours: whole(0, 720, "Time between backups. 0 makes none."),
  backupsKept: whole(1, 1_000, "Number of backups to keep. Older ones are deleted after a newer one was verified."),
  passwordSignIn: flag(
    "People may sign in with email and password. It can be switched off only while an admin can sign in with a provider.",
  ),
  connectByEmail: flag(
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
  analyzeImports: false,
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
