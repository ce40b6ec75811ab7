// Writes app/api/route-table.ts: every route module under app by its path, for the API description and the test that
// walks all routes. `--check` fails when the committed file is not what it would write.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";

const root = join(import.meta.dirname, "..", "app");
const file = join(root, "api", "route-table.ts");
const OWN = "api/openapi.json/route.ts";

const found = (await readdir(root, { recursive: true }))
  .map((path) => path.split(sep).join("/"))
  .filter((path) => path.endsWith("/route.ts") && path !== OWN)
  .sort(inImportOrder);
const lines = [
  "// Written by bin/make-route-table.mjs; do not edit.",
  ...found.map((path, index) => `import * as route${index} from "${fromTable(path.replace(/\.ts$/, ""))}";`),
  "",
  "/** Every route module by its path. The module that serves the description itself is left out. */",
  "export const ROUTE_TABLE: [path: string, module: Record<string, unknown>][] = [",
  ...found.map((path, index) => `  ["/${path.replace(/\/route\.ts$/, "")}", route${index}],`),
  "];",
  "",
];
const text = lines.join("\n");
if (process.argv.includes("--check")) {
  if ((await readFile(file, "utf8").catch(() => "")) !== text) {
    console.error("app/api/route-table.ts is out of date. Run: node bin/make-route-table.mjs");
    process.exit(1);
  }
} else {
  await writeFile(file, text);
}

/** As the linter wants imports: those from further away first, and a folder before the ones whose names begin like its own. */
function inImportOrder(a, b) {
  const key = (path) => `${path.startsWith("api/") ? 1 : 0}${path.replaceAll("/", " ")}`;
  return key(a) < key(b) ? -1 : 1;
}

function fromTable(module) {
  return module.startsWith("api/") ? module.replace("api/", "./") : `../${module}`;
}
