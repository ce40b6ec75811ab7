const labels: Record<string, string> = {
  marketplaceName: "Name of the marketplace",
  dangerousNeedsSop: "Dangerous runs need a procedure",
  approvalHours: "Hours a run waits for approval",
  agentRequestsPerMinute: "Requests per minute of one agent",
  agentRunsPerMinute: "Runs per minute of one agent",
  requestsPerMinute: "Requests per minute of one person",
  runsPerMinute: "Runs per minute of one person",
  signaturesForDangerous: "People who approve a dangerous version",
  signaturesForMutating: "People who approve a mutating version",
  ownerMayApproveSafe: "Owners approve their own safe skills",
  safeWithoutSandbox: "Safe runs without isolation",
  mutatingWithoutSandbox: "Mutating runs without isolation",
  dangerousWithoutSandbox: "Dangerous runs without isolation",
  warmStarts: "Warm starts",
  warmMemoryMiB: "Memory of waiting processes, MiB",
  pipelineMaxDepth: "Depth of pipelines",
  passwordSignIn: "Sign-in by password",
  connectByEmail: "Find people by their verified address",
  joinDomains: "Domains that may join",
  joinOrganisations: "GitHub organisations that may join",
  joinGroups: "Groups that may join",
  authorKeys: "Keys of authors",
  skillsPerPerson: "Skills of one person",
  skillMiBPerPerson: "Stored skills of one person, MiB",
  importMiBPerDay: "Imports of one person in a day, MiB",
  runsPerHour: "Runs of one person in an hour",
  runsPerDay: "Runs of one person in a day",
  runsAtOnce: "Runs of one person at once",
  agentTraceDays: "Days that traces of agents are kept",
};

/** `maxTimeoutSeconds` → "Max timeout seconds"; units keep their capitals. */
export function settingLabel(key: string): string {
  const label = labels[key];
  if (label !== undefined) return label;
  const words = key
    .replace(/(MiB|KiB)$/, " $1")
    .replace(/([a-z])([A-Z])(?=[a-z])/g, (_, before: string, next: string) => {
      return `${before} ${next.toLowerCase()}`;
    });
  const text = words.replace(/ +/g, " ").replace(/ mi B$/, " MiB");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
