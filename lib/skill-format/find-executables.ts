import type { SkillFile } from "./archive/skill-file";
import { changesThings, parseAllowedTools } from "./dialects/tools";
import { executableByPath } from "./executables";
import { parseFrontmatter } from "./frontmatter/parse-frontmatter";
import { splitFrontmatter } from "./frontmatter/split-frontmatter";
import { isMapping, parseJson } from "./json-values";
import type { Executable } from "./schema";

const PLUGIN = /(^|\/)plugin\.json$/i;
const SETTINGS = /(^|\/)settings(\.local)?\.json$/i;
const PACKAGE = /(^|\/)package\.json$/i;
const CLIENT_TEXT = /(^|\/)(commands|agents)\/.*\.(md|mdx|markdown)$/i;
const MARKER = /(^|\/)skill\.md$/i;
const COMMAND_TOML = /(^|\/)commands\/.*\.toml$/i;

/** A plugin's metadata; all other keys name commands, or files with commands. */
const PLUGIN_METADATA_KEYS = new Set([
  ...["$schema", "name", "displayname", "version", "description", "author", "homepage", "repository", "license"],
  ...["keywords", "tags", "category", "skills"],
]);
const NPM_HOOK = /^(?:pre|post)?(?:install|prepare|prepublish)$|^dependencies$/;
/** Keys with commands for clients or hosts; letter case and hyphens are ignored. */
const COMMAND_KEYS = new Set([
  ...["hooks", "mcpservers", "lspservers", "monitors", "statusline", "subagentstatusline"],
  ...["commanddispatch", "commandtool", "apikeyhelper"],
]);
const COMMAND_KEY_LINE =
  /^[ \t{,"'?-]*(hooks|mcp[-_]?servers|lsp[-_]?servers|monitors|command[-_]?dispatch|command[-_]?tool|<<)["']?\s*:/im;

/** Cheap test: text without a match has none of these keys in its frontmatter. */
const KEY_HINT = /(?:hooks|servers|monitors|line|dispatch|tools?|helper)["'\s]*:|<<|\\[xuU]/i;

const MAX_EXECUTABLES = 100;
const MAX_DEPTH = 12;

/**
 * Every file that a client or host executes, by path and content: `client` for execution without asking when the folder
 * is loaded, a plugin or a project; `hand` for scripts and programs. At most 100.
 */
export function findExecutables(files: readonly SkillFile[]): Executable[] {
  return files.flatMap((file) => executableByContent(file) ?? executableByPath(file) ?? []).slice(0, MAX_EXECUTABLES);
}

function executableByContent(file: SkillFile): Executable | null {
  const { path, bytes } = file;
  const client = (what: string | null): Executable | null => (what === null ? null : { path, by: "client", what });
  if (PLUGIN.test(path) || SETTINGS.test(path) || PACKAGE.test(path)) return client(describeJson(file));
  if (CLIENT_TEXT.test(path) || MARKER.test(path)) {
    const found = client(describeText(file, { isMarker: MARKER.test(path) }));
    if (found !== null) return found;
  }
  if (COMMAND_TOML.test(path) && textOf(bytes).includes("!{")) return client("inline commands");
  return isProgram(bytes) ? { path, by: "hand", what: "a script or program" } : null;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** By magic bytes: `#!`, ELF, Windows, Mach-O, Java, WebAssembly. */
function isProgram(bytes: Uint8Array): boolean {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(start, start + 4);
  if (a === 0x23 && b === 0x21) return true;
  // Text may begin with MZ, but only programs have a NUL after it.
  if (a === 0x4d && b === 0x5a) return bytes.subarray(0, 64).includes(0);
  return MAGIC.has(((a << 24) | (b << 16) | (c << 8) | d) >>> 0);
}

const MAGIC = new Set([0x7f454c46, 0x0061736d, 0xcafebabe, 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe]);

function describeJson({ path, bytes }: SkillFile): string | null {
  if (bytes.byteLength === 0) return null;
  const value = parseJson(textOf(bytes));
  // Clients accept JSON with comments, so an unreadable file may contain commands.
  if (!isMapping(value)) return "settings that cannot be read";
  if (PACKAGE.test(path)) {
    const scripts = isMapping(value.scripts) ? Object.keys(value.scripts) : [];
    const hook = scripts.find((name) => NPM_HOOK.test(name));
    return hook === undefined ? null : `the install script ${hook}`;
  }
  const key = Object.keys(value).find((name) =>
    PLUGIN.test(path)
      ? !PLUGIN_METADATA_KEYS.has(name.toLowerCase())
      : COMMAND_KEYS.has(foldKey(name)) || name === "agent",
  );
  return key === undefined ? null : `${key} of a plugin`;
}

/** Finds inline commands, and frontmatter that makes a client run commands or use tools without asking. */
function describeText({ path, bytes }: SkillFile, { isMarker }: { isMarker: boolean }): string | null {
  const text = textOf(bytes);
  if (!KEY_HINT.test(text))
    return findInlineCommands(splitFrontmatter(text).body).length > 0 ? "inline commands" : null;
  const { mapping, body, stage } = parseFrontmatter(text, path);
  if (findInlineCommands(body).length > 0) return "inline commands";
  const key = mapping === null ? null : findCommandKey(mapping.values, 0);
  if (key !== null) return `“${key}” in its frontmatter`;
  const head = text.slice(0, text.length - body.length);
  const written = stage === "strict" ? null : COMMAND_KEY_LINE.exec(head)?.[1];
  if (written) return `“${written}” in its frontmatter`;
  const granted = mapping === null ? undefined : findGranted(mapping.values, isMarker);
  return granted === undefined ? null : `the tool ${granted} without asking`;
}

function foldKey(key: string): string {
  return key.trim().toLowerCase().replace(/[-_]/g, "");
}

/** The first command key at any depth; `<<` merges the values below it. */
function findCommandKey(value: unknown, depth: number): string | null {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === "string") return findInText(value);
  if (typeof value !== "object" || value === null) return null;
  for (const [key, below] of Object.entries(value)) {
    if (!Array.isArray(value) && COMMAND_KEYS.has(foldKey(key)) && below !== null && below !== false) return key;
    const found = findCommandKey(below, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function findInText(value: string): string | null {
  if (!/^\s*\{/.test(value)) return null;
  const keys = [...value.matchAll(/["'{,\s]([a-z][a-z_-]*)["']?\s*:/gi)].map(([, key = ""]) => key);
  return keys.find((key) => COMMAND_KEYS.has(foldKey(key))) ?? null;
}

function findGranted(values: Record<string, unknown>, isMarker: boolean): string | undefined {
  const merged = [values["<<"] ?? []].flat().filter(isMapping);
  return [values, ...merged]
    .flatMap((mapping) => Object.entries(mapping))
    .filter(([key]) => foldKey(key) === "allowedtools" || (!isMarker && foldKey(key) === "tools"))
    .flatMap(([, value]) => parseAllowedTools(value) ?? [])
    .find(changesThings);
}

const MAX_COMMANDS = 100;

/**
 * Shell commands that Claude Code runs while it loads a playbook: `` !`command` `` after a space or at a line start,
 * and the text between `` ```! `` and the next fence. Both may span lines, as in Claude Code's own patterns. In order,
 * at most 100.
 */
export function findInlineCommands(body: string): string[] {
  if (!body.includes("!")) return [];
  const inline = [...body.matchAll(/(?:^|\s)!`([^`]+)`/g)].map((match) => match[1] ?? "");
  const fenced = [...body.matchAll(/```!([\s\S]*?)(?:```|$)/g)].map((match) => (match[1] ?? "").trim());
  return [...inline, ...fenced].slice(0, MAX_COMMANDS);
}
