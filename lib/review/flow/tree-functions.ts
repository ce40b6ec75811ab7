import type { SyntaxNode } from "@lezer/common";
import { isAbout, type Range, reportFrom } from "./program";
import { assign, defaultOf } from "./tree-assignments";
import { children, type FunctionNode, type TreeProgram, textOf } from "./tree-program";
import { join, joinLabels, labelled, NOTHING, type Value } from "./values";

/** Functions may be called before the place where they are written. */
export function hoistFunctions(tree: TreeProgram, node: SyntaxNode): void {
  for (const child of children(node)) {
    const inner = /^(?:Decorated|Export)/.test(child.name) ? children(child).find(isFunction) : child;
    if (inner !== undefined && isFunction(inner)) defineFunction(tree, inner);
  }
}

function isFunction({ name }: SyntaxNode): boolean {
  return name === "FunctionDefinition" || name === "FunctionDeclaration";
}

/** Registers a function; its body is run at its calls, and once by itself. */
export function addFunction(tree: TreeProgram, node: SyntaxNode): number {
  const parts = children(node);
  const params = parts.find(({ name }) => name === "ParamList") ?? null;
  const body = parts.findLast(({ name }) => !/^(?:;|,)$/.test(name)) ?? null;
  tree.functions.push({ tree, params, body, scope: tree.scope, running: false, ran: false });
  return tree.functions.length - 1;
}

function defineFunction(tree: TreeProgram, node: SyntaxNode): number {
  const name = children(node).find((child) => /^Variable/.test(child.name));
  const fn = addFunction(tree, node);
  if (name !== undefined) tree.scope.names.set(textOf(tree, name), { ...NOTHING, fn });
  return fn;
}

export function runDefinition(tree: TreeProgram, node: SyntaxNode): Value {
  runFunction(tree, defineFunction(tree, node), []);
  return NOTHING;
}

export function runClass(tree: TreeProgram, node: SyntaxNode): Value {
  const body = children(node).find(({ name }) => /^(?:Body|ClassBody)$/.test(name));
  const name = children(node).find((child) => /^Variable/.test(child.name));
  const found: number[] = [];
  let init: number | undefined;
  for (const member of body === undefined ? [] : children(body)) {
    const method = member.name === "DecoratedStatement" ? (children(member).find(isFunction) ?? member) : member;
    if (!/^(?:FunctionDefinition|MethodDeclaration)$/.test(method.name)) {
      runAttribute(tree, member);
      continue;
    }
    const methodName = children(method).find((child) => /^(?:Variable|Property|PrivateProperty)/.test(child.name));
    const key = methodName === undefined ? "" : textOf(tree, methodName);
    const fn = addFunction(tree, method);
    tree.methods.set(key, [...(tree.methods.get(key) ?? []), fn]);
    found.push(fn);
    if (/^(?:__init__|constructor)$/.test(key)) init = fn;
  }
  if (name !== undefined)
    tree.scope.names.set(textOf(tree, name), {
      ...{ ...NOTHING, ref: textOf(tree, name) },
      ...(init !== undefined && { init }),
    });
  for (const fn of found) runFunction(tree, fn, []);
  return NOTHING;
}

/** `NAME = …` in a Python class is what `self.NAME` holds. */
function runAttribute(tree: TreeProgram, member: SyntaxNode): void {
  const outer = tree.scope;
  tree.scope = { names: new Map(), outer };
  tree.evaluate(member);
  for (const [name, value] of tree.scope.names) tree.fields.set(name, value);
  tree.scope = outer;
}

/** Runs what the program only gives to others: exported functions, handlers, callbacks in tables. */
export function runUncalled(tree: TreeProgram): void {
  for (let fn = 0; fn < tree.functions.length; fn += 1)
    if (tree.functions[fn]?.ran === false && tree.functions[fn]?.tree === tree) runFunction(tree, fn, []);
}

/** Runs the body of a function with the given arguments and returns what it returns. */
export function runFunction(tree: TreeProgram, fn: number, given: Given | readonly Value[], range?: Range): Value {
  const known = tree.functions[fn];
  if (known === undefined || known.running || tree.calls > 8 || known.body === null) return NOTHING;
  const { args, named } = "args" in given ? given : { args: given, named: NONE };
  const all = placeNamed(known, args, named);
  return known.tree === tree
    ? runBody(tree, known, known.body, all)
    : runForeign(tree, known, all, range ?? tree.program.at ?? { start: 0, end: 0 });
}

type Given = { args: readonly Value[]; named: ReadonlyMap<string, Value> };
type Args = readonly (Value | undefined)[];

const NONE: ReadonlyMap<string, Value> = new Map();

/** Arguments that are named, in the places of their parameters; the others behind them. */
function placeNamed({ tree, params }: FunctionNode, args: readonly Value[], named: ReadonlyMap<string, Value>): Args {
  if (named.size === 0) return args;
  const names = params === null ? [] : ownParams(tree, params).map((name) => textOf(tree, name));
  const placed = names.map((name, at) => args[at] ?? named.get(name));
  const rest = [...named].filter(([name]) => !names.includes(name)).map(([, value]) => value);
  // A name that is no parameter has no known place.
  return rest.length === 0 ? placed : [...placed.slice(0, placed.findLastIndex(Boolean) + 1), ...rest];
}

/** Runs a function of another module of the skill. What it does without the arguments is found in that module. */
function runForeign(tree: TreeProgram, known: FunctionNode, args: Args, range: Range): Value {
  const owner = known.tree;
  const { program } = owner;
  let value = NOTHING;
  reportFrom(tree.program, range, isAbout(joinLabels(args.map((arg) => arg?.labels ?? []))), (inner) => {
    Object.assign(owner, { program: inner, calls: tree.calls, depth: tree.depth });
    if (known.body !== null) value = runBody(owner, known, known.body, args);
    owner.program = program;
  });
  return value;
}

function runBody(tree: TreeProgram, known: FunctionNode, body: SyntaxNode, args: Args): Value {
  const { scope, returned } = tree;
  tree.scope = { names: new Map(), outer: known.scope };
  tree.returned = [];
  tree.calls += 1;
  known.running = true;
  known.ran = true;
  bindParams(tree, known.params, args);
  const isBlock = /^(?:Block|Body)$/.test(body.name);
  if (isBlock) hoistFunctions(tree, body);
  const last = tree.evaluate(body);
  const value = join(isBlock ? tree.returned : [last]);
  known.running = false;
  tree.calls -= 1;
  tree.scope = scope;
  tree.returned = returned;
  return value;
}

/** The parameters of a function that its calls give. */
function ownParams(tree: TreeProgram, params: SyntaxNode): SyntaxNode[] {
  const parts = children(params).filter(
    ({ name, prevSibling }) =>
      /^(?:Variable|ObjectPattern|ArrayPattern)/.test(name) && !/^(?:AssignOp|Equals)$/.test(prevSibling?.name ?? ""),
  );
  return parts.filter((name, at) => !(at === 0 && /^(?:self|cls)$/.test(textOf(tree, name))));
}

function bindParams(tree: TreeProgram, params: SyntaxNode | null, args: Args): void {
  if (params === null) return;
  for (const [at, name] of ownParams(tree, params).entries()) {
    const isRest = /^(?:\.\.\.|\*)/.test(tree.text.slice(Math.max(0, name.from - 3), name.from).trim());
    const value = isRest
      ? restOf(args.slice(at).flatMap((arg) => arg ?? []))
      : (args[at] ?? defaultOf(tree, name) ?? keyParameter(textOf(tree, name)));
    if (/^Variable/.test(name.name)) tree.scope.names.set(textOf(tree, name), value);
    else assign(tree, name, value);
  }
}

function restOf(args: readonly Value[]): Value {
  return { ...join(args), labels: joinLabels(args.map(({ labels }) => labels)), ref: "", items: args };
}

/** What others give to a parameter for the key of a wallet. */
function keyParameter(name: string): Value {
  return /^(?:(?:private_?key|priv_?key|mnemonic|seed_?(?:phrase|words))(?:_?hex|_?bytes)?)$/i.test(name)
    ? labelled({ kind: "file", name: `the wallet's ${name}`, owners: [] })
    : NOTHING;
}
