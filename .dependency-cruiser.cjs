/**
 * The import direction. A module of lib imports itself and the modules to its left in this list. docs/architecture.md
 * repeats the list.
 */
const modules = [
  "core",
  "skill-format",
  "policy",
  "db",
  "audit",
  "auth",
  "settings",
  "skills",
  "review",
  "catalog",
  "runner",
  "agent",
  "distribution",
  "backup",
  "jobs",
  "http",
];

/** Folders of lib outside the order; each has its own rule below. */
const besideTheModules = ["client", "worker", "testing"];

const tests = "[.]test[.](tsx?|mjs)$|(^|/)testing/";
const wireSchema = "^lib/worker/protocol[.]ts$";
const anySchema = "^lib/.+/schema[.]ts$";
const escapePath = (path) => path.replace(/[.[\]()]/g, "[$&]");
const anyOf = (names) => `(${names.join("|")})`;

/** Other modules import only the files in `open` of a module.json. Tests, benches and journeys may import any file. */
const openRules = [...modules, "client", "worker"].map((module) => {
  const { open } = require(`./lib/${module}/module.json`);
  return {
    name: `open-${module}`,
    comment: `Other modules import only the files of lib/${module} that lib/${module}/module.json lists. Comply: import a listed file, or add the file to the list when others should depend on it.`,
    severity: "error",
    from: { pathNot: [`^lib/${module}/`, tests, "^(bench|e2e)/", "^lib/testing/"] },
    to: { path: `^lib/${module}/`, pathNot: [`^lib/${module}/${anyOf(open.map(escapePath))}$`, "module[.]json$"] },
  };
});

const moduleRules = modules.map((module, position) => ({
  name: `module-${module}`,
  comment:
    `lib/${module} imports lib/${anyOf(modules.slice(0, position + 1))} and lib/worker/protocol only. ` +
    "Comply: move the shared part into the leftmost module that owns its noun, or call this module from the one to the right.",
  severity: "error",
  from: { path: `^lib/${module}/`, pathNot: tests },
  to: { path: "^lib/", pathNot: [`^lib/${anyOf(modules.slice(0, position + 1))}/`, wireSchema, "^lib/testing/"] },
}));

module.exports = {
  forbidden: [
    ...moduleRules,
    ...openRules,
    {
      name: "module-is-listed",
      comment:
        "A folder of lib has a place in the order. Comply: put the files into an existing module, or add the module to .dependency-cruiser.cjs and docs/architecture.md.",
      severity: "error",
      from: {},
      to: { path: "^lib/[^/]+/", pathNot: `^lib/${anyOf([...modules, ...besideTheModules])}/` },
    },
    {
      name: "worker-stands-alone",
      comment:
        "The worker is a separate program without database or server code. Comply: query the server over the protocol, or move pure code to core, skill-format or policy.",
      severity: "error",
      from: { path: "^lib/worker/", pathNot: tests },
      to: { path: "^lib/", pathNot: ["^lib/(core|skill-format|policy|worker)/", "^lib/testing/"] },
    },
    {
      name: "worker-shows-its-protocol",
      comment:
        "The server knows only the protocol of the worker. Comply: import lib/worker/protocol.ts; move other shared code to core, skill-format or policy.",
      severity: "error",
      from: { pathNot: ["^lib/worker/", tests, "^(bench|e2e)/"] },
      to: { path: "^lib/worker/", pathNot: wireSchema },
    },
    {
      name: "browser-code-is-apart",
      comment:
        "lib/client and components reach the server over HTTP. Comply: import lib/client, lib/skill-format, a schema.ts, lib/core/errors, lib/core/field-errors or the pure lib/policy/match-skill-lists, plain-sandbox and worker-allowance; pages pass other data as props.",
      severity: "error",
      from: { path: "^(lib/client|components)/", pathNot: tests },
      to: {
        path: "^lib/",
        pathNot: [
          "^lib/(client|skill-format)/",
          anySchema,
          "^lib/core/(errors|field-errors)[.]ts$",
          "^lib/policy/(match-skill-lists|plain-sandbox|worker-allowance)[.]ts$",
          wireSchema,
          "^lib/testing/",
        ],
      },
    },
    {
      name: "schemas-are-light",
      comment:
        "The browser loads schema.ts files, so they import no server code. Comply: import zod, other schema.ts files, lib/skill-format, lib/policy or lib/core only; other code belongs in a verb.",
      severity: "error",
      from: { path: anySchema },
      to: { path: "^lib/", pathNot: ["^lib/(core|skill-format|policy)/", anySchema, wireSchema] },
    },
    {
      name: "client-is-for-browsers",
      comment: "Server code calls verbs, not its own HTTP API. Comply: call the verb of the module.",
      severity: "error",
      from: { path: "^lib/", pathNot: ["^lib/client/", tests] },
      to: { path: "^lib/client/" },
    },
    {
      name: "lib-below-app",
      comment: "lib does not depend on pages. Comply: pass values as arguments, or move the code into lib.",
      severity: "error",
      from: { path: "^lib/" },
      to: { path: "^(app|components)/" },
    },
    {
      name: "components-below-app",
      comment: "Pages compose components, not the reverse. Comply: move shared code into components.",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^app/" },
    },
    {
      name: "testing-in-tests-only",
      comment:
        "Factories and fakes are not part of the product. Comply: import lib/testing and a module's own testing folder from tests, e2e and bench only.",
      severity: "error",
      from: { pathNot: [tests, "^(e2e|bench)/", "^vitest[.]config[.]ts$"] },
      to: { path: "(^|/)testing/" },
    },
    {
      name: "framework-at-the-edge",
      comment:
        "Verbs run without Next: in tests, scripts and jobs. Comply: read cookies, headers and sessions in lib/http, lib/auth or app and pass values on.",
      severity: "error",
      from: {
        pathNot: ["^lib/(http|auth)/", "^(app|components|bin)/", "^(proxy|instrumentation)[.]tsx?$", "^next", tests],
      },
      to: { path: "(^|/)node_modules/(next|next-auth)/|^(next|next-auth)(/|$)" },
    },
    {
      name: "no-cycles",
      comment: "Files that import each other form a cycle. Comply: move the part that both need into a third file.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolved",
      comment: "The import cannot be resolved. Comply: correct the path, or install the package.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^lib/db/(postgres/)?generated/|[.]css$" },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^lib/db/(postgres/)?generated/"] },
    exclude: { path: "(^|/)fixtures/|^(lib/db/(postgres/)?|app/api/)generated/" },
    tsConfig: { fileName: "tsconfig.json" },
    // Type imports count as dependencies.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};
