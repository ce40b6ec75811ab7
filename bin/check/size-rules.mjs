import { readFileSync } from "node:fs";
import path from "node:path";
import { listSources } from "./house-rules.mjs";

const MAX_FILE_LINES = 400;
const MAX_FOLDER_FILES = 40;
const REACH = {
  "lib/http/route.ts": 90,
  "app/api/skills/route.ts": 200,
  "app/api/skills/import/route.ts": 200,
  "app/api/skills/[id]/runs/route.ts": 200,
  "lib/worker/main.ts": 110,
};

const folders = ["app", "components", "lib", "bin", "bench", "prisma"];
const isTest = /\.(test|spec)\.[cm]?[jt]sx?$|(^|\/)(testing|fixtures|generated)\//;
const valueImport =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^;"']*?\bfrom\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;
const endings = ["", ".ts", ".tsx", ".mjs"];

/**
 * Problems of file length, folder size and reach, each with how to comply; `files` maps paths of sources to their text.
 */
export function findSizeProblems(files, reach = REACH) {
  const sources = [...files.keys()].filter((file) => !isTest.test(file));
  const long = sources
    .map((file) => [file, files.get(file).split("\n").length - 1])
    .filter(([, lines]) => lines > MAX_FILE_LINES)
    .map(([file, lines]) => `${file} has ${lines} lines, ${MAX_FILE_LINES} at most. Comply: split it by nouns.`);
  const full = [...countByFolder(sources)]
    .filter(([folder, count]) => count > MAX_FOLDER_FILES && folder !== "components/ui")
    .map(([folder, count]) => `${folder} has ${count} files, ${MAX_FOLDER_FILES} at most. Comply: sort them by nouns.`);
  const far = Object.entries(reach).flatMap(([entry, ceiling]) => {
    if (!files.has(entry)) return [`${entry} is absent. Comply: name the entry point in bin/check/size-rules.mjs.`];
    const { size } = reachOf(entry, files);
    return size <= ceiling
      ? []
      : [`${entry} reaches ${size} files, ${ceiling} at most. Comply: cut imports that do not belong to what it does.`];
  });
  return [...long, ...full, ...far];
}

/** Like `findSizeProblems`, for the sources of the project at `root`. */
export function checkSizes(root) {
  const files = folders.flatMap((folder) => listSources(root, folder));
  return findSizeProblems(new Map(files.map((file) => [file, readFileSync(path.join(root, file), "utf8")])));
}

function countByFolder(sources) {
  const counts = new Map();
  for (const file of sources) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  return counts;
}

/** Every file that `entry` imports by value, directly or indirectly, including itself. */
function reachOf(entry, files) {
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const [, from, bare, lazy] of files.get(file).matchAll(valueImport)) {
      const found = resolveImport(file, from ?? bare ?? lazy, files);
      if (found) seen.add(found);
    }
  }
  return seen;
}

function resolveImport(from, name, files) {
  if (!/^(@\/|\.)/.test(name)) return null;
  const base = name.startsWith("@/") ? name.slice(2) : path.join(path.dirname(from), name);
  return endings.map((ending) => base + ending).find((file) => files.has(file)) ?? null;
}
