import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { listSources } from "./house-rules.mjs";

const folders = ["app", "components", "lib", "bin", "bench", "prisma"];
const isTest = /\.(test|spec)\.[cm]?[jt]sx?$|(^|\/)(testing|fixtures|generated)\//;
const self = "bin/check/word-rules.mjs";

const actor = "name the actor: a reviewer, the owner, the server";
/**
 * Replaced words, with what to write. Rules with `inNames` also match parts of identifiers; those with `onlyNames`
 * match only these.
 */
const RULES = [
  { word: /whoever|nobody|somebody|someone|anyone|no one/, write: actor },
  { word: /everybody/, write: "everyone" },
  { word: /whatever/, write: "say which values or states: any status, each format" },
  { word: /is no news|no more than that/, write: "say what the reader does with it: callers ignore this hint" },
  { word: /rooms?/, write: "module (of lib), space (on a disk), capacity (of a queue)" },
  { word: /grounds?/, write: "launch context, reason" },
  { word: /gate(?![- ]?run)|gates|gated/, write: "start barrier, check; gateRun alone is a term" },
  { word: /doors?/, write: "endpoint, protocol, distribution (the module)", inNames: true },
  { word: /sight(?:ings?|ed)/, write: "client activity", inNames: true },
  { word: /starters?/, write: "preforked launcher", inNames: true },
  { word: /shelf|shelves/, write: "pool bucket", inNames: true },
  { word: /stir(?:s|red)?/, write: "markActive, wake", inNames: true },
  { word: /obey(?:s|ed)?/, write: "applyServerState, follow", inNames: true },
  { word: /machinery/, write: "built-in tools", inNames: true },
  { word: /witness(?:es|ed)?/, write: "probe, recorder", inNames: true },
  { word: /prepared roots?/, write: "mount view", inNames: true },
  { word: /give up|gave up|gives up|given up/, write: "abandon, release (in names)", onlyNames: true },
  { word: /look at/, write: "check, inspect, read (in names)", onlyNames: true },
].map((rule) => ({ ...rule, word: new RegExp(`\\b(?:${rule.word.source})\\b`, "gi") }));

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
      "lib/distribution/oci/write-manifest.ts",
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
    "what the rule finds in texts": ["lib/review/rules/order-deceits.ts"],
  },
  obey: {
    "what the rule finds in texts": [
      "lib/review/rules/agent-control.ts",
      "lib/review/rules/order-deceits.ts",
      "lib/review/rules/order-deeds.ts",
    ],
  },
  "no one": {
    "what the rule finds in texts": ["lib/review/rules/order-deceits.ts", "lib/review/rules/order-manners.ts"],
  },
  everybody: { "what the rule finds in texts": ["lib/review/rules/order-judge.ts"] },
  somebody: { "what the rule finds in texts": ["lib/review/rules/order-manners.ts"] },
  ground: { "what the rule finds in texts": ["lib/review/rules/order-manners.ts"] },
  witness: { "what the rule finds in texts": ["lib/review/rules/order-deceits.ts"] },
  someone: {
    "what the rule finds in texts": ["lib/review/rules/order-manners.ts", "lib/review/rules/unseen-copies.ts"],
  },
  whatever: {
    "what the rule finds in texts": [
      "lib/review/rules/agent-control.ts",
      "lib/review/rules/order-deceits.ts",
      "lib/review/rules/order-deeds.ts",
      "lib/review/rules/order-manners.ts",
    ],
  },
  anyone: {
    "what the rule finds in texts": [
      "lib/review/rules/hidden-text.ts",
      "lib/review/rules/opened-access.ts",
      "lib/review/rules/order-deceits.ts",
      "lib/review/rules/order-deeds.ts",
      "lib/review/rules/order-judge.ts",
      "lib/review/rules/order-manners.ts",
      "lib/review/rules/prompt-injection.ts",
    ],
  },
  nobody: {
    "what the rule finds in texts": ["lib/review/rules/order-deceits.ts", "lib/review/rules/order-manners.ts"],
    "the name of a user of Linux": ["bin/postgres/start-postgres.mjs"],
  },
};

/** Places of replaced words in sources and docs, and entries of `allowed` (file, word, reason) without a place. */
export function findWordProblems(files, allowed = ALLOWED) {
  const unused = new Set(allowed);
  const places = [...files].flatMap(([file, text]) =>
    [file, ...text.split("\n")].flatMap((line, number) =>
      wordsIn(line).flatMap(({ word, write }) => {
        const entries = allowed.filter((entry) => entry.file === file && word.startsWith(entry.word));
        for (const entry of entries) unused.delete(entry);
        return entries.length > 0
          ? []
          : [`${file}:${number || 1} “${word}” in: ${line.trim().slice(0, 140)}\n    Comply: ${write}.`];
      }),
    ),
  );
  return [
    ...places,
    ...[...unused].map(
      ({ file, word }) => `bin/check/word-rules.mjs allows “${word}” in ${file}. Comply: drop the entry.`,
    ),
  ];
}

function wordsIn(line) {
  const names = line.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");
  const parts = names.replace(/(?<=\w)-(?=\w)/g, " ");
  return RULES.flatMap(({ word, write, inNames, onlyNames }) => {
    const find = (text) => [...text.matchAll(word)].map(([found]) => found.toLowerCase());
    const found = onlyNames ? find(names).slice(find(line).length) : find(inNames ? parts : line);
    return found.map((one) => ({ word: one, write }));
  });
}

/** Like `findWordProblems`, for the sources, README and docs of the project at `root`, without tests. */
export function checkWords(root) {
  const docs = readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" }).map(
    (file) => `docs/${file}`,
  );
  const files = [
    ...folders.flatMap((folder) => listSources(root, folder)),
    ...["README.md", "CONTRIBUTING.md", ...docs.filter((file) => file.endsWith(".md"))],
  ].filter((file) => !isTest.test(file) && file !== self);
  return findWordProblems(new Map(files.map((file) => [file, readFileSync(path.join(root, file), "utf8")])));
}

/** The same as a list of `{ file, word, reason }`. */
const ALLOWED = Object.entries(STAYS).flatMap(([word, reasons]) =>
  Object.entries(reasons).flatMap(([reason, files]) => files.map((file) => ({ file, word, reason }))),
);
