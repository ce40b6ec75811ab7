import { NO_TOOL } from "@/lib/skill-format/dialects/tools";
import type { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { executablesOf, isShownByManifest } from "@/lib/skill-format/executables";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { Grants } from "./grants/schema";
import { DEFAULT_TIMEOUT_SECONDS } from "./grants/settle-grants";
import { HARMLESS_ENV, isNamedEnv } from "./worker-allowance";

export type ExtraPermission = {
  /** A noun phrase: “the path /data (read)”. */
  what: string;
  /** Granted by the decision, or only requested by the files. */
  from: "decision" | "files";
};

type Rules<T> = { [K in keyof T]-?: ((value: NonNullable<T[K]>) => string[]) | null };

const each = (values: readonly string[], name: (value: string) => string): string[] => values.map(name);
const tool = (pattern: string) => `the tool ${pattern}`;
const capability = (name: string) => `the capability ${name}`;
const credential = (slot: string) => `a credential for the slot ${slot}`;
const unusualEnv = (names: readonly string[]) =>
  each(
    names.filter((name) => !isNamedEnv(name, HARMLESS_ENV)),
    (name) => `the environment variable ${name}`,
  );
const longTime = (seconds: number) =>
  seconds > DEFAULT_TIMEOUT_SECONDS
    ? [`a time limit of ${seconds} s (${DEFAULT_TIMEOUT_SECONDS} s is the default)`]
    : [];

/** Extra permissions by grant. The compiler demands a rule for every grant. */
const GIVEN: Rules<Grants> = {
  network: (network) =>
    network === true ? ["the network"] : network === false ? [] : each(network, (host) => `the host ${host}`),
  scripts: (scripts) => (scripts ? ["running its scripts"] : []),
  tools: (tools) => each(tools, tool),
  env: unusualEnv,
  paths: (paths) => paths.map(({ path, mode }) => `the path ${path} (${mode === "rw" ? "read and write" : "read"})`),
  namespaces: (names) => each(names, (name) => `the host’s ${name === "network" ? "net" : name} namespace`),
  capabilities: (names) => each(names, capability),
  // By slot: only reviewers may see the names of stored credentials.
  credentials: (credentials) => credentials.map(({ slot }) => credential(slot)),
  workspace: (workspace) => (workspace ? ["a workspace"] : []),
  timeoutSeconds: longTime,
};

/** Extra permissions by manifest field; null for fields that request nothing. The compiler demands an entry for a new field. */
const ASKED: Rules<SkillManifest> = {
  allowedTools: (patterns) =>
    each(
      patterns.filter((pattern) => pattern !== NO_TOOL),
      tool,
    ),
  envAllow: unusualEnv,
  timeoutSeconds: longTime,
  hooks: () => ["its hooks"],
  inlineCommands: (commands) => (commands.length > 0 ? ["inline commands"] : []),
  body: (body) => (/(^|\s)!`[^`]+`|```!/.test(body) ? ["inline commands"] : []),
  meta: (meta) => (meta.hooks === undefined ? [] : ["its hooks"]),
  requiredCapabilities: (names) => each(names, capability),
  requirements: ({ env, capabilities, credentials }) => [
    ...unusualEnv(env),
    ...each(capabilities, capability),
    ...credentials.map(({ slot }) => credential(slot)),
  ],
  tools: (tools) => tools.map(({ name }) => tool(name)),
  kind: null,
  name: null,
  slug: null,
  toolName: null,
  label: null,
  description: null,
  whenToUse: null,
  declaredClass: null,
  scope: null,
  category: null,
  resultPreview: null,
  schema: null,
  author: null,
  version: null,
  license: null,
  compatibility: null,
  homepage: null,
  always: null,
  tags: null,
  requires: null,
  depends: null,
  userInvocable: null,
  disableModelInvocation: null,
  contextFork: null,
  entry: null,
  disallowedTools: null,
  argumentHint: null,
  arguments: null,
  agent: null,
  model: null,
  effort: null,
  shell: null,
  paths: null,
  activation: null,
  // Displayed to people, never executed.
  install: null,
  emoji: null,
  // Each step runs a skill with its own approval.
  steps: null,
  overlay: null,
  interface: null,
  signature: null,
  // Checked together with the files.
  carries: null,
};

/** Granted permissions first, then those that only the files request. Empty when the owner may approve alone. */
export function extraPermissions(
  manifest: SkillManifest,
  {
    grants,
    entry,
    files,
  }: { grants: Grants; entry: ScriptEntry | null; files: readonly { path: string; mode: string }[] },
): ExtraPermission[] {
  // A pipeline's own run executes nothing; the approval of each step sets its time limit.
  const timed = manifest.kind === "pipeline" ? withoutTime(grants, manifest) : { grants, manifest };
  const given = [...applied(GIVEN, timed.grants), ...(entry === null ? [] : ["an entry other than its manifest’s"])];
  const carried = executablesOf(manifest, files)
    .filter((item) => !isShownByManifest(item, manifest))
    .map(({ path, what }) => `${what} (${path})`);
  const asked = [...applied(ASKED, timed.manifest), ...carried].filter((what) => !given.includes(what));
  return [
    ...[...new Set(given)].map((what): ExtraPermission => ({ what, from: "decision" })),
    ...[...new Set(asked)].map((what): ExtraPermission => ({ what, from: "files" })),
  ];
}

function withoutTime({ timeoutSeconds: _given, ...grants }: Grants, manifest: SkillManifest) {
  return { grants, manifest: { ...manifest, timeoutSeconds: null } };
}

function applied<T extends object>(rules: Rules<T>, values: T): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    const rule = (rules as Record<string, ((value: unknown) => string[]) | null | undefined>)[key];
    if (rule === undefined) return [`the grant ${key}`];
    return rule === null ? [] : rule(value);
  });
}

const MOST_NAMED = 6;

/** As the end of a sentence: “it gets the network, and its files ask for the tool Bash”. Empty for none. */
export function describeExtraPermissions(beyond: readonly ExtraPermission[]): string {
  const named = (from: ExtraPermission["from"]) => beyond.filter((item) => item.from === from).map(({ what }) => what);
  const [gets, asks] = [named("decision"), named("files")];
  return [
    ...(gets.length > 0 ? [`it gets ${inWords(gets)}`] : []),
    ...(asks.length > 0 ? [`its files ask for ${inWords(asks)}`] : []),
  ].join(", and ");
}

function inWords(all: string[]): string {
  const named = all.length > MOST_NAMED ? [...all.slice(0, MOST_NAMED), `${all.length - MOST_NAMED} more`] : all;
  return named.length === 1 ? (named[0] ?? "") : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}
