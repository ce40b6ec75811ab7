import { MAX_DESCRIPTION_CHARS } from "@/lib/skill-format/archive/limits";
import { isSkillMarker } from "@/lib/skill-format/archive/split-skills";
import { parseAllowedTools, parseToolPattern } from "@/lib/skill-format/dialects/tools";
import { parseFrontmatter } from "@/lib/skill-format/frontmatter/parse-frontmatter";
import type { Hit, Rule } from "../scan/rule";
import type { ScanSkill } from "../scan/scan-file";
import { isProse } from "./evidence";
import { rulesOf } from "./rule-rows";

const SHELL_TOOLS =
  /^(?:bash|shell|terminal|exec|execute|run|run_?(?:command|shell|terminal|in_terminal)\w*|powershell|code_execution|python|computer|mcp.*|\*|all|task)$/i;

const NETWORK_CALL =
  /\b(?:requests|httpx|aiohttp)\.\w+\s*\(|\burlopen\s*\(|\bfetch\s*\(\s*["'`]http|\baxios[.(]|\bcurl\s|\bwget\s|\bsocket\.socket\b|\bhttps?\.(?:request|get)\s*\(|Invoke-(?:WebRequest|RestMethod)/;

const NETWORK_WORD =
  /\b(?:api|https?|url|urls|fetch(?:es)?|download\w*|upload\w*|web|website|online|internet|network|request|requests|endpoint|server|service|remote|cloud|scrap\w+|crawl\w*|search|webhook|github|slack|discord|telegram|publish|deploy|sync|email|mcp|token|browser)\b/i;

const MAX_FILES = 100;
const SPEC_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const UNDECLARED_ABILITIES: Rule[] = rulesOf([
  {
    id: "MAN-001",
    severity: "medium",
    title: "Does more than it declares",
    why: "Scripts do what neither the description nor the list of tools mentions.",
    owasp: ["ASI02", "ASI09", "LLM06"],
    decoded: false,
    checkSkill: (skill) => [...undeclaredShell(skill), ...undeclaredNetwork(skill)],
  },
  {
    id: "MAN-002",
    severity: "info",
    title: "Moves money or trades",
    why: "A mistake or an attack here costs money at once.",
    owasp: ["ASI02", "LLM06"],
    applies: isProse,
    decoded: false,
    hints: ["funds", "send", "trade", "swap", "transfer", "payment", "wallet", "order", "withdraw", "purchase", "buy "],
    re: String.raw`\b(?:execut\w+|plac\w+|submit\w*|automat\w+)\s+(?:\w+\s+){0,2}(?:trades?|swaps?|buy\s+orders?|sell\s+orders?|market\s+orders?|limit\s+orders?)\b|\b(?:send|transfer|withdraw)\s+(?:\w+\s+){0,2}(?:funds|usdc|usdt|eth|btc|sol|crypto\w*|tokens\s+to|money|payments?)\b|\b(?:make|initiate|process)\s+(?:a\s+)?(?:payments?|purchases?|wire\s+transfers?)\b`,
  },
  {
    id: "MAN-003",
    version: 2,
    severity: "medium",
    title: "Invalid skill format",
    why: "Some programs refuse such a skill or read it differently, so that one may show what another does not run.",
    owasp: ["ASI04"],
    decoded: false,
    checkSkill: ({ files }) => {
      const hits: Hit[] = [];
      const manifest = files.find(({ path }) => path.toLowerCase() === "skill.md");
      if (manifest !== undefined)
        hits.push(...checkText(manifest.text).map((hit) => ({ ...hit, path: manifest.path })));
      else if (!files.some(({ path }) => isSkillMarker(path))) hits.push({ text: "There is no SKILL.md." });
      if (files.length > MAX_FILES)
        hits.push({ text: `${files.length} files; a reviewer cannot read more than ${MAX_FILES}.` });
      return hits;
    },
  },
]);

function undeclaredShell({ files }: ScanSkill): Hit[] {
  const manifest = files.find(({ path }) => path.toLowerCase() === "skill.md");
  if (manifest === undefined) return [];
  const scripts = files.filter(
    ({ kind, text, path }) =>
      kind === "script" && text !== "" && /(?:^|\/)(?:scripts?|bin)\/|^[^/]+\.(?:sh|py)$/.test(path),
  );
  const tools = declaredTools(manifest.text);
  if (tools === null || scripts.length === 0 || tools.some((tool) => SHELL_TOOLS.test(parseToolPattern(tool).tool)))
    return [];
  const start = Math.max(0, manifest.text.search(/^allowed[-_]tools/m));
  const text = `${scripts.length} scripts, no tool that runs them in: ${tools.join(", ")}`;
  return [{ path: manifest.path, start, end: start + 13, text }];
}

function undeclaredNetwork({ files }: ScanSkill): Hit[] {
  const manifest = files.find(({ path }) => path.toLowerCase() === "skill.md");
  if (manifest === undefined || NETWORK_WORD.test(manifest.text)) return [];
  return files.flatMap(({ kind, text, path }) => {
    const match = kind === "script" ? NETWORK_CALL.exec(text) : null;
    if (match === null) return [];
    const [call] = match;
    const shown = `SKILL.md does not speak of a network: ${call}`;
    return [{ path, start: match.index, end: match.index + call.length, text: shown }];
  });
}

function declaredTools(text: string): string[] | null {
  const line = /^allowed[-_]tools:[ \t]*(.*)$/im.exec(text.slice(0, 20_000))?.[1];
  if (line === undefined || line.trim() === "") return null;
  return parseAllowedTools(line.replace(/^\[|\]$/g, "").replaceAll('"', ""));
}

function checkText(text: string): Hit[] {
  const { mapping, stage } = parseFrontmatter(text, "SKILL.md");
  if (mapping === null || stage === "none") return [{ text: "The frontmatter cannot be read." }];
  const name = mapping.values.name;
  const description = mapping.values.description;
  const hits: Hit[] = [];
  if (typeof name !== "string" || name === "") hits.push({ text: "There is no name." });
  else if (!SPEC_NAME.test(name) || name.length > 64) {
    const start = Math.max(0, text.search(/^name[ \t]*:/m));
    const what = name.length > 64 ? "more than 64 characters" : "other characters than a-z, 0-9 and single hyphens";
    hits.push({ start, end: start + 4, text: `The name “${name}” has ${what}.`, severity: "info" });
  }
  if (typeof description !== "string" || description.trim() === "") hits.push({ text: "There is no description." });
  else if (description.length > MAX_DESCRIPTION_CHARS)
    hits.push({ text: `The description has ${description.length} characters.`, severity: "info" });
  return hits;
}
