import { executablesOf, isShownByManifest } from "@/lib/skill-format/executables";
import { isMapping, parseJson } from "@/lib/skill-format/json-values";
import { type Card, placeOf, type ReadableSkill, type SkillText } from "./card";

const SHOWN = 200;
const NPM_HOOKS = ["preinstall", "install", "postinstall", "prepare"];
const INSTALL_FILE = /(^|\/)(install|setup|bootstrap|postinstall)[^/]*\.(sh|bash|ps1|bat|cmd|py|js|mjs)$/i;

export function addLoadFacts(card: Card, { manifest, texts, files }: ReadableSkill): void {
  for (const { event, command } of readHooks(manifest.hooks ?? manifest.meta.hooks)) {
    const fact = `An agent runs “${cut(command)}” automatically at ${event}.`;
    const at = placeOf(texts, lineOf(command));
    card.add("load", { kind: "hook", value: `${event} ${command}`, fact, standsOut: true, at });
  }
  for (const command of manifest.inlineCommands) {
    const fact = `Claude Code runs “${cut(command)}” while it loads the skill.`;
    const at = placeOf(texts, lineOf(command));
    card.add("load", { kind: "inline-command", value: command, fact, standsOut: true, at });
  }
  for (const { path, by, what } of executablesOf(manifest, files)) {
    if (isShownByManifest({ path, by, what }, manifest)) continue;
    const ofClient = by === "client";
    const fact = ofClient ? `${path} contains ${what}.` : `${path} is ${what}.`;
    const kind = ofClient ? "hook" : "entry";
    card.add(ofClient ? "load" : "files", { kind, value: path, fact, standsOut: ofClient, at: { path, line: 1 } });
  }
  for (const entry of manifest.install) {
    const target = entry.target ?? entry.bins.join(", ");
    const fact = `Asks people to install ${target || "a program"} with ${entry.kind}. Skillgate does not install it.`;
    card.add("load", { kind: "install", value: `${entry.kind} ${target}`, fact, at: placeOf(texts, target) });
  }
  for (const text of texts.filter(({ path }) => /(^|\/)package\.json$/.test(path))) addNpmHooks(card, text);
  for (const { path } of files.filter((file) => INSTALL_FILE.test(file.path))) {
    const fact = `${path} looks like an install script.`;
    card.add("load", { kind: "install", value: path, fact, standsOut: true, at: { path, line: 1 } });
  }
}

function addNpmHooks(card: Card, { path, lines }: SkillText): void {
  const parsed = parseJson(lines.join("\n"));
  const scripts = isMapping(parsed) ? parsed.scripts : null;
  if (!isMapping(scripts)) return;
  for (const name of NPM_HOOKS) {
    const command = scripts[name];
    if (typeof command !== "string") continue;
    const line = lines.findIndex((content) => content.includes(`"${name}"`)) + 1;
    const fact = `npm runs “${cut(command)}” when its packages are installed (${name}).`;
    const value = `${path} ${name}: ${command}`;
    card.add("load", { kind: "install", value, fact, standsOut: true, at: { path, line } });
  }
}

type Hook = { event: string; command: string };

/** Reads commands at any depth below each event because agents use different shapes. */
function readHooks(hooks: unknown): Hook[] {
  if (!isMapping(hooks))
    return hooks === undefined || hooks === null ? [] : [{ event: "events", command: JSON.stringify(hooks) }];
  return Object.entries(hooks).flatMap(([event, below]) => {
    const commands = commandsIn(below, 0);
    return (commands.length > 0 ? commands : [JSON.stringify(below) ?? ""]).map((command) => ({ event, command }));
  });
}

function commandsIn(value: unknown, depth: number): string[] {
  if (depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((inner) => commandsIn(inner, depth + 1));
  if (typeof value === "string") return depth <= 1 ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "command" && typeof inner === "string") return [inner];
    return typeof inner === "object" ? commandsIn(inner, depth + 1) : [];
  });
}

function lineOf(command: string): string {
  return command.split("\n")[0]?.trim() ?? "";
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
