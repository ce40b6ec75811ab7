import type { SyntaxNode } from "@lezer/common";
import { type Program, step } from "./program";
import type { RunOther } from "./shell-state";
import { join, NOTHING, type Value } from "./values";

/** A Python or JavaScript program whose values are followed. */
export type TreeProgram = {
  program: Program;
  text: string;
  /** It reads documents, has a fixed host and hides errors. */
  mayLeak: boolean;
  language: "python" | "javascript";
  scope: Scope;
  /** What attributes of `self` and `this` hold, for all classes of the file. */
  fields: Map<string, Value>;
  functions: FunctionNode[];
  /** Methods of all classes by name. */
  methods: Map<string, number[]>;
  /** What the function that runs now returns. */
  returned: Value[];
  depth: number;
  calls: number;
  /** What the module exports beside its names. */
  exported: Map<string, Value>;
  /** Modules of the skill that were run, by their paths. */
  modules: Map<string, Value>;
  openModule(text: string, program: Program): TreeProgram;
  /** Above 0 inside branches and loops, where an assignment does not replace earlier values. */
  branches: number;
  runOther: RunOther;
  /** The value of an expression. Statements are run and have none. */
  evaluate(node: SyntaxNode | null | undefined): Value;
  evaluateAll(nodes: SyntaxNode[]): Value;
  /** The output of the command that ran last. */
  commandOutput: Value | null;
};

/** A call with its evaluated arguments. */
export type Call = {
  node: SyntaxNode;
  /** The dotted name of what is called, such as `requests.post`. */
  ref: string;
  /** The last part of that name. */
  name: string;
  base: Value;
  baseNode: SyntaxNode | null;
  args: readonly Value[];
  named: ReadonlyMap<string, Value>;
};

export type Scope = { names: Map<string, Value>; outer: Scope | null };

export type FunctionNode = {
  /** The module that it is written in. */
  tree: TreeProgram;
  params: SyntaxNode | null;
  body: SyntaxNode | null;
  scope: Scope;
  running: boolean;
  ran: boolean;
};

export const MAX_DEPTH = 120;

export function children(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

export function textOf({ text }: TreeProgram, node: SyntaxNode): string {
  return text.slice(node.from, node.to);
}

export function canVisit(tree: TreeProgram): boolean {
  if (tree.depth >= MAX_DEPTH) tree.program.steps.isCut = true;
  return step(tree.program) && tree.depth < MAX_DEPTH;
}

export function lookUp(tree: TreeProgram, name: string): Value | undefined {
  for (let scope: Scope | null = tree.scope; scope !== null; scope = scope.outer) {
    const value = scope.names.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Sets a name where it is defined, else in the current scope. */
export function setName(tree: TreeProgram, name: string, value: Value): void {
  let target = tree.scope;
  for (let scope: Scope | null = tree.scope; scope !== null; scope = scope.outer) {
    if (scope.names.has(name)) {
      target = scope;
      break;
    }
  }
  const before = target.names.get(name);
  const replaces = tree.branches === 0 && target === tree.scope;
  target.names.set(name, before === undefined || replaces ? value : join([value, before]));
}

/** Adds what a value was derived from to the variable or attribute that holds an object. */
export function taint(tree: TreeProgram, node: SyntaxNode | null, value: Value): void {
  if (value.labels.length === 0 || node === null) return;
  if (node.name === "VariableName") taintName(tree, textOf(tree, node), value);
  else if (node.name === "MemberExpression") {
    const [object = null] = children(node);
    const field = fieldOf(tree, node);
    if (field === null) taint(tree, object, value);
    else tree.fields.set(field, withLabels(tree.fields.get(field) ?? NOTHING, value));
  }
}

export function taintName(tree: TreeProgram, name: string, value: Value): void {
  for (let scope: Scope | null = tree.scope; scope !== null; scope = scope.outer) {
    const before = scope.names.get(name);
    if (before === undefined) continue;
    if (before.fn === undefined) scope.names.set(name, withLabels(before, value));
    return;
  }
}

function withLabels(before: Value, value: Value): Value {
  const { labels } = join([before, value]);
  const { items: _items, ...rest } = before;
  return { ...rest, labels };
}

/** The attribute of `self.NAME` or `this.NAME`; null for others. */
export function fieldOf(tree: TreeProgram, node: SyntaxNode): string | null {
  const [object, , property] = children(node);
  if (object === undefined || property === undefined || !/^(?:self|this)$/.test(textOf(tree, object))) return null;
  return /^Property|^PrivateProperty/.test(property.name) ? textOf(tree, property) : null;
}
