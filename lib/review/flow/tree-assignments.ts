import type { SyntaxNode } from "@lezer/common";
import { asChosen } from "./tree-damage";
import { readMember } from "./tree-members";
import { canVisit, children, fieldOf, setName, type TreeProgram, taint, textOf } from "./tree-program";
import { sendByAssignment } from "./tree-transfers";
import { concat, HOLE, join, joinLabels, NOTHING, NUMBER, textValue, type Value } from "./values";

export function runAssignment(tree: TreeProgram, node: SyntaxNode): Value {
  const parts = children(node);
  let value = NOTHING;
  let targets: SyntaxNode[] = [];
  const isMark = ({ name }: SyntaxNode) => /^(?:Equals|AssignOp|UpdateOp)$/.test(name);
  const lastMark = parts.findLastIndex(isMark);
  for (const [at, part] of parts.entries()) {
    if (part.name === "," && node.name === "VariableDeclaration") targets = [];
    else if (
      isMark(part) ||
      /^(?:const|let|var|,|;|TypeAnnotation|TypeDef|static|readonly|Privacy|async|Decorator)$/.test(part.name)
    ) {
      if (isMark(part) && (node.name === "VariableDeclaration" || at === lastMark)) {
        const values = parts.slice(at + 1).filter(({ name }) => !/^[,;]$/.test(name));
        const given =
          node.name === "VariableDeclaration"
            ? tree.evaluate(values[0])
            : values.length > 1
              ? tupleOf(values.map((child) => tree.evaluate(child)))
              : tree.evaluate(values[0]);
        const adds = textOf(tree, part).length > 1 && part.name === "UpdateOp";
        value = adds ? concat([tree.evaluate(targets[0]), given]) : given;
        if (targets.length > 1 && node.name === "AssignStatement" && !parts.slice(0, lastMark).some(isMark))
          assignEach(tree, targets, value);
        else for (const target of targets) assign(tree, target, value);
        if (usesItself(tree, values[0], targets)) tree.evaluate(values[0]);
        if (node.name !== "VariableDeclaration") return value;
      }
    } else targets.push(part);
  }
  return value;
}

/** Whether a callback of the call uses the name that gets what the call returns: `const s = connect(() => s.write(key))`. */
function usesItself(tree: TreeProgram, given: SyntaxNode | undefined, targets: readonly SyntaxNode[]): boolean {
  const [target] = targets;
  if (given?.name !== "CallExpression" || targets.length !== 1 || target?.name !== "VariableDefinition") return false;
  const text = textOf(tree, given);
  return /=>|\bfunction\b/.test(text) && text.includes(`${textOf(tree, target)}.`);
}

export function tupleOf(items: Value[]): Value {
  const texts = items.flatMap((item) => item.texts).slice(0, 6);
  return { labels: joinLabels(items.map(({ labels }) => labels)), texts, ref: "", items };
}

function assignEach(tree: TreeProgram, targets: SyntaxNode[], value: Value): void {
  for (const [at, target] of targets.entries())
    assign(tree, target, value.items?.[at] ?? readMember(value, NOTHING, true));
}

/** Gives a name, an attribute or each part of a pattern a value. */
export function assign(tree: TreeProgram, target: SyntaxNode, value: Value): void {
  if (!canVisit(tree)) return;
  switch (target.name) {
    case "VariableName":
    case "VariableDefinition":
      setName(tree, textOf(tree, target), value);
      return;
    case "PropertyDefinition":
    case "PrivatePropertyDefinition":
      tree.fields.set(textOf(tree, target), value);
      return;
    case "MemberExpression": {
      const exported = /^(?:module\.)?exports(?:\.(\w+))?$/.exec(textOf(tree, target).slice(0, 80));
      if (exported !== null) tree.exported.set(exported[1] ?? "module.exports", value);
      const field = fieldOf(tree, target);
      if (field !== null) {
        tree.fields.set(field, join([value, tree.fields.get(field) ?? NOTHING]));
        return;
      }
      const [object] = children(target);
      sendByAssignment(tree, target, tree.evaluate(object), value);
      taint(tree, object ?? null, value);
      return;
    }
    case "ObjectPattern":
      for (const property of children(target)) {
        if (property.name !== "PatternProperty") continue;
        const parts = children(property);
        const [first] = parts;
        const last = parts.findLast(({ name }) => /Definition|Pattern/.test(name));
        if (first === undefined || last === undefined) continue;
        const inner = first.name === "Spread" ? value : readMember(value, textValue(textOf(tree, first)), false);
        const isUnknown = inner.labels.length + inner.texts.length === 0 && inner.fn === undefined;
        assign(tree, last, isUnknown ? join([defaultOf(tree, last) ?? NOTHING, inner]) : inner);
      }
      return;
    case "ArrayPattern":
    case "TupleExpression":
    case "ParenthesizedExpression":
    case "ArrayExpression":
      assignEach(
        tree,
        children(target).filter(({ name }) => /Variable|Pattern|Member|Tuple/.test(name)),
        value,
      );
      return;
    default:
  }
}

/** What a parameter or a part of a pattern is when nothing is given; null for one without such a value. */
export function defaultOf(tree: TreeProgram, target: SyntaxNode): Value | null {
  let next = target.nextSibling;
  while (next !== null && /^(?:Type\w+|Optional|\?)$/.test(next.name)) next = next.nextSibling;
  return next !== null && /^(?:AssignOp|Equals)$/.test(next.name) ? tree.evaluate(next.nextSibling) : null;
}

export function comprehensionValue(tree: TreeProgram, node: SyntaxNode): Value {
  const parts = children(node).filter(({ name }) => !/^[[\](){}:]$/.test(name));
  const first = parts.findIndex(({ name }) => name === "for");
  const [body] = parts;
  const items = first === 1 && body !== undefined ? eachOf(tree, parts.slice(1), body) : null;
  if (items !== null) return asChosen(tree, node, tupleOf(items));
  bindLoop(tree, parts.slice(first));
  const results = parts.slice(0, first).map((part) => tree.evaluate(part));
  const labels = joinLabels(results.map((result) => result.labels));
  return asChosen(tree, node, { labels, texts: results.at(-1)?.texts ?? [], ref: "" });
}

const MAX_ITEMS = 12;
/** Letters of an address that is put together one by one, by a short expression. */
const MAX_LETTERS = 100;
const MAX_LETTER_CHARS = 60;

/** The value of an expression for each element that is known, for `BODY for NAME in LIST`; null for other loops. */
export function eachOf(tree: TreeProgram, loop: SyntaxNode[], body: SyntaxNode): Value[] | null {
  const [, target, , iterated] = loop;
  if (loop.length !== 4 || target?.name !== "VariableName" || iterated === undefined) return null;
  const list = tree.evaluate(iterated);
  const own = textOf(tree, body);
  const isShort = own.length <= MAX_LETTER_CHARS;
  const items = list.items ?? (isShort && /\b(?:chr|ord)\(/.test(own) ? lettersIn(list, !own.includes("ord(")) : []);
  if (items.length === 0 || items.length > (isShort ? MAX_LETTERS : MAX_ITEMS)) return null;
  const outer = tree.scope;
  const values = items.map((item) => {
    tree.scope = { names: new Map([[textOf(tree, target), item]]), outer };
    return tree.evaluate(body);
  });
  tree.scope = outer;
  return values;
}

/** The letters of a text, or their codes: what a loop over bytes gives. */
function lettersIn({ texts, labels }: Value, areCodes: boolean): Value[] {
  const [text = ""] = texts;
  if (labels.length > 0 || text.includes(HOLE)) return [];
  return [...text].map((letter) =>
    areCodes ? { ...textValue(String(letter.charCodeAt(0))), ref: NUMBER } : textValue(letter),
  );
}

/** Binds the names of `for NAMES in ITERABLE`, also when there are several. */
export function bindLoop(tree: TreeProgram, parts: SyntaxNode[]): void {
  let targets: SyntaxNode[] | null = null;
  for (const [at, part] of parts.entries()) {
    if (part.name === "for") targets = [];
    else if (part.name === "in" && targets !== null) {
      const iterated = tree.evaluate(parts[at + 1]);
      const element = iterated.items === undefined ? { ...iterated, ref: "" } : join(iterated.items);
      tree.branches += 1;
      if (targets.length > 1) assignEach(tree, targets, element);
      else for (const target of targets) assign(tree, target, element);
      tree.branches -= 1;
      targets = null;
    } else if (targets !== null && part.name !== ",") targets.push(part);
  }
}

export function runFor(tree: TreeProgram, node: SyntaxNode): Value {
  const parts = children(node);
  tree.branches += 1;
  if (tree.language === "python")
    bindLoop(
      tree,
      parts.filter(({ name }) => name !== "Body"),
    );
  else {
    const spec = parts.find(({ name }) => /^For(?:Of|In)Spec$/.test(name));
    const inner = spec === undefined ? [] : children(spec);
    const at = inner.findIndex(({ name }) => name === "of" || name === "in");
    const target = inner[at - 1];
    if (at > 0 && target !== undefined) {
      const iterated = tree.evaluate(inner[at + 1]);
      assign(tree, target, iterated.items === undefined ? { ...iterated, ref: "" } : join(iterated.items));
    }
  }
  tree.evaluateAll(
    parts.filter(
      ({ name }) =>
        !/^(?:ForOfSpec|ForInSpec|for|in|,)$/.test(name) && !(tree.language === "python" && name !== "Body"),
    ),
  );
  tree.branches -= 1;
  return NOTHING;
}

export function runWith(tree: TreeProgram, node: SyntaxNode): Value {
  let opened = NOTHING;
  for (const [at, part] of children(node).entries()) {
    if (part.name === "as") {
      const target = children(node)[at + 1];
      if (target !== undefined) assign(tree, target, opened);
    } else opened = tree.evaluate(part);
  }
  return NOTHING;
}
