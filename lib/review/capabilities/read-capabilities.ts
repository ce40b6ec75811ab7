import { proposeClass } from "@/lib/policy/propose-class";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { NO_TOOL, parseToolPattern } from "@/lib/skill-format/dialects/tools";
import { findExecutables } from "@/lib/skill-format/find-executables";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { CapabilityGroup } from "@/lib/skills/versions/schema";
import { type Card, createCard, eachLine, type Place, placeOf, type ReadableSkill, readTexts } from "./card";

import { addFileFacts, shellLines } from "./file-facts";
import { addLoadFacts } from "./load-facts";

const NAME =
  /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?|PAT|PASSPHRASE|APIKEY|AUTH))\b/g;

const KEEPERS: [pattern: RegExp, fact: string][] = [
  [/\bsecurity\s+find-(?:generic|internet)-password\b/, "Reads passwords from the macOS keychain."],
  [/\bsecret-tool\s+lookup\b|\blibsecret\b/, "Reads passwords from the desktop’s secret service."],
  [/\bimport keyring\b|\bkeyring\.get_password\b|\bkeytar\b/, "Reads passwords from the system’s keyring."],
  [/\bGet-StoredCredential\b|\bcmdkey\b|\bvaultcmd\b/i, "Reads passwords from the Windows credential store."],
  [/\b(?:op|bw|pass|vault)\s+(?:read|get|show|kv\s+get)\b/, "Reads secrets from a password manager."],
  [/\bgh auth token\b|\bgcloud auth print-access-token\b|\baws configure get\b/, "Reads a token of a signed-in tool."],
];

const ADDRESS =
  /\b(https?|wss?|ftps?|ssh|git|sftp):\/\/(?:[^\s/@"'`<>]{1,200}@)?(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?/gi;

const GIT_REMOTE = /\bgit@([a-z0-9.-]+\.[a-z]{2,}):/gi;
const NETWORK_COMMAND = /\b(?:curl|wget|nc|ncat|ssh|scp|rsync|ping|dig|nslookup|host|telnet|openssl s_client)\b/;

const BARE_HOST =
  /(?:^|[\s"'=@])((?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|io|dev|ai|app|sh|co|me|xyz|info|cloud|site|online|ru|cn|de|uk))(?=$|[\s"'/:])/gi;

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;

const READS = [
  /\bprocess\.env\.([A-Z_][A-Z0-9_]*)/g,
  /\bprocess\.env\[\s*["'`]([A-Za-z_]\w*)/g,
  /\bos\.environ(?:\.get\(|\[)\s*["']([A-Za-z_]\w*)/g,
  /\bos\.getenv\(\s*["']([A-Za-z_]\w*)/g,
  /\bENV(?:\.fetch\(|\[)\s*["']([A-Za-z_]\w*)/g,
  /\$env:([A-Za-z_]\w*)/g,
];

const DUMP =
  /^\s*(?:printenv|env|export -p)\s*(?:$|[|>;&])|\bprocess\.env\s*[),}\]]|\bdict\(os\.environ\)|\bos\.environ\.copy\(\)/;

const SHELL = new Set(["shell.exec", "shell:execute"]);

/**
 * What a skill may do, as facts with a file and line; none is a judgement. Reads the first 256 KiB of each text file
 * and 2 MiB in all, to keep the server responsive; the scan reads everything.
 */
export function readCapabilities(files: SkillFile[], manifest: SkillManifest): CapabilityGroup[] {
  const texts = readTexts(files);
  const card = createCard();
  const skill = { files, texts, manifest };
  addToolFacts(card, skill);
  addLoadFacts(card, skill);
  addAskFacts(card, skill);
  addDeclaredFacts(card, skill);
  addEnvironmentFacts(card, skill);
  addHostFacts(card, skill);
  addFileFacts(card, skill);
  addCredentialFacts(card, skill);
  return card.groups();
}

function addDeclaredFacts(card: Card, { manifest, files, texts }: ReadableSkill): void {
  const proposal = proposeClass(manifest, files);
  const declared = manifest.declaredClass;
  card.add("class", {
    kind: "class",
    value: declared ?? `none, ${proposal.class}`,
    fact: declared
      ? `The author declares the class ${declared}.`
      : `The author declares no class; ${proposal.class} is proposed: ${proposal.reason.replace(/^not declared; /, "")}.`,
    standsOut: declared === null || declared === "dangerous",
    at: declared ? placeOf(texts, declared) : null,
  });
  if (manifest.entry !== null) {
    const shebang = texts.find(({ path }) => path === manifest.entry)?.lines[0];
    const by = shebang?.startsWith("#!") ? `, with ${shebang.slice(2).trim()}` : "";
    const fact = `A run starts ${manifest.entry}${by}.`;
    card.add("entry", { kind: "entry", value: manifest.entry, fact, at: { path: manifest.entry, line: 1 } });
  }
  for (const step of manifest.steps) {
    const name = step.toolName ?? step.skillName ?? "?";
    const fact = `A step calls the ${step.toolName ? "tool" : "skill"} ${name}.`;
    card.add("entry", { kind: "entry", value: `step ${name}`, fact, at: placeOf(texts, name) });
  }
}

/** What the text asks of the agent and its host. It grants nothing and does not raise the class of a playbook. */
function addAskFacts(card: Card, { manifest, texts }: ReadableSkill): void {
  const asked = [...new Set([...manifest.requirements.capabilities, ...manifest.requiredCapabilities])];
  const ofShell = asked.find((name) => SHELL.has(name));
  const at = (ofShell === undefined ? null : placeOf(texts, ofShell)) ?? findShellExample(texts);
  if (ofShell !== undefined || at !== null) {
    const fact = "Asks the agent to run shell commands.";
    card.add("asks", { kind: "ask", value: "shell", fact, standsOut: true, at });
  }
  for (const name of asked) {
    const fact = `Requests the capability “${name}”.`;
    card.add("asks", { kind: "capability", value: name, fact, at: placeOf(texts, name) });
  }
}

function findShellExample(texts: ReadableSkill["texts"]): Place | null {
  for (const text of texts.filter(({ path }) => /\.(md|mdx|markdown)$/i.test(path))) {
    const isShell = shellLines(text);
    const line = text.lines.findIndex((content, index) => content.trim() !== "" && isShell(index));
    if (line >= 0) return { path: text.path, line: line + 1 };
  }
  return null;
}

function addEnvironmentFacts(card: Card, { manifest, texts }: ReadableSkill): void {
  for (const name of manifest.envAllow) {
    const fact = `Runs get the variable ${name}, as declared.`;
    card.add("environment", { kind: "env", value: name, fact, standsOut: true, at: placeOf(texts, name) });
  }
  for (const name of manifest.requirements.env) {
    const fact = `Requires the variable ${name}.`;
    card.add("environment", { kind: "env", value: name, fact, at: placeOf(texts, name) });
  }
  for (const { content, at } of eachLine(texts)) {
    // Cheap test that skips most lines.
    if (!/env/i.test(content)) continue;
    for (const pattern of READS) {
      for (const [, name = ""] of content.matchAll(pattern)) {
        card.add("environment", { kind: "env", value: name, fact: `Reads the variable ${name}.`, at });
      }
    }
    if (DUMP.test(content)) {
      const fact = "Reads the whole environment.";
      card.add("environment", { kind: "env", value: "*", fact, standsOut: true, at });
    }
  }
}

function addHostFacts(card: Card, { files, texts }: ReadableSkill): void {
  // A file name such as `run.sh` looks like a domain.
  const ownNames = new Set(files.map(({ path }) => path.toLowerCase().replace(/^.*\//, "")));
  for (const { content, at } of eachLine(texts)) {
    if (content.includes("://")) {
      for (const [, scheme = "", host = ""] of content.matchAll(ADDRESS)) {
        addHost(card, host, at, scheme.toLowerCase() === "http" ? ", without encryption" : "");
      }
    }
    if (content.includes("@")) for (const [, host = ""] of content.matchAll(GIT_REMOTE)) addHost(card, host, at);
    if (!NETWORK_COMMAND.test(content)) continue;
    for (const [, host = ""] of content.matchAll(BARE_HOST)) {
      if (!ownNames.has(host.toLowerCase())) addHost(card, host, at);
    }
  }
}

function addHost(card: Card, written: string, at: Place, how = ""): void {
  const host = written.toLowerCase().replace(/\.+$/, "");
  const isName = host.includes(".") || host.startsWith("[") || host === "localhost";
  if (!isName) return;
  const isAddress = IPV4.test(host) || host.startsWith("[");
  const isHere = host === "localhost" || host.startsWith("127.") || host === "[::1]";
  const fact = isAddress ? `Names the address ${host}${how}.` : `Names the host ${host}${how}.`;
  const standsOut = !isHere && (isAddress || host.startsWith("xn--") || host.includes(".xn--"));
  card.add("network", { kind: "host", value: host, fact, standsOut, at });
}

function addCredentialFacts(card: Card, { manifest, texts }: ReadableSkill): void {
  for (const { slot, label } of manifest.requirements.credentials) {
    const fact = `Requests the credential ${label ?? slot}.`;
    addCredential(card, slot, fact, placeOf(texts, slot));
  }
  for (const name of [...manifest.envAllow, ...manifest.requirements.env]) {
    if (name.search(NAME) !== -1) addVariable(card, name, placeOf(texts, name));
  }
  for (const { content, at } of eachLine(texts)) {
    if (content.includes("_")) for (const [, name = ""] of content.matchAll(NAME)) addVariable(card, name, at);
    if (!/[a-z]/i.test(content)) continue;
    for (const [pattern, fact] of KEEPERS) {
      if (pattern.test(content)) addCredential(card, fact, fact, at);
    }
  }
}

function addVariable(card: Card, name: string, at: Place | null): void {
  addCredential(card, name, `Names the variable ${name}, which looks like a secret.`, at);
}

function addCredential(card: Card, value: string, fact: string, at: Place | null): void {
  card.add("credentials", { kind: "credential", value, fact, standsOut: true, at });
}

const WITHOUT_ASKING = "without asking in Claude Code";
const READERS = new Map([
  ["Read", "Reading files"],
  ["Grep", "Searching in files"],
  ["Glob", "Finding files by name"],
  ["LS", "Listing folders"],
  ["TodoWrite", "Keeping a list of tasks"],
]);
/** Commands whose arguments are themselves a program, so that the command's name limits nothing. */
const RUNS_ANYTHING =
  /^(?:sudo|doas|env|xargs|eval|exec|nohup|ba?sh|zsh|sh|dash|fish|pwsh|powershell|python[\d.]*|node|deno|bun|npx|uvx|bunx|perl|ruby|php|ssh|docker|find|awk)$/;
const WRITERS = new Map([
  ["Write", "Writing any file"],
  ["Edit", "Editing any file"],
  ["MultiEdit", "Editing any file"],
  ["NotebookEdit", "Editing any notebook"],
]);

/** `allowed-tools` is a grant: the agent runs these tools without asking. A tool without a pattern is unrestricted. */
function addToolFacts(card: Card, { manifest, texts }: ReadableSkill): void {
  const list = placeOf(texts, "allowed-tools") ?? placeOf(texts, "allowed_tools");
  for (const pattern of manifest.allowedTools ?? []) {
    const { fact, standsOut } = describeTool(pattern);
    card.add("tools", { kind: "tool", value: pattern, fact, standsOut, at: placeOf(texts, pattern) ?? list });
  }
  for (const pattern of manifest.disallowedTools ?? []) {
    const fact = `“${pattern}” is denied while the skill is active.`;
    card.add("tools", { kind: "tool-denied", value: pattern, fact, at: placeOf(texts, pattern) });
  }
}

function describeTool(pattern: string): { fact: string; standsOut: boolean } {
  const { tool, specifier } = parseToolPattern(pattern);
  if (pattern === NO_TOOL) {
    return { fact: "The list of allowed tools cannot be read, so no tool is allowed.", standsOut: false };
  }
  const isWhole = specifier === null || /^[\s:*]*$/.test(specifier);
  if (tool === "*") return { fact: `Every tool runs ${WITHOUT_ASKING}.`, standsOut: true };
  if (tool.startsWith("mcp__")) {
    const [, server = "", ...rest] = tool.split("__");
    const what = rest.length === 0 || rest.join("__") === "*" ? "Every tool" : `“${rest.join("__")}”`;
    return { fact: `${what} of the MCP server “${server}” runs ${WITHOUT_ASKING}.`, standsOut: true };
  }
  if (tool === "Bash" || tool === "PowerShell" || tool === "Shell") return describeShell(isWhole ? null : specifier);
  if (tool === "WebFetch" || tool === "WebSearch") {
    if (!isWhole) return { fact: `${tool} runs ${WITHOUT_ASKING} for ${specifier}.`, standsOut: false };
    const what = tool === "WebFetch" ? "Fetching any address" : "Searching the web";
    return { fact: `${what} happens ${WITHOUT_ASKING}.`, standsOut: tool === "WebFetch" };
  }
  const writing = WRITERS.get(tool);
  if (writing) {
    if (isWhole) return { fact: `${writing} happens ${WITHOUT_ASKING}.`, standsOut: true };
    return { fact: `${tool} runs ${WITHOUT_ASKING} for ${specifier}.`, standsOut: false };
  }
  const reading = READERS.get(tool);
  if (reading)
    return { fact: `${reading} happens ${WITHOUT_ASKING}${isWhole ? "" : `, for ${specifier}`}.`, standsOut: false };
  return { fact: `“${pattern}” runs ${WITHOUT_ASKING} if the agent has a tool of that name.`, standsOut: false };
}

function describeShell(specifier: string | null): { fact: string; standsOut: boolean } {
  if (specifier === null) return { fact: `Any shell command runs ${WITHOUT_ASKING}.`, standsOut: true };
  const begins = /^(.*?):?\*$/.exec(specifier)?.[1];
  if (begins !== undefined) {
    const [program = ""] = begins.trim().split(/\s+/);
    if (RUNS_ANYTHING.test(program.replace(/^.*\//, ""))) {
      const fact = `“${begins.trim()}” runs ${WITHOUT_ASKING} with any arguments, so it can run anything.`;
      return { fact, standsOut: true };
    }
    return { fact: `Shell commands that begin with “${begins.trim()}” run ${WITHOUT_ASKING}.`, standsOut: false };
  }
  return { fact: `The shell command “${specifier}” runs ${WITHOUT_ASKING}.`, standsOut: false };
}

/** What a version's manifest and capability card say about its files. */
export type Described = { manifest: SkillManifest; capabilities: CapabilityGroup[] };

/** The manifest with the executables of the files, and the capability card. */
export function describeFiles(files: SkillFile[], given: SkillManifest): Described {
  const manifest = { ...given, carries: findExecutables(files) };
  return { manifest, capabilities: readCapabilities(files, manifest) };
}
