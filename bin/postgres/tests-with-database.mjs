import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FRESH = "lib/testing/fresh-database.ts";
const IMPORT = /(?:from|import)\s*\(?\s*"((?:@\/|\.)[^"]+)"/g;

/** Test files whose imports reach the database, without those about SQLite's file, `*.sqlite.test.ts`. */
export function listTestsWithDatabase(root) {
  const importers = new Map();
  const seen = new Set();
  const tests = ["app", "lib", "prisma", "bench"].flatMap((folder) => listTests(root, folder));
  const unread = [...tests];
  for (let file = unread.pop(); file !== undefined; file = unread.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const target of importsOf(root, file)) {
      importers.set(target, [...(importers.get(target) ?? []), file]);
      unread.push(target);
    }
  }
  const reached = new Set([FRESH]);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return tests.filter((file) => reached.has(file) && !file.includes(".sqlite.test."));
}

function importsOf(root, file) {
  const names = [...readFileSync(path.join(root, file), "utf8").matchAll(IMPORT)];
  return names.map(([, name]) => resolve(root, file, name)).filter((target) => target !== null);
}

function resolve(root, file, name) {
  const bare = name.startsWith("@/") ? name.slice(2) : path.join(path.dirname(file), name);
  const candidates = [bare, `${bare}.ts`, `${bare}.tsx`];
  return candidates.find((place) => /\.tsx?$/.test(place) && existsSync(path.join(root, place))) ?? null;
}

function listTests(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));
}
