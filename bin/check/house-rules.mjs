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

const networkModule =
  /import\s+(type\s)?([^;"']*?)\s*from\s*["']node:(http|https|http2|net|tls|dgram|dns|dns\/promises)["']/g;
const opensNothing = /^(type\s|(isIP|isIPv4|isIPv6|BlockList|Server|createServer)$)/;
const clientLibrary = /^(@octokit\/rest|@ai-sdk\/(anthropic|openai-compatible)|undici|openid-client)$/;
/** Each connects through lib/core/outgoing, or to a server that users cannot choose. */
const connectsByPolicy = new Set([
  "lib/audit/forward-sinks.ts",
  "lib/worker/builtins/probe_dns.ts",
  "lib/worker/builtins/probe_http.ts",
  "lib/agent/playground/open-model.ts",
  "lib/catalog/github/create-api.ts",
  // The worker's connection to its server, the proxy of runs, and pipes to a child process.
  "lib/worker/connect-server.ts",
  "lib/worker/sandbox/host-proxy.ts",
  "lib/worker/access/server-address.ts",
  "lib/worker/launch/preforked-process.ts",
  // Only answers, in a network namespace of its own.
  "lib/worker/analysis/recorder-main.ts",
]);
/** Calls of the browser, a program for clients as text, and patterns of the scan. */
const onlySaysFetch = /^lib\/(client\/|agent\/claude-code-hook\.ts$|review\/rules\/)/;

const rules = [
  {
    covers: (file) =>
      /^(lib|app)\/.*\.tsx?$/.test(file) &&
      !/\.test\.tsx?$|\/testing\/|^lib\/testing\/|^lib\/core\/outgoing\//.test(file),
    problem: (content, file) =>
      connectionsIn(content, file).map(
        (what) => `${what}. Comply: connect by lib/core/outgoing, which checks every address.`,
      ),
  },
  {
    covers: (file) => file.split("/").some((part) => vagueName.test(part.split(".")[0])),
    problem: () => ["name says nothing. Comply: name the file after its main export, the folder after its noun."],
  },
  {
    covers: (file) => /(^|\/)index\.[cm]?[jt]sx?$/.test(file),
    problem: () => ["is a barrel. Comply: import the file itself."],
  },
  {
    covers: (file) => /\.[cm]?[jt]sx?$/.test(file),
    problem: (content) =>
      /^export\s+(type\s+)?(\*|\{[^}]*\})\s*(as\s+\w+\s*)?from\b/m.test(content)
        ? ["re-exports another file. Comply: let importers name the file that declares it."]
        : [],
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

/** Problems of one file, each with how to comply. */
export function findHouseProblems(file, content) {
  return rules
    .filter((rule) => rule.covers(file))
    .flatMap((rule) => rule.problem(content, file).map((problem) => `${file} ${problem}`));
}

export function checkHouseRules(root) {
  return folders.flatMap((folder) =>
    listSources(root, folder).flatMap((file) => findHouseProblems(file, readFileSync(path.join(root, file), "utf8"))),
  );
}

function connectionsIn(content, file) {
  if (connectsByPolicy.has(file)) return [];
  const calls =
    !onlySaysFetch.test(file) && /(?<![\w$.]|function )fetch\s*\(|(globalThis|window|self)\.fetch\b/.test(content);
  const modules = [...content.matchAll(networkModule)].filter(
    ([, type, names]) => !type && !namesIn(names).every((name) => opensNothing.test(name)),
  );
  const libraries = importsOf(content).filter((name) => clientLibrary.test(name));
  return [
    ...(calls ? ["calls fetch"] : []),
    ...modules.map(([, , names, name]) => `imports ${namesIn(names).join(", ")} from node:${name}`),
    ...libraries.map((name) => `imports ${name}`),
  ];
}

function namesIn(names) {
  return names
    .replace(/[{}]/g, " ")
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

function importsOf(content) {
  return [...content.matchAll(importedModule)].map(([, name]) => name);
}

/** Code files below a folder, by path from the root, without generated ones. */
export function listSources(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "generated" ? [] : listSources(root, file);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [file] : [];
  });
}
