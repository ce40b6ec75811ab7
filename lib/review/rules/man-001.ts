import { parseAllowedTools, parseToolPattern } from "@/lib/skill-format/dialects/allowed-tools";
import type { Hit, Rule } from "../scan/rule";
import type { ScanSkill } from "../scan/scan-file";

const SHELLS =
  /^(?:bash|shell|terminal|exec|execute|run|run_?(?:command|shell|terminal|in_terminal)\w*|powershell|code_execution|python|computer|mcp.*|\*|all|task)$/i;
const NETWORK =
  /\b(?:requests|httpx|aiohttp)\.\w+\s*\(|\burlopen\s*\(|\bfetch\s*\(\s*["'`]http|\baxios[.(]|\bcurl\s|\bwget\s|\bsocket\.socket\b|\bhttps?\.(?:request|get)\s*\(|Invoke-(?:WebRequest|RestMethod)/;
const SPOKEN =
  /\b(?:api|https?|url|urls|fetch(?:es)?|download\w*|upload\w*|web|website|online|internet|network|request|requests|endpoint|server|service|remote|cloud|scrap\w+|crawl\w*|search|webhook|github|slack|discord|telegram|publish|deploy|sync|email|mcp|token|browser)\b/i;

export const undeclaredAbility: Rule = {
  id: "MAN-001",
  version: 1,
  severity: "medium",
  title: "Does more than it declares",
  why: "Scripts do something that neither the description nor the list of tools speaks of.",
  owasp: ["ASI02", "ASI09", "LLM06"],
  decoded: false,
  checkSkill: (skill) => [...undeclaredShell(skill), ...undeclaredNetwork(skill)],
};

function undeclaredShell({ files }: ScanSkill): Hit[] {
  const manifest = files.find(({ path }) => path.toLowerCase() === "skill.md");
  if (manifest === undefined) return [];
  const scripts = files.filter(
    ({ kind, text, path }) =>
      kind === "script" && text !== "" && /(?:^|\/)(?:scripts?|bin)\/|^[^/]+\.(?:sh|py)$/.test(path),
  );
  const tools = declaredTools(manifest.text);
  if (tools === null || scripts.length === 0 || tools.some((tool) => SHELLS.test(parseToolPattern(tool).tool)))
    return [];
  const start = Math.max(0, manifest.text.search(/^allowed[-_]tools/m));
  return [
    {
      path: manifest.path,
      start,
      end: start + 13,
      text: `${scripts.length} scripts, no tool that runs them in: ${tools.join(", ")}`,
    },
  ];
}

function undeclaredNetwork({ files }: ScanSkill): Hit[] {
  const manifest = files.find(({ path }) => path.toLowerCase() === "skill.md");
  if (manifest === undefined || SPOKEN.test(manifest.text)) return [];
  return files.flatMap(({ kind, text, path }) => {
    const match = kind === "script" ? NETWORK.exec(text) : null;
    return match === null
      ? []
      : [
          {
            path,
            start: match.index,
            end: match.index + match[0].length,
            text: `SKILL.md does not speak of a network: ${match[0]}`,
          },
        ];
  });
}

function declaredTools(text: string): string[] | null {
  const line = /^allowed[-_]tools:[ \t]*(.*)$/im.exec(text.slice(0, 20_000))?.[1];
  if (line === undefined || line.trim() === "") return null;
  return parseAllowedTools(line.replace(/^\[|\]$/g, "").replaceAll('"', ""));
}
