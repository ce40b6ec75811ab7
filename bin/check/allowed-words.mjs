/** Where a word of word-rules.mjs, or its plural, may stay: by word, each reason with its files. */
const STAYS = {
  door: {
    "a stored column, table, job, folder or audit field keeps its name": [
      "bench/archives.ts",
      "bench/harness/fill-world.ts",
      "components/connect/clients.ts",
      "docs/architecture.md",
      "docs/decisions/017-one-distribution-list.md",
      "docs/distribution.md",
      "docs/operators.md",
      "docs/upgrading.md",
      "lib/backup/write-backup.ts",
      "lib/client/connect.ts",
      "lib/distribution/archive-cache.ts",
      "lib/distribution/clawhub/publish-claw-skill.ts",
      "lib/distribution/client-activity.ts",
      "lib/distribution/count-install.ts",
      "lib/distribution/load-packages.ts",
      "lib/distribution/oci/layers.ts",
      "lib/distribution/pack-approved-versions.ts",
      "lib/jobs/job-table.ts",
    ],
    "a former address still answers": ["app/api/distribution/client-activity/route.ts"],
  },
  sighting: { "a table keeps its name": ["lib/distribution/client-activity.ts"] },
  machinery: {
    "a field and a value of the API keep their names": [
      "app/api/agent/tools/route.ts",
      "docs/agents.md",
      "lib/agent/list-tools.ts",
      "lib/agent/schema.ts",
    ],
  },
  gate: {
    "an admission gate is a known term": ["docs/architecture.md", "docs/decisions/015-prewarm-processes.md"],
  },
  obey: {
    "what the rule finds in texts": ["lib/review/rules/agent-control.ts", "lib/review/rules/order-words.ts"],
  },
  "no one": { "what the rule finds in texts": ["lib/review/rules/order-words.ts"] },
  whatever: { "what the rule finds in texts": ["lib/review/rules/agent-control.ts"] },
  anyone: {
    "what the rule finds in texts": [
      "lib/review/rules/hidden-text.ts",
      "lib/review/rules/order-words.ts",
      "lib/review/rules/prompt-injection.ts",
    ],
  },
  nobody: {
    "what the rule finds in texts": ["lib/review/rules/order-words.ts"],
    "the name of a user of Linux": ["bin/postgres/start-postgres.mjs"],
  },
};

/** The same as a list of `{ file, word, reason }`. */
export const ALLOWED = Object.entries(STAYS).flatMap(([word, reasons]) =>
  Object.entries(reasons).flatMap(([reason, files]) => files.map((file) => ({ file, word, reason }))),
);
