import { parse as parseToml } from "smol-toml";
import { isMapping, parseJson } from "@/lib/skill-format/json-values";
import { eachLine, type SkillText } from "../capabilities/card";
import { shellLines } from "../capabilities/file-facts";
import { parsePackage } from "./parse-package";
import type { Ecosystem, NamedPackage } from "./schema";

const MAX_PACKAGES = 1000;

const INSTALLERS: Installer[] = [
  { ecosystem: "PyPI", command: /\b(?:pip[\d.]*|uv pip) install\b/ },
  { ecosystem: "PyPI", command: /\b(?:uv add|uv tool install|pipx install|poetry add|pdm add)\b/ },
  { ecosystem: "PyPI", command: /\b(?:uvx|uv tool run|pipx run)\b/, starts: true },
  {
    ecosystem: "npm",
    command: /\b(?:npm (?:i|install|add)|pnpm (?:i|install|add)|yarn (?:global )?add|bun (?:add|i|install))\b/,
  },
  { ecosystem: "npm", command: /\b(?:npx|bunx|pnpm dlx|pnpx|yarn dlx|npm (?:exec|x))\b/, starts: true },
  { ecosystem: "Go", command: /\bgo (?:install|get|run)\b/ },
  { ecosystem: "crates.io", command: /\bcargo (?:install|add)\b/ },
  { ecosystem: "RubyGems", command: /\bgem install\b/ },
  { ecosystem: "Homebrew", command: /\bbrew install\b/ },
  { ecosystem: "Debian", command: /\bapt(?:-get)? install\b/ },
];

/** Options whose next word is a value, and not a package. */
const WITH_VALUE =
  /^(?:-r|-c|-e|-i|-t|-f|--requirement|--constraint|--editable|--index-url|--extra-index-url|--find-links|--target|--prefix|--registry|--python|--version|--root|--tag|--branch|--git|--path|--features|-w|--workspace|-C|--dir)$/;
/** Options that name a package for commands that start a program. */
const PACKAGE_OPTION = /^(?:-p|--package|--from|--with)$/;
const VERSION_OPTION = /^(?:-v|--version)$/;

/**
 * The packages that files of dependencies list and that commands in scripts, code fences and inline code install; at most 1,000. The
 * first place counts for a package that is asked for in the same words again.
 */
export function readPackages(texts: SkillText[]): NamedPackage[] {
  const found = new Map<string, NamedPackage>();
  for (const text of texts) {
    for (const named of [...readList(text), ...readCommands(text)]) {
      const key = JSON.stringify([named.ecosystem, named.name, named.version, named.asked]);
      if (!found.has(key) && found.size < MAX_PACKAGES) found.set(key, named);
    }
  }
  return [...found.values()];
}

const INSTALLER = /\b(?:pip[\d.]*|pipx|uvx?|npm|npx|pnpm|yarn|bunx?|go|cargo|gem|brew|apt|apt-get)\b/;

function* readCommands(text: SkillText): Generator<NamedPackage> {
  const isProse = /\.(?:md|mdx|markdown|txt|rst)$/i.test(text.path);
  const isShell = shellLines(text);
  for (const { content, at } of eachLine([text])) {
    if (!INSTALLER.test(content)) continue;
    const isCode = !isProse || isShell(at.line - 1);
    const parts = isCode ? [content] : [...content.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
    for (const part of parts) yield* readCommand(part).map((named) => ({ ...named, ...at }));
  }
}

/** Packages of a file that lists dependencies; nothing for other files, and for those that cannot be parsed. */
function readList(text: SkillText): NamedPackage[] {
  const name = text.path.split("/").at(-1) ?? "";
  try {
    if (/^requirements[\w.-]*\.(?:txt|in)$/i.test(name)) return ofLines(text, "PyPI", text.lines);
    if (name === "package.json") return ofPackageJson(text);
    if (name === "package-lock.json") return ofPackageLock(text);
    if (name === "pyproject.toml") return ofPyproject(text, text.lines.join("\n"));
    if (name === "Cargo.toml") return ofCargo(text);
    if (name === "go.mod") return ofGoMod(text);
    if (name.endsWith(".py")) return ofScriptMetadata(text);
  } catch {
    // An invalid file installs nothing.
  }
  return [];
}

function ofLines(text: SkillText, ecosystem: Ecosystem, lines: readonly string[]): NamedPackage[] {
  return lines.flatMap((line, index) => {
    const asked =
      line
        .replace(/(?:^|\s)#.*/, "")
        .split(";")[0]
        ?.replace(/\s+--hash.*|\\$/g, "")
        .trim() ?? "";
    const parsed = asked.startsWith("-") ? null : parsePackage(ecosystem, asked.replace(/\s+/g, ""));
    return parsed === null ? [] : [{ ...parsed, path: text.path, line: index + 1 }];
  });
}

function ofPackageJson(text: SkillText): NamedPackage[] {
  const parsed = parseJson(text.lines.join("\n"));
  if (!isMapping(parsed)) return [];
  const parts = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
  return parts.flatMap((part) => ofMap(text, "npm", parsed[part]));
}

function ofPackageLock(text: SkillText): NamedPackage[] {
  const parsed = parseJson(text.lines.join("\n"));
  if (!isMapping(parsed) || !isMapping(parsed.packages)) return [];
  return Object.entries(parsed.packages).flatMap(([path, row]) => {
    const name = path.split("node_modules/").at(-1) ?? "";
    if (!path.includes("node_modules/") || !isMapping(row) || typeof row.version !== "string") return [];
    return ofMap(text, "npm", { [name]: row.version });
  });
}

function ofPyproject(text: SkillText, toml: string): NamedPackage[] {
  const { project, "dependency-groups": groups, dependencies } = parseToml(toml);
  const optional = isMapping(project) ? project["optional-dependencies"] : undefined;
  const lists = [
    ...(isMapping(project) ? [project.dependencies] : []),
    ...(isMapping(optional) ? Object.values(optional) : []),
    ...(isMapping(groups) ? Object.values(groups) : []),
    dependencies,
  ];
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((asked) => {
      if (typeof asked !== "string") return [];
      return ofLines(text, "PyPI", [asked]).map((named) => ({ ...named, line: lineOf(text, asked) }));
    });
}

/** Inline script metadata of Python (PEP 723). */
function ofScriptMetadata(text: SkillText): NamedPackage[] {
  const from = text.lines.findIndex((line) => /^# \/\/\/ script\s*$/.test(line));
  if (from < 0) return [];
  const until = text.lines.findIndex((line, index) => index > from && /^# \/\/\/\s*$/.test(line));
  const toml = text.lines.slice(from + 1, until < 0 ? from : until).map((line) => line.replace(/^# ?/, ""));
  return ofPyproject(text, toml.join("\n"));
}

function ofCargo(text: SkillText): NamedPackage[] {
  const { dependencies } = parseToml(text.lines.join("\n"));
  if (!isMapping(dependencies)) return [];
  const versions = Object.entries(dependencies).map(([name, value]) => [
    name,
    isMapping(value) ? value.version : value,
  ]);
  return ofMap(text, "crates.io", Object.fromEntries(versions));
}

function ofGoMod(text: SkillText): NamedPackage[] {
  return text.lines.flatMap((line, index) => {
    const [, name, version] = /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/[\w./~-]+)\s+(v[\w.+-]+)/.exec(line) ?? [];
    const parsed = name === undefined ? null : parsePackage("Go", `${name}@${version}`);
    return parsed === null ? [] : [{ ...parsed, path: text.path, line: index + 1 }];
  });
}

function ofMap(text: SkillText, ecosystem: Ecosystem, map: unknown): NamedPackage[] {
  if (!isMapping(map)) return [];
  return Object.entries(map).flatMap(([name, range]) => {
    const parsed = typeof range === "string" ? parsePackage(ecosystem, `${name}@${range}`) : null;
    return parsed === null ? [] : [{ ...parsed, path: text.path, line: lineOf(text, `"${name}"`, name) }];
  });
}

function lineOf({ lines }: SkillText, ...wanted: string[]): number {
  for (const words of wanted) {
    const index = lines.findIndex((line) => line.includes(words));
    if (index >= 0) return index + 1;
  }
  return 1;
}

type Installer = {
  ecosystem: Ecosystem;
  /** Up to the first argument. */
  command: RegExp;
  /** Only the first word is a package; what follows are arguments of its program. */
  starts?: true;
};

type Named = Pick<NamedPackage, "ecosystem" | "name" | "version" | "asked">;

/** The packages that the commands of one line install. Lists of arguments, such as `["pip", "install", "x"]`, count as commands. */
export function readCommand(line: string): Named[] {
  const plain = line.replace(/["'],\s*["']/g, " ").replace(/[ \t]+/g, " ");
  return INSTALLERS.flatMap(({ ecosystem, command, starts }) =>
    [...plain.matchAll(new RegExp(command, "g"))].flatMap(({ 0: match, index }) => {
      const rest = plain.slice(index + match.length);
      if (!/^(?: |$)/.test(rest)) return [];
      const words = (rest.split(/[;|&`)\]>]|<[^\d=]| #/)[0] ?? "").trim().split(" ");
      return readWords(ecosystem, words, starts === true);
    }),
  );
}

function readWords(ecosystem: Ecosystem, words: string[], starts: boolean): Named[] {
  const found: Named[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = (words[index] ?? "").replace(/^["']+|["',.:]+$/g, "");
    const next = words[index + 1] ?? "";
    const last = found.at(-1);
    if (VERSION_OPTION.test(word) && /gems|crates/i.test(ecosystem) && last !== undefined) {
      found[found.length - 1] =
        parsePackage(ecosystem, `${last.name}@${ecosystem === "crates.io" ? "=" : ""}${next}`) ?? last;
      index += 1;
    } else if (starts && PACKAGE_OPTION.test(word)) continue;
    else if (WITH_VALUE.test(word)) index += 1;
    else if (!word.startsWith("-") && word !== "") {
      const parsed = parsePackage(ecosystem, word);
      if (parsed !== null) found.push(parsed);
      if (starts) return found;
    }
  }
  return found;
}
