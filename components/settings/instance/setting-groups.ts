import type { Settings } from "@/lib/settings/schema";

type SettingKey = keyof Settings;

type SettingGroup = { id: string; title: string; description: string; keys: readonly SettingKey[] };

/** The server's settings as the page shows them. The settings of a group are saved together. */
export const settingGroups: readonly SettingGroup[] = [
  {
    id: "names",
    title: "Names",
    description: "What people and clients call this server.",
    keys: ["instanceName", "marketplaceName"],
  },
  {
    id: "soloMode",
    title: "Solo mode",
    description: "Whether one person may import, approve and run a skill alone.",
    keys: ["soloMode"],
  },
  {
    id: "approvals",
    title: "Reviews and approvals",
    description: "How many people sign, and for how long a run waits for them.",
    keys: [
      "signaturesForDangerous",
      "signaturesForMutating",
      "ownerMayApproveSafe",
      "dangerousNeedsSop",
      "approvalHours",
      "analyzeImports",
      "authorKeys",
    ],
  },
  {
    id: "runs",
    title: "Runs",
    description: "Limits of each run, and processes that workers start ahead of time.",
    keys: ["maxTimeoutSeconds", "stdoutLimitMiB", "pipelineMaxDepth", "warmStarts", "warmMemoryMiB"],
  },
  {
    id: "isolation",
    title: "Runs without isolation",
    description: "What may run on workers that cannot separate a run from their host.",
    keys: ["safeWithoutSandbox", "mutatingWithoutSandbox", "dangerousWithoutSandbox"],
  },
  {
    id: "quotas",
    title: "Quotas per person",
    description: "For each person and their agents. A person can have own quotas under People.",
    keys: ["skillsPerPerson", "skillMiBPerPerson", "importMiBPerDay", "runsPerHour", "runsPerDay", "runsAtOnce"],
  },
  {
    id: "rates",
    title: "Request limits",
    description: "More requests than this are refused with status 429.",
    keys: ["requestsPerMinute", "agentRequestsPerMinute", "runsPerMinute", "agentRunsPerMinute", "importsPerHour"],
  },
  {
    id: "sign-in",
    title: "Sign-in and joining",
    description: "How people sign in, and who may join without an invitation.",
    keys: ["passwordSignIn", "connectByEmail", "joinDomains", "joinOrganisations", "joinGroups"],
  },
  {
    id: "retention",
    title: "Retention",
    description: "How long records are kept.",
    keys: ["agentTraceDays", "playgroundDays", "auditRetentionDays"],
  },
  {
    id: "backups",
    title: "Backups",
    description: "Backups that the server makes by itself. System lists them.",
    keys: ["backupEveryHours", "backupsKept"],
  },
  {
    id: "forwarding",
    title: "Audit forwarding",
    description: "Copies of audit events for another system. Empty fields forward nothing.",
    keys: ["auditForwardFile", "auditForwardSyslog", "auditForwardWebhook", "auditForwardCredential"],
  },
];
