import type { SyntaxNode } from "@lezer/common";
import { unquote } from "./tree-members";
import { children, type TreeProgram, textOf } from "./tree-program";
import { NOTHING } from "./values";

/** Binds the names of an import statement to what they mean. */
export function runImport(tree: TreeProgram, node: SyntaxNode): void {
  const parts = children(node).flatMap((part) => (part.name === "ImportGroup" ? [part, ...children(part)] : [part]));
  const words = parts
    .filter(({ name }) => !/^(?:ImportGroup|[{}();])$/.test(name))
    .map((part) => ({ name: part.name, text: textOf(tree, part), grouped: part.parent?.name === "ImportGroup" }));
  const set = (name: string, ref: string) => tree.scope.names.set(name, { ...NOTHING, ref });
  if (tree.language === "javascript") {
    const from = unquote(words.findLast(({ name }) => name === "String")?.text ?? "").replace(/^node:/, "");
    for (const [at, word] of words.entries()) {
      if (word.name === "VariableDefinition") {
        const isAlias = words[at - 1]?.text === "as";
        const source = isAlias ? (words[at - 2]?.text ?? "") : word.text;
        const isDefault = !word.grouped || source === "default";
        set(word.text, isDefault ? from : `${from}.${source}`);
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
    if (name !== "") set(name, ref);
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
