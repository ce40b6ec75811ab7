import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../root.mjs";

const app = path.join(root, "app");
const folder = path.join(app, "api", "generated");
const WORD = "[A-Za-z0-9._-]+";

/** Patterns of `:scope` at the beginning of an address, and the word that the route gets (`parseScope`). */
const SCOPES = [
  { kind: "root", source: "", word: "root" },
  { kind: "skill", source: `/s/:publisher(${WORD})/:skill(${WORD})`, word: "s~:publisher~:skill" },
  ...["@", "%40"].map((at) => ({
    kind: "skill",
    source: `/s/:publisher(${WORD})/:skill(${WORD})${at}:version([A-Za-z0-9.+:_-]+)`,
    word: "s~:publisher~:skill@:version",
  })),
  { kind: "publisher", source: `/p/:handle(${WORD})`, word: "p~:handle" },
  { kind: "collection", source: `/c/:collection(${WORD})`, word: "c~:collection" },
  { kind: "token", source: "/t/:token([A-Za-z0-9_-]+)", word: "t~:token" },
];

/**
 * Public addresses as rewrites to the paths of route files (the form of `rewrites` in next.config.mjs). Route files
 * declare them with `export const addresses`: `:name(pattern)` is a parameter, `:name+` the rest of the path, and
 * `:scope` the scope of an index, optionally limited to some kinds.
 */
export function publicRewrites() {
  return routeFiles().flatMap((file) => {
    const declared = /^export const addresses = (\[[^;]*\]);/m.exec(readFileSync(path.join(app, file), "utf8"))?.[1];
    const addresses = declared === undefined ? [] : JSON.parse(declared.replace(/,\s*\]$/, "]"));
    return addresses.flatMap((address) => rewritesOf(address, pathOf(file)));
  });
}

function rewritesOf(address, route) {
  const destination = route.replace(/\[\.\.\.(\w+)\]/g, ":$1+").replace(/\[(\w+)\]/g, ":$1");
  const [start, kinds] = /^:scope(?:\(([^)]*)\))?/.exec(address) ?? [];
  if (start === undefined) return [{ source: address, destination }];
  return SCOPES.filter(({ kind }) => kinds === undefined || kinds.split("|").includes(kind)).map(
    ({ source, word }) => ({
      source: source + address.slice(start.length),
      destination: destination.replace(":scope", word),
    }),
  );
}

/**
 * Writes the router's input to app/api/generated: loaders of all route files, and all addresses of routes, pages and
 * public patterns.
 */
export function writeRouteTable() {
  const routes = routeFiles();
  write("routes.ts", [
    "/** Every route file below app, by its path. */",
    "export const ROUTES: Record<string, () => Promise<Record<string, unknown>>> = {",
    ...routes.map((file) => `  "${pathOf(file)}": () => import("../../${file.replace(/\.ts$/, "")}"),`),
    "};",
  ]);
  write("addresses.ts", [
    'import type { Addresses } from "@/lib/http/router/find-address";',
    "",
    "/** Every address that something answers. */",
    `export const ADDRESSES: Addresses = ${JSON.stringify(
      { endpoints: routes.map(pathOf), pages: pagePaths(), rewrites: publicRewrites().map(asReplacement) },
      null,
      2,
    )};`,
  ]);
}

function asReplacement({ source, destination }) {
  const parts = source.matchAll(/:(\w+)(?:\(([^)]*)\))?(\+)?|[^:]+/g);
  const pattern = [...parts].map(([text, name, of, rest]) =>
    name ? `(?<${name}>${of ?? (rest ? ".+" : "[^/]+")})` : text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
  );
  return [`^${pattern.join("")}$`, destination.replace(/:(\w+)\+?/g, "$<$1>")];
}

function routeFiles() {
  return filesOfApp().filter((file) => file.endsWith("/route.ts"));
}

/** Folders in parentheses are not part of the address. */
function pagePaths() {
  const pages = filesOfApp().filter((file) => /(^|\/)page\.tsx$/.test(file));
  return [...new Set(pages.map((file) => `/${path.posix.dirname(file)}`.replace(/\/(?:\([^/]+\)|\.$)/g, "") || "/"))];
}

function filesOfApp() {
  const files = readdirSync(app, { recursive: true, encoding: "utf8" });
  return files.map((file) => file.split(path.sep).join("/")).sort();
}

function pathOf(file) {
  return `/${file.replace(/\/route\.ts$/, "")}`;
}

/** Unchanged files are not written, so that watchers do not rebuild. */
function write(name, lines) {
  const file = path.join(folder, name);
  const text = ["// Written by bin/prepare/route-table.mjs; do not edit.", ...lines, ""].join("\n");
  mkdirSync(folder, { recursive: true });
  if (!isWritten(file, text)) writeFileSync(file, text);
}

function isWritten(file, text) {
  try {
    return readFileSync(file, "utf8") === text;
  } catch {
    return false;
  }
}
