import { decodeText } from "@/lib/skill-format/archive/decode-text";
import { MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import type { Diagnostic, SkillManifest } from "@/lib/skill-format/schema";

type FileLink = { path: string; line: number };

const MAX_CHARS = 1_000_000;

const MAX_LINKS = 1_000;

// `[text](target)` and `![alt](target)` from `]` on, and `[label]: target` definitions.
const INLINE = /\]\(\s*<?([^()<>\s]{1,500})/g;

const DEFINITION = /^ {0,3}\[[^\]\n]{1,100}\]:\s*<?([^\s<>]{1,500})/;

const MIN_DESCRIPTION_CHARS = 20;
const MAX_BODY_LINES = 500;
const MAX_SKILL_MD_BYTES = 64 * 1024;
const MAX_SHOWN = 20;

/**
 * Advice for authors, all of severity info, from agentskills.io ("specification", "best practices") and the limits of
 * clients: description, length, broken links, missing executable bits, names.
 */
export function checkQuality(files: SkillFile[], manifest: SkillManifest): Diagnostic[] {
  const main = files.find((file) => /^skill\.md$/i.test(file.path));
  const advice = [...checkDescription(manifest), ...checkNames(manifest), ...checkScripts(files)];
  if (main !== undefined) advice.push(...checkBody(manifest.body, main, files));
  const path = (main ?? files.find((file) => /^skill\.(json|toml)$/.test(file.path)))?.path;
  return advice.map((item) => ({ severity: "info", ...(path && { path }), ...item }));
}

type Advice = Pick<Diagnostic, "code" | "message" | "line"> & { path?: string };

function checkDescription({ description, whenToUse, kind }: SkillManifest): Advice[] {
  const advice: Advice[] = [];
  const add = (code: string, message: string) => advice.push({ code, message });
  const chars = [...description].length;
  if (chars < MIN_DESCRIPTION_CHARS) {
    const message = `The description has ${chars} characters. Say what the skill does and when to use it.`;
    add("quality_description_short", message);
  }
  if (chars > MAX_DESCRIPTION_CHARS) {
    const message = `The description has ${chars} characters. Agents cut or refuse more than ${MAX_DESCRIPTION_CHARS}.`;
    add("quality_description_long", message);
  }
  if (kind === "playbook" && whenToUse === null && !TRIGGER.test(description)) {
    const message = "The description does not say when to use the skill. Begin a sentence with “Use when …”.";
    add("quality_description_trigger", message);
  }
  if (/^(i|we|you|my)\b(?! *\/)/i.test(description)) {
    const message = "Models read the description. Write it in the third person (“Extracts …”).";
    add("quality_description_person", message);
  }
  if (/<\/?[a-z][^<>]*>/i.test(description)) {
    add("quality_description_tag", "The description contains an XML-like tag, which some clients refuse.");
  }
  return advice;
}

// Only Latin scripts are checked for trigger words.
const TRIGGER =
  /\b(use|uses|used|using|when|whenever|if|trigger(s|ed)?|invoke|asks?)\b|[^\p{Script=Latin}\p{P}\p{S}\p{N}\p{Z}\p{Cc}]/iu;

function checkNames({ name, kind }: SkillManifest): Advice[] {
  if (kind === "pack") return [];
  const advice: Advice[] = [];
  const add = (code: string, message: string) => advice.push({ code, message });
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
    const message = `Strict clients refuse the name “${name}”. Use words of a-z and 0-9, joined by hyphens.`;
    add("quality_name_refused", message);
  }
  if ([...name].length > MAX_NAME_CHARS) {
    add("quality_name_long", `Other clients refuse names of more than ${MAX_NAME_CHARS} characters.`);
  }
  if (/anthropic|claude/i.test(name)) {
    add("quality_name_reserved", "Anthropic's clients refuse names with “anthropic” or “claude” in them.");
  }
  return advice;
}

function checkScripts(files: SkillFile[]): Advice[] {
  const scripts = files.filter(({ mode, bytes }) => mode === "644" && bytes[0] === 0x23 && bytes[1] === 0x21);
  return limit(scripts, "quality_not_executable", "more scripts have no executable bit", ({ path }) => ({
    code: "quality_not_executable",
    path,
    message: "The script begins with #! but has no executable bit.",
  }));
}

function checkBody(body: string, main: SkillFile, files: SkillFile[]): Advice[] {
  const advice: Advice[] = [];
  const add = (code: string, message: string) => advice.push({ code, message });
  const lines = body.split("\n").length;
  if (body.trim() === "") add("quality_body_empty", "The playbook is empty.");
  if (lines > MAX_BODY_LINES) {
    const message = `The playbook has ${lines} lines. Move details beyond ${MAX_BODY_LINES} lines to files under references/.`;
    add("quality_body_long", message);
  }
  if (main.bytes.length > MAX_SKILL_MD_BYTES) {
    add("quality_file_large", `The file has ${main.bytes.length} bytes. An agent reads all of it each time.`);
  }
  const text = decodeText(main.bytes) ?? "";
  const before = text.endsWith(body) ? text.slice(0, text.length - body.length).split("\n").length - 1 : 0;
  const paths = new Set(files.map((file) => file.path));
  const problems = findLinks(body).flatMap(({ path, line }) => {
    const problem = findLinkProblem(path, paths);
    return problem === null ? [] : [{ ...problem, line: line + before }];
  });
  return [...advice, ...limit(problems, "quality_link_broken", "more links are broken", (item) => item)];
}

function findLinkProblem(link: string, paths: ReadonlySet<string>): Omit<Advice, "line"> | null {
  const shown = link.length > 120 ? `${link.slice(0, 119)}…` : link;
  const message = `The link to ${shown} leaves the skill's folder and breaks when the skill is copied.`;
  const outside = { code: "quality_link_outside", message };
  if (link.startsWith("/") || link.startsWith("~")) return outside;
  const segments: string[] = [];
  for (const segment of link.split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return outside;
    } else if (segment !== "" && segment !== ".") {
      segments.push(segment);
    }
  }
  const path = segments.join("/").normalize("NFC");
  if (path === "" || paths.has(path) || [...paths].some((other) => other.startsWith(`${path}/`))) return null;
  const twin = [...paths].find((other) => other.toLowerCase() === path.toLowerCase());
  const hint = twin === undefined ? "" : ` (did you mean ${twin}?)`;
  return { code: "quality_link_broken", message: `The link to ${shown} leads to no file of the skill${hint}.` };
}

function limit<T>(items: T[], code: string, what: string, describe: (item: T) => Advice): Advice[] {
  const shown = items.slice(0, MAX_SHOWN).map(describe);
  const more = items.length - shown.length;
  return more > 0 ? [...shown, { code, message: `${more} ${what}.` }] : shown;
}

/** Markdown links to files. Skips code, addresses with a scheme, anchors and placeholders. */
function findLinks(markdown: string): FileLink[] {
  const links: FileLink[] = [];
  let fence: string | null = null;
  for (const [index, line] of markdown.slice(0, MAX_CHARS).split("\n").entries()) {
    if (links.length >= MAX_LINKS) break;
    const [, mark] = /^ {0,3}(`{3,200}|~{3,200})/.exec(line) ?? [];
    if (mark !== undefined && (fence === null || (mark.startsWith(fence[0] ?? "") && mark.length >= fence.length))) {
      fence = fence === null ? mark : null;
    } else if (fence === null) {
      const prose = line.replace(/`[^`]*`/g, "");
      const targets = [...prose.matchAll(INLINE)].map((match) => match[1]);
      for (const target of [...targets, DEFINITION.exec(prose)?.[1]]) {
        const path = target === undefined ? null : filePathOf(target);
        if (path !== null) links.push({ path, line: index + 1 });
      }
    }
  }
  return links;
}

function filePathOf(target: string): string | null {
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target) || /[{}$*<>]|\.\.\./.test(target)) return null;
  const path = target.replace(/[#?].*$/, "");
  if (!/[./]/.test(path)) return null;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
