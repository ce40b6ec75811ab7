import { parsePackage } from "./parse-package";
import type { Ecosystem, NamedPackage } from "./schema";

type Installer = {
  ecosystem: Ecosystem;
  /** Up to the first argument. */
  command: RegExp;
  /** Only the first word is a package; what follows are arguments of its program. */
  starts?: true;
};

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
