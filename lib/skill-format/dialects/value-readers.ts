import { isMapping } from "@/lib/skill-format/json-values";
import { readFlow } from "../frontmatter/read-flow";
import {
  type Activation,
  type AgentInterface,
  type CredentialSlot,
  type DeclaredTool,
  type InstallEntry,
  skillClassOf,
} from "../schema";
import type { DialectField, Note, Reading, WrittenValue } from "./dialect";
import { GSV_CAPABILITIES } from "./tables";
import { findTool, NO_TOOL, parseAllowedTools, parseToolPattern } from "./tools";

const SKIP: Reading = { skip: true };
const WRONG: Reading = { wrong: true };

export const READERS: { [K in DialectField["kind"]]: (written: WrittenValue) => Reading } = {
  text: ({ value, text }) => orWrong(text ?? textOf(value)),
  prose: readProse,
  textOrJson: ({ value, text }) => ({ value: text ?? textOf(value) ?? JSON.stringify(value) }),
  hint: ({ value, text, source }) => orWrong(text ?? source ?? (Array.isArray(value) ? `[${value.join(", ")}]` : null)),
  flag: ({ value }) => orWrong(readFlag(value)),
  not: ({ value }) => orWrong(readFlag(value) === null ? null : !readFlag(value)),
  // Other values of `context` belong to other programs.
  isFork: ({ value }) => (value === "fork" ? { value: true } : SKIP),
  texts: readTextList,
  words: ({ value }) => orWrong(typeof value === "string" ? value.split(/[\s,]+/).filter(Boolean) : readTexts(value)),
  tools: readTools,
  deniedTools: readDeniedTools,
  maybeTools: readMaybeTools,
  map: ({ value }) => (isMapping(value) ? { value } : WRONG),
  mapOnly: ({ value }) => (isMapping(value) ? { value } : SKIP),
  class: ({ value, text }) => readWord(text ?? value, skillClassOf, "class_invalid", "safe, mutating or dangerous"),
  scope: ({ value, text }) => readWord(text ?? value, scopeOf, "scope_unknown", "manager or host"),
  activation: ({ value }) => readActivation(value),
  install: ({ value }) => readInstall(value),
  declaredTools: ({ value }) => readDeclaredTools(value),
  interface: ({ value }) => (isMapping(value) ? { value: readInterface(value) } : WRONG),
  requirement: ({ value }) => orWrong(readNames(value)),
  environment: ({ value }) => orWrong(readNames(value)),
  operatingSystems: ({ value }) => readOperatingSystems(value),
  capabilities: ({ value }) => readCapabilities(value),
  credentials: ({ value }) => orWrong(readCredentials(value)),
  requirementMap: ({ value }) => readRequirementMap(value),
  looseRequirementMap: ({ value }) => readLooseRequirementMap(value),
  capabilityList: readCapabilityList,
};

export function expectedOf(kind: DialectField["kind"]): string {
  return EXPECTED[kind] ?? "a text";
}

const EXPECTED: Partial<Record<DialectField["kind"], string>> = {
  ...{ flag: "true or false", not: "true or false", texts: "a list of texts", words: "a list of texts" },
  ...{ map: "a mapping", interface: "a mapping", install: "a list of installation methods" },
  ...{ requirementMap: "a mapping", looseRequirementMap: "a mapping" },
  ...{ requirement: "a list of names", environment: "a list of names", activation: "a mapping with a mode" },
  ...{
    capabilityList: "a list of capability ids",
    capabilities: "a list of capability ids",
    credentials: "a list of credential slots",
  },
};

function orWrong(value: unknown): Reading {
  return value === null || value === undefined ? WRONG : { value };
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const items = Array.isArray(value) && value.length > 0 ? value : [null];
  return items.every((item) => typeof item === "string") ? items.join(", ") : null;
}

/** YAML reads `#` after a space as a comment, which cuts `posts to #general`. */
function readProse({ value, text, comment }: WrittenValue): Reading {
  const plain = (text ?? textOf(value))?.trim() ?? (value === null || value === undefined ? "" : null);
  if (plain === null) return WRONG;
  const isCut = comment !== undefined && (plain === "" || /^#[^\s#]/.test(comment));
  if (!isCut) return { value: plain };
  const whole = plain === "" ? comment.replace(/^#+\s*/, "").trim() : `${plain} ${comment.trim()}`;
  const message = `YAML ends this text at " #". The rest of the line was added: ${comment.trim().slice(0, 80)}`;
  return { value: whole, note: { code: "comment_restored", severity: "warning", message } };
}

export function readFlag(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return null;
  if (/^(true|yes|on)$/i.test(value)) return true;
  return /^(false|no|off)$/i.test(value) ? false : null;
}

export const JSON_REPAIRED: Note = {
  code: "repaired_json",
  severity: "warning",
  message: "Its JSON is incomplete or invalid. Missing brackets were added.",
};

function readTextList({ value }: WrittenValue): Reading {
  const list = readTexts(value);
  if (list === null) return WRONG;
  return { value: list, ...noteOfRepair(value) };
}

function noteOfRepair(value: unknown): { note?: Note } {
  return typeof value === "string" && readFlow(value)?.isRepaired === true ? { note: JSON_REPAIRED } : {};
}

export function readTexts(value: unknown): string[] | null {
  if (typeof value === "string") {
    const flow = readFlow(value)?.value;
    if (Array.isArray(flow)) return readList(flow);
  }
  return readList(value);
}

export function readList(value: unknown): string[] | null {
  if (typeof value === "string") return splitAtCommas(value);
  if (!Array.isArray(value)) return null;
  const items = value.map((item: unknown) => (typeof item === "number" ? String(item) : item));
  return items.every((item) => typeof item === "string") ? items : null;
}

function splitAtCommas(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

function readWord(value: unknown, read: (word: string) => unknown, code: string, allowed: string): Reading {
  const word = textOf(value);
  if (word === null) return WRONG;
  const meaning = read(word);
  if (meaning !== null) return { value: meaning };
  const what = code === "class_invalid" ? "class" : "scope";
  return { wrong: true, note: { code, severity: "warning", message: `The ${what} "${word}" must be ${allowed}.` } };
}

function scopeOf(word: string): "host" | "manager" | null {
  if (word === "host" || word === "edge") return "host";
  return word === "manager" ? "manager" : null;
}

function readNames(value: unknown): string[] | null {
  if (typeof value === "string") return readNames([value]);
  if (isMapping(value)) return readNames(Object.keys(value));
  if (!Array.isArray(value)) return null;
  const needed = value.filter((item) => !isMapping(item) || item.required !== false);
  const names = needed.map((item: unknown) => (isMapping(item) ? (item.name ?? item.key ?? item.bin) : item));
  const isName = (name: unknown) => typeof name === "string" && name.trim() !== "";
  return names.every(isName) ? names.map((name) => String(name).trim()) : null;
}

const SYSTEMS: Record<string, string> = {
  ...{ macos: "macos", darwin: "macos", osx: "macos", mac: "macos", linux: "linux", windows: "windows" },
  ...{ win32: "windows", win: "windows", freebsd: "freebsd", android: "android", ios: "ios", termux: "termux" },
};

/** Canonical name of an operating system; others in lower case. */
export function systemNameOf(word: string): string {
  const lower = word.trim().toLowerCase();
  return Object.hasOwn(SYSTEMS, lower) ? (SYSTEMS[lower] ?? lower) : lower;
}

/** Other programs list social networks or agents in `platforms`, so every entry must be an operating system. */
function readOperatingSystems(value: unknown): Reading {
  const names = readTexts(value);
  const isKnown = names?.every((name) => Object.hasOwn(SYSTEMS, name.trim().toLowerCase()));
  return names !== null && names.length > 0 && isKnown ? { value: names, ...noteOfRepair(value) } : SKIP;
}

/** Keeps unknown ids, so that they can be reported. */
function readCapabilities(value: unknown): Reading {
  const names = Array.isArray(value) ? readNames(value) : null;
  if (names === null) return WRONG;
  const unknown = names.filter((name) => !GSV_CAPABILITIES.has(name));
  return { value: names, ...(unknown.length > 0 && { note: notKnown("capability", unknown) }) };
}

/** Keys of a requirements mapping, in all dialects. */
const REQUIREMENTS = new Set(["bins", "anyBins", "env", "os", "config", "capabilities", "credentials"]);

const LETTERS = new Set([...REQUIREMENTS, "commands", "envvars"].map((name) => name.toLowerCase()));

/** Of the names without a row, only misspelt requirements count. */
function readLooseRequirementMap(value: unknown): Reading {
  if (!isMapping(value)) return isEmptyList(value) ? SKIP : WRONG;
  const isRead = (key: string) => REQUIREMENTS.has(key) || key === "commands" || key === "env_vars";
  const near = Object.keys(value).filter(
    (key) => !isRead(key) && LETTERS.has((key.split(".", 1)[0] ?? "").toLowerCase().replace(/[\s_-]/g, "")),
  );
  return near.length === 0 ? SKIP : { value: near, note: notKnown("requirement", near) };
}

/** A list of ids; a string without one may be a broken list. */
function readCapabilityList(written: WrittenValue): Reading {
  const { value } = written;
  if (typeof value === "string" && !Array.isArray(readFlow(value)?.value)) return WRONG;
  return readTextList(written);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function readRequirementMap(value: unknown): Reading {
  if (!isMapping(value)) return isEmptyList(value) ? SKIP : WRONG;
  const isRead = (key: string) => REQUIREMENTS.has(key) || /^optional/i.test(key) || isSkillList(key, value[key]);
  const unknown = Object.keys(value).filter((key) => !isRead(key));
  return unknown.length === 0 ? SKIP : { value: unknown, note: notKnown("requirement", unknown) };
}

/** Names of other skills, which the catalog installs together (`dependencyNames`); no worker has to meet them. */
function isSkillList(key: string, value: unknown): boolean {
  return key === "skills" && (typeof value === "string" || readTexts(value) !== null);
}

function notKnown(what: "capability" | "requirement", names: string[]): Note {
  const listed = names.map((name) => `"${name}"`).join(", ");
  const message = `Unknown ${what}: ${listed}. The skill is not eligible.`;
  return { code: "requirements_invalid", severity: "warning", message };
}

function readCredentials(value: unknown): CredentialSlot[] | null {
  if (!Array.isArray(value)) return null;
  const slots = value.map((item: unknown) => {
    if (typeof item === "string" && item.trim() !== "") return { slot: item.trim(), label: null, fields: [] };
    if (!isMapping(item) || typeof item.slot !== "string") return null;
    return { slot: item.slot, label: textOf(item.label), fields: readNames(item.fields ?? []) ?? [] };
  });
  return slots.every((slot) => slot !== null) ? slots : null;
}

function readInstall(value: unknown): Reading {
  const entries = (Array.isArray(value) ? value : [value]).map(readInstallEntry);
  return entries.every((entry) => entry !== null) ? { value: entries } : WRONG;
}

function readInstallEntry(entry: unknown): InstallEntry | null {
  if (typeof entry === "string") return { kind: "command", id: null, label: null, bins: [], target: entry };
  if (!isMapping(entry) || typeof (entry.kind ?? entry.type) !== "string") return null;
  const target = ["formula", "package", "module", "url", "command", "cask"].map((key) => textOf(entry[key]));
  return {
    kind: String(entry.kind ?? entry.type),
    id: textOf(entry.id),
    label: textOf(entry.label),
    bins: readNames(entry.bins ?? []) ?? [],
    target: target.find((text) => text !== null) ?? null,
  };
}

function readInterface(value: Record<string, unknown>): AgentInterface {
  return {
    displayName: textOf(value.display_name),
    shortDescription: textOf(value.short_description),
    defaultPrompt: textOf(value.default_prompt),
    brandColor: textOf(value.brand_color),
    iconSmall: textOf(value.icon_small),
    iconLarge: textOf(value.icon_large),
  };
}

/** `activation: {mode, keywords}`. An unknown mode must not become `always`: no keyword activates the skill. */
function readActivation(value: unknown): Reading {
  const { mode, keywords } = isMapping(value) ? value : { mode: value, keywords: undefined };
  const list = typeof keywords === "string" ? keywords.split(",") : keywords;
  const words = Array.isArray(list) ? list.map((word) => String(word).trim()).filter((word) => word !== "") : [];
  const known = mode ?? (words.length > 0 ? "keyword" : "always");
  if (known === "always") return { value: { mode: "always", keywords: [] } satisfies Activation };
  if (known === "keyword") return { value: { mode: "keyword", keywords: words } satisfies Activation };
  const message = `The activation mode ${JSON.stringify(mode).slice(0, 80)} is neither always nor keyword. The skill is never activated by keyword.`;
  const never: Activation = { mode: "keyword", keywords: [] };
  return { value: never, note: { code: "activation_unknown", severity: "warning", message } };
}

function readTools({ value }: WrittenValue): Reading {
  const patterns = parseAllowedTools(value) ?? [];
  if (isToolList(value) && (patterns.length > 0 || isEmptyTools(value))) return { value: patterns };
  const note = toolsUnreadable("the unreadable part allows no tool");
  return { value: patterns.length === 0 ? [NO_TOOL] : patterns, note };
}

/** One unreadable pattern spoils the list, because it might deny any tool. */
function readDeniedTools({ value }: WrittenValue): Reading {
  // YAML reads `Bash(rm: *)` as a mapping; it means `Bash(rm:*)`.
  const patterns = (parseAllowedTools(value) ?? []).map((pattern) => pattern.replace(/:\s+\*\)$/, ":*)"));
  const isWhole = isToolList(value) && (patterns.length > 0 || isEmptyTools(value));
  if (isWhole && patterns.every(isDeniedPattern)) return { value: patterns };
  return { value: ["*"], note: toolsUnreadable("every tool is denied") };
}

function isDeniedPattern(pattern: string): boolean {
  const { tool, specifier } = parseToolPattern(pattern);
  if (/^(?:all|any|every|everything)$/i.test(tool)) return false;
  if (!/^(?:\*|[A-Za-z][\w-]*|mcp__[\w.*:@/-]+)$/.test(tool)) return false;
  let depth = 0;
  for (const char of specifier ?? "") {
    depth += char === "(" ? 1 : char === ")" ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function isToolList(value: unknown): boolean {
  if (typeof value === "string") return true;
  return Array.isArray(value) && value.every((item) => parseAllowedTools([item])?.length === 1);
}

function isEmptyTools(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : typeof value === "string" && value.trim() === "";
}

function toolsUnreadable(effect: string): Note {
  const message = `The list of tools must be names in a text or a list; ${effect}.`;
  return { code: "tools_unreadable", severity: "warning", message };
}

function readMaybeTools({ value }: WrittenValue): Reading {
  const patterns = typeof value === "string" || Array.isArray(value) ? (parseAllowedTools(value) ?? []) : [];
  if (!patterns.some((pattern) => findTool(parseToolPattern(pattern).tool) !== null)) return { skip: true };
  const message = '"tools" is read as "allowed-tools". Most agents do not know this field.';
  return { value: patterns, note: { code: "tools_synonym", severity: "info", message } };
}

/** `tools: [{name, impl, class, …}]`. Lists of names belong to other programs. An unknown class counts as dangerous. */
function readDeclaredTools(value: unknown): Reading {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isDeclared)) return { skip: true };
  const unknown = value.filter((tool) => classOf(tool.class) === null).map((tool) => tool.name);
  const tools = value.map(readDeclaredTool);
  if (unknown.length === 0) return { value: tools };
  const message = `The class of ${unknown.join(", ").slice(0, 80)} is unknown and counts as dangerous.`;
  return { value: tools, note: { code: "tool_class_unknown", severity: "warning", message } };
}

type RawTool = Record<string, unknown> & { name: string };

function isDeclared(tool: unknown): tool is RawTool {
  return (
    isMapping(tool) && typeof tool.name === "string" && ["impl", "class", "description"].some((key) => key in tool)
  );
}

function readDeclaredTool(tool: RawTool): DeclaredTool {
  const text = (key: string) => (typeof tool[key] === "string" ? tool[key] : null);
  return {
    name: tool.name,
    impl: text("impl"),
    class: classOf(tool.class) ?? "dangerous",
    description: text("description"),
    whenToUse: text("when_to_use"),
    confirmation: text("confirmation"),
    timeoutSeconds: typeof tool.timeout_seconds === "number" ? tool.timeout_seconds : null,
  };
}

function classOf(word: unknown): DeclaredTool["class"] | null {
  if (word === undefined || word === null || word === "") return "safe";
  return typeof word === "string" ? skillClassOf(word) : null;
}
