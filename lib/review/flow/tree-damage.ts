import type { SyntaxNode } from "@lezer/common";
import { reportDestruction } from "./program";
import { areDocuments, homeFiles } from "./secret-places";
import type { Call, TreeProgram } from "./tree-program";
import { joinLabels, NOTHING, type Value } from "./values";

const REMOVES =
  /^(?:remove|unlink|unlinkSync|rmtree|rm|rmSync|rmdirSync|removeSync|rimraf|sync|delete|truncate|truncateSync)$/;
const WHOLE = /^(?:rmtree|rm|rmSync|removeSync|rimraf|emptyDirSync)$/;
const WRITES = /^(?:write|write_bytes|write_text|writeFile|writeFileSync|writeSync|writelines)$/;
const NOISE = /urandom|randbytes|token_bytes|randomBytes|randomFill|getRandomValues|Buffer\.alloc|\\0|\\x00|bytes\(\w/;
/** Conditions that tell files from folders choose nothing. */
const FILE_TYPE = /is_?file|is_?dir\b|isDirectory|exists|is_?(?:sym)?link|isSymbolicLink|\baccess\(|writable/i;
/** A loop that skips files or asks removes some of the files and not all. */
const CHOOSES = /\bcontinue\b|\binput\(|\bconfirm|\bprompt|\bdry_?run|\.question\(|\.(?:filter|find)\(/i;
const MAX_LOOP_CHARS = 2_000;

/** Reports a call that removes all files of the user, or overwrites them with zeros or noise. */
export function destroyByCall(tree: TreeProgram, { name, ref, base, args, node }: Call): void {
  const range = { start: node.from, end: Math.min(node.to, node.from + 600) };
  const [first = NOTHING] = args;
  if (WRITES.test(name)) {
    const [place, content] = /^writeFile|^writeSync/.test(name)
      ? [first, args[1]]
      : [base.props?.get("path") ?? base, first];
    if (NOISE.test(tree.text.slice(node.from, Math.min(node.to, node.from + 300))) || NOISE.test(content?.ref ?? ""))
      reportDestruction(tree.program, place.labels, range);
    return;
  }
  if (!REMOVES.test(name) || (/^(?:rm|sync|delete)$/.test(name) && !/rimraf|fs|rm/.test(ref))) return;
  const home = WHOLE.test(name) && first.labels.length === 0 ? homeFiles(first.texts) : null;
  const labels = joinLabels([base.labels, first.labels, home === null ? [] : [home]]);
  if (labels.some(({ isHome }) => isHome) && !isChosen(tree, node)) reportDestruction(tree.program, labels, range);
}

/** Whether a condition or a question chooses what the statement is about. */
function isChosen(tree: TreeProgram, node: SyntaxNode): boolean {
  let outer: SyntaxNode | null = node.parent;
  while (outer?.parent && !/^(?:For\w*Statement|FunctionDe\w+|ArrowFunction|ArgList)$/.test(outer.name)) {
    if (/^(?:If|Conditional)/.test(outer.name) && isChoice(conditionOf(tree, outer))) return true;
    outer = outer.parent;
  }
  return outer !== null && CHOOSES.test(tree.text.slice(outer.from, Math.min(outer.to, outer.from + MAX_LOOP_CHARS)));
}

function isChoice(condition: string): boolean {
  return !FILE_TYPE.test(condition) && !areDocuments(condition.replaceAll("?", ""));
}

function conditionOf(tree: TreeProgram, node: SyntaxNode): string {
  const end = node.getChild("Body")?.from ?? node.getChild("Block")?.from ?? node.from + 200;
  return tree.text.slice(node.from, Math.min(end, node.from + 400));
}

/** A value that a condition chose is no longer all files of the user. */
export function asChosen(tree: TreeProgram, node: SyntaxNode, value: Value): Value {
  if (!value.labels.some(({ isHome }) => isHome)) return value;
  const text = tree.text.slice(node.from, Math.min(node.to, node.from + 400));
  const filters = /\bif\b(.*)|\.filter\(([\s\S]*)/.exec(text);
  const isSome = filters === null ? isChosen(tree, node) : isChoice(filters[1] ?? filters[2] ?? "");
  if (!isSome) return value;
  return { ...value, labels: value.labels.map(({ isHome: _isHome, ...label }) => label) };
}
