import type { SyntaxNode } from "@lezer/common";
import { addFunction } from "./tree-functions";
import { readMember, unquote } from "./tree-members";
import { children, fieldOf, lookUp, type TreeProgram, textOf } from "./tree-program";
import { concat, HOLE, join, joinLabels, NOTHING, NUMBER, textValue, type Value } from "./values";

export function nameValue(tree: TreeProgram, name: string): Value {
  const known = lookUp(tree, name);
  if (known !== undefined)
    return known.ref === "" && known.labels.length === 0 && known.texts.length === 0 && known.fn === undefined
      ? { ...known, ref: name }
      : known;
  return { ...NOTHING, ref: name };
}

/** Text between the holes of a template. */
export function templateValue(tree: TreeProgram, node: SyntaxNode): Value {
  const parts: Value[] = [];
  const whole = textOf(tree, node);
  const open = /^[a-zA-Z]{0,2}("""|'''|["'`])/.exec(whole)?.[0].length ?? 1;
  const close = /("""|'''|["'`])$/.exec(whole)?.[0].length ?? 1;
  let at = node.from + open;
  for (const child of children(node)) {
    if (!/^(?:FormatReplacement|Interpolation)$/.test(child.name)) continue;
    if (child.from > at) parts.push(textValue(tree.text.slice(at, child.from)));
    parts.push(tree.evaluate(child));
    at = child.to;
  }
  if (node.to - close > at) parts.push(textValue(tree.text.slice(at, node.to - close)));
  return concat(parts);
}

export function memberValue(tree: TreeProgram, node: SyntaxNode): Value {
  const [object, mark, property] = children(node);
  const field = fieldOf(tree, node);
  if (field !== null) return tree.fields.get(field) ?? { ...NOTHING, ref: `this.${field}` };
  const base = tree.evaluate(object);
  const attribute = optionValue(tree, base, property) ?? classAttribute(tree, base, property);
  if (attribute !== undefined) return attribute;
  const isIndex = mark !== undefined && textOf(tree, mark) === "[";
  const key = isIndex ? tree.evaluate(property) : textValue(property === undefined ? "" : textOf(tree, property));
  const member = readMember(base, key, isIndex);
  // What another script of the skill gives.
  const { given } = tree.program;
  if (given !== undefined && /^(?:sys\.(?:argv|stdin)|process\.(?:argv|stdin))$/.test(member.ref))
    return { ...given, ref: member.ref };
  return member;
}

/** An option of the command line. */
function optionValue(tree: TreeProgram, { ref }: Value, property: SyntaxNode | undefined): Value | undefined {
  return property !== undefined && ref.endsWith("parse_args()")
    ? tree.fields.get(`--${textOf(tree, property)}`)
    : undefined;
}

/** `Class.NAME`, for a class of this file. */
function classAttribute(tree: TreeProgram, { ref }: Value, property: SyntaxNode | undefined): Value | undefined {
  if (property?.name !== "PropertyName" || !/^[A-Z]\w*(?:\(\))?$|^cls$/.test(ref)) return undefined;
  return tree.fields.get(textOf(tree, property));
}

export function objectValue(tree: TreeProgram, node: SyntaxNode): Value {
  const props = new Map<string, Value>();
  const rest: Value[] = [];
  const add = (key: Value, value: Value) => {
    const [name = HOLE] = key.texts;
    if (name.includes(HOLE)) rest.push(value);
    else props.set(name, value);
  };
  if (node.name === "DictionaryExpression") {
    const parts = children(node).filter(({ name }) => !/^[{},]$/.test(name));
    for (let at = 0; at < parts.length; at += 1) {
      if (parts[at + 1]?.name === ":") {
        add(tree.evaluate(parts[at]), tree.evaluate(parts[at + 2]));
        at += 2;
      } else if (parts[at]?.name !== "**") rest.push(tree.evaluate(parts[at]));
    }
  } else {
    for (const property of children(node)) {
      if (property.name !== "Property") continue;
      const parts = children(property).filter(({ name }) => !/^(?:async|get|set|\*)$/.test(name));
      const [first] = parts;
      if (first === undefined) continue;
      if (first.name === "Spread") rest.push(tree.evaluate(parts[1]));
      else if (first.name === "[") add(tree.evaluate(parts[1]), tree.evaluate(parts.at(-1)));
      else {
        const name = unquote(textOf(tree, first));
        const value =
          parts.length === 1
            ? nameValue(tree, name)
            : parts.some(({ name: part }) => part === "ParamList")
              ? { ...NOTHING, fn: addFunction(tree, property) }
              : tree.evaluate(parts.at(-1));
        add(textValue(name), value);
      }
    }
  }
  return {
    labels: joinLabels([...props.values(), ...rest].map(({ labels }) => labels)),
    texts: [],
    ref: "",
    props: withRest(props, rest),
  };
}

function withRest(props: Map<string, Value>, rest: Value[]): Map<string, Value> {
  for (const value of rest) for (const [name, inner] of value.props ?? []) if (!props.has(name)) props.set(name, inner);
  const own = rest.filter((value) => value.labels.length > 0 && value.props === undefined);
  return own.length === 0 ? props : props.set(HOLE, join(own));
}

export function binaryValue(tree: TreeProgram, node: SyntaxNode): Value {
  const [left, operator, right] = children(node);
  const mark = operator === undefined ? "" : textOf(tree, operator);
  const values = [tree.evaluate(left), tree.evaluate(right)];
  if (values.some(({ ref }) => ref === NUMBER)) return calculated(mark, values);
  if (mark === "+")
    return tree.language === "python" && values.some(({ items }) => items !== undefined)
      ? listOf(values)
      : concat(values);
  if (mark === "/") return concat(values, "/");
  if (mark === "%") return joinFormat(values);
  if (/^(?:and|or|\|\||&&|\?\?|\|)$/.test(mark)) return join(values);
  if (/^(?:[\^&*@-]|<<|>>>?|\/\/)$/.test(mark))
    return { ...NOTHING, labels: joinLabels(values.map(({ labels }) => labels)) };
  return NOTHING;
}

/** A list that goes on with another one. */
function listOf(values: readonly Value[]): Value {
  const items = values.flatMap((value) => value.items ?? (value.labels.length + value.texts.length > 0 ? [value] : []));
  return {
    labels: joinLabels(values.map(({ labels }) => labels)),
    texts: items.flatMap(({ texts }) => texts).slice(0, 6),
    ref: "",
    items,
  };
}

/** The code of a letter that another one stands for: `c ^ 1`. */
function calculated(mark: string, values: readonly Value[]): Value {
  const [left = Number.NaN, right = Number.NaN] = values.map(({ texts }) => Number(texts[0] ?? Number.NaN));
  const number = mark === "^" ? left ^ right : mark === "+" ? left + right : mark === "-" ? left - right : Number.NaN;
  return Number.isNaN(number + left + right) ? NOTHING : { ...textValue(String(number)), ref: NUMBER };
}

function joinFormat([format = NOTHING, given = NOTHING]: Value[]): Value {
  const filled = format.texts.map((text) => {
    let at = 0;
    return text.replace(/%[-\w.]*[srdf]/g, () => {
      const { texts } = (given.items ? given.items[at] : given) ?? NOTHING;
      at += 1;
      return texts[0] ?? HOLE;
    });
  });
  return { labels: joinLabels([format.labels, given.labels]), texts: filled, ref: "" };
}

export function conditionalValue(tree: TreeProgram, node: SyntaxNode): Value {
  const parts = children(node).filter(({ name }) => !/^(?:LogicOp|if|else)$/.test(name));
  const [first, second, third] = parts;
  tree.branches += 1;
  const values = (tree.language === "python" ? [first, third] : [second, third]).map((part) => tree.evaluate(part));
  tree.evaluate(tree.language === "python" ? second : first);
  tree.branches -= 1;
  return join(values);
}
