// Writes app/api/route-table.ts: every route module under app by its path, for the API description and the test that
// walks all routes; and lib/http/observe/route-paths.ts: the names of all routes and pages, for logs and metrics. `--check`
// fails when a committed file is not what it would write.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

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
const pages = (await readdir(root, { recursive: true }))
  .map((path) => `/${path.split(sep).join("/")}`)
  .filter((path) => path.endsWith("/page.tsx"))
  // A folder in parentheses is no part of an address.
  .map((path) => path.replace(/\/page\.tsx$/, "").replace(/\/\([^/]+\)/g, "") || "/");
const routes = [...found, OWN].map((path) => `/${path.replace(/\/route\.ts$/, "")}`);
const names = [...new Set([...routes, ...pages])].sort();
const namesText = [
  "// Written by bin/make-route-table.mjs; do not edit.",
  "",
  "/** What requests are called in logs and metrics: every route and every page. */",
  "export const ROUTE_PATHS: readonly string[] = [",
  ...names.map((name) => `  "${name}",`),
  "];",
  "",
].join("\n");
const files = [
  [file, lines.join("\n")],
  [join(root, "..", "lib", "http", "observe", "route-paths.ts"), namesText],
];
for (const [path, text] of files) {
  if (!process.argv.includes("--check")) await writeFile(path, text);
  else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
    console.error(`${relative(join(root, ".."), path)} is out of date. Run: node bin/make-route-table.mjs`);
    process.exitCode = 1;
  }
}

/** As the linter wants imports: those from further away first, and a folder before the ones whose names begin like its own. */
function inImportOrder(a, b) {
  const key = (path) => `${path.startsWith("api/") ? 1 : 0}${path.replaceAll("/", " ")}`;
  return key(a) < key(b) ? -1 : 1;
}

function fromTable(module) {
  return module.startsWith("api/") ? module.replace("api/", "./") : `../${module}`;
}
