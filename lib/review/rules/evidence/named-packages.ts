import type { ScanFile } from "../../scan/scan-file";

type NamedPackage = { name: string; start: number };

const INSTALL = /\b(?:pip3?|uv pip|uv|npm|pnpm|yarn|bun)[ \t]+(?:install|i|add)[ \t]+([^\n;&|`"'#]{1,300})/g;
const MAX_PACKAGES = 500;

/** Packages that a file has installed: words of install commands, lines of requirements, dependencies of a package.json. */
export function namedPackages(file: ScanFile): NamedPackage[] {
  const found: NamedPackage[] = [];
  for (const { 0: command, 1: words = "", index } of file.text.matchAll(INSTALL)) {
    const start = index + command.length - words.length;
    for (const word of words.matchAll(/(?<![\w-])@?[a-zA-Z][\w./-]{3,60}/g))
      found.push(at(word[0], start + word.index));
    if (found.length > MAX_PACKAGES) return found;
  }
  if (/^requirements[\w-]*\.txt$/.test(file.name)) {
    for (const { 0: line, index } of file.text.matchAll(/^[a-zA-Z][\w.-]{3,60}/gm)) found.push(at(line, index));
  }
  if (file.name === "package.json") {
    for (const match of file.text.matchAll(/"(@?[a-z][\w./-]{3,60})"\s*:\s*"(?:[\^~><=*\dv]|latest)/g)) {
      found.push(at(match[1] ?? "", match.index + 1));
    }
  }
  return found.slice(0, MAX_PACKAGES);
}

function at(word: string, start: number): NamedPackage {
  return { name: word.toLowerCase().replace(/(?<=.)@.*$|[.,/]+$/g, ""), start };
}
