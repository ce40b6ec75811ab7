import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const folders = ["app", "components", "lib", "bin"];
const vagueName = /^(utils?|helpers?|misc|common)$/;
const importedModule = /(?:\bfrom\s+|\bimport\s*\(?\s*)["']([^"']+)["']/g;
const serverOnly = /^(@\/lib\/db(\/|$)|@prisma\/|better-sqlite3$|.*\/lib\/db\/)/;
const declaresAccess = /\baccess: "(public|session|worker|read|run|write|review|admin)"/;
const plainHandler = /export\s+(async\s+)?function\s+(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/;
const browserSafe =
  /^@\/lib\/(client\/|skill-format\/|core\/errors$|[\w-]+\/schema$|worker\/protocol$)|^@\/components\/|^@\/app\//;

const rules = [
  {
    covers: (file) => file.split("/").some((part) => vagueName.test(part.split(".")[0])),
    problem: () => ["name says nothing. Comply: name the file after its main export, the folder after its noun."],
  },
  {
    covers: (file) => /(^|\/)index\.[cm]?[jt]sx?$/.test(file),
    problem: () => ["is a barrel. Comply: import the file itself."],
  },
  {
    covers: (file) => /^app\/.*route\.ts$/.test(file),
    problem: (content) =>
      importsOf(content)
        .filter((name) => serverOnly.test(name))
        .map(
          (name) =>
            `imports ${name}. Comply: a route parses, calls one verb of lib and responds; queries live in the verb.`,
        ),
  },
  {
    covers: (file) => /^app\/.*route\.ts$/.test(file),
    problem: (content) =>
      declaresAccess.test(content) && !plainHandler.test(content)
        ? []
        : ["has no policy. Comply: make each handler with route({ access: … }), or declare its access beside it."],
  },
  {
    covers: (file) => /^app\/.*\.tsx?$/.test(file),
    problem: (content) =>
      !/^\s*["']use client["']/.test(content)
        ? []
        : importsOf(content)
            .filter((name) => name.startsWith("@/lib/") && !browserSafe.test(name))
            .map(
              (name) =>
                `runs in the browser and imports ${name}. Comply: fetch through lib/client, or pass data as props.`,
            ),
  },
];

/** Problems of one file by the house rules, each with how to comply. */
export function findHouseProblems(file, content) {
  return rules
    .filter((rule) => rule.covers(file))
    .flatMap((rule) => rule.problem(content).map((problem) => `${file} ${problem}`));
}

export function checkHouseRules(root) {
  return folders.flatMap((folder) =>
    listSources(root, folder).flatMap((file) => findHouseProblems(file, readFileSync(path.join(root, file), "utf8"))),
  );
}

function importsOf(content) {
  return [...content.matchAll(importedModule)].map(([, name]) => name);
}

function listSources(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "generated" ? [] : listSources(root, file);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [file] : [];
  });
}
