import type { SyntaxNode } from "@lezer/common";
import { dataOf, linkedFile } from "./linked-files";
import { stepInto } from "./program";
import { unquote } from "./tree-members";
import { children, type TreeProgram, textOf } from "./tree-program";
import { NOTHING, type Value } from "./values";

/** The names of a module of the skill, run once; null for other modules. */
export function importLinked(tree: TreeProgram, from: string): Value | null {
  const { program, modules, language } = tree;
  const isOwn = language === "python" ? /^[\w.]+$/.test(from) : /^\.{1,2}\//.test(from);
  if (!isOwn) return null;
  const path = language === "python" ? (from.split(".").at(-1) ?? "") : from;
  const file = linkedFile(program.linked, path);
  if (file === undefined) return null;
  if (file.kind !== "script") return dataOf(program.linked, [path]);
  const known = modules.get(file.path);
  if (known !== undefined || !stepInto(program, file.text)) return known ?? null;
  modules.set(file.path, NOTHING);
  // What the module does itself is found in its own file.
  const { scope, exported } = tree.openModule(file.text, { ...program, flows: [], linked: program.linked });
  const common = exported.get("module.exports");
  const props = new Map([...scope.names, ...exported, ...(common?.props ?? [])]);
  const value: Value = { ...NOTHING, ...(common?.fn !== undefined && { fn: common.fn }), props };
  modules.set(file.path, value);
  return value;
}

/** Binds the names of an import statement to what they mean. */
export function runImport(tree: TreeProgram, node: SyntaxNode): void {
  const parts = children(node).flatMap((part) => (part.name === "ImportGroup" ? [part, ...children(part)] : [part]));
  const words = parts
    .filter(({ name }) => !/^(?:ImportGroup|[{}();])$/.test(name))
    .map((part) => ({ name: part.name, text: textOf(tree, part), grouped: part.parent?.name === "ImportGroup" }));
  const set = (name: string, ref: string, from: string, part: string) => {
    const whole = importLinked(tree, from);
    // `from package import module`
    const module = whole ?? (part === "" ? null : importLinked(tree, `${from}.${part}`));
    const value =
      part === "" ? (module?.props?.get("default") ?? module) : whole === null ? module : whole.props?.get(part);
    tree.scope.names.set(name, value ?? { ...NOTHING, ref });
  };
  if (tree.language === "javascript") {
    const from = unquote(words.findLast(({ name }) => name === "String")?.text ?? "").replace(/^node:/, "");
    for (const [at, word] of words.entries()) {
      if (word.name === "VariableDefinition") {
        const isAlias = words[at - 1]?.text === "as";
        const source = isAlias ? (words[at - 2]?.text ?? "") : word.text;
        const isDefault = !word.grouped || source === "default";
        const isWhole = isDefault || words[at - 2]?.name === "Star";
        set(word.text, isWhole ? from : `${from}.${source}`, from, isWhole ? "" : source);
      }
    }
    return;
  }
  const isFrom = words[0]?.text === "from";
  const importAt = words.findIndex(({ text }) => text === "import");
  const module = isFrom
    ? words
        .slice(1, importAt)
        .map(({ text }) => text)
        .join("")
    : "";
  for (const group of splitAt(
    words.slice(importAt + 1).map(({ text }) => text),
    ",",
  )) {
    const at = group.indexOf("as");
    const path = (at === -1 ? group : group.slice(0, at)).join("");
    const name = at === -1 ? (isFrom ? path : (path.split(".")[0] ?? "")) : (group[at + 1] ?? "");
    const ref = isFrom ? `${module}.${path}` : at === -1 ? name : path;
    if (name !== "")
      set(name, ref, isFrom ? (/^\.*$/.test(module) ? path : module) : path, isFrom && /\w/.test(module) ? path : "");
  }
}

function splitAt(words: string[], mark: string): string[][] {
  const groups: string[][] = [[]];
  for (const word of words) {
    if (word === mark) groups.push([]);
    else groups.at(-1)?.push(word);
  }
  return groups;
}
