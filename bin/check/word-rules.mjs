import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ALLOWED } from "./allowed-words.mjs";
import { listSources } from "./house-rules.mjs";

const folders = ["app", "components", "lib", "bin", "bench", "prisma"];
const isTest = /\.(test|spec)\.[cm]?[jt]sx?$|(^|\/)(testing|fixtures|generated)\//;
const self = /^bin\/check\/(word-rules|allowed-words)\.mjs$/;

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
      ({ file, word }) => `bin/check/allowed-words.mjs allows “${word}” in ${file}. Comply: drop the entry.`,
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
  ].filter((file) => !isTest.test(file) && !self.test(file));
  return findWordProblems(new Map(files.map((file) => [file, readFileSync(path.join(root, file), "utf8")])));
}
