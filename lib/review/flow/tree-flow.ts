import type { SyntaxNode } from "@lezer/common";
import { parser as javascriptParser } from "@lezer/javascript";
import { parser as pythonParser } from "@lezer/python";
import { openProgram, type Program } from "./program";
import type { RunOther } from "./shell-state";
import { comprehensionValue, runAssignment, runFor, runWith } from "./tree-assignments";
import { runCall } from "./tree-calls";
import { asChosen } from "./tree-damage";
import { mayLeak } from "./tree-documents";
import { binaryValue, conditionalValue, memberValue, nameValue, objectValue, templateValue } from "./tree-expressions";
import { addFunction, hoistFunctions, runClass, runDefinition, runUncalled } from "./tree-functions";
import { unquote } from "./tree-members";
import { runImport } from "./tree-modules";
import { canVisit, children, type TreeProgram, textOf } from "./tree-program";
import { importByCall } from "./tree-transfers";
import { concat, HOLE, join, joinLabels, NOTHING, textValue, type Value, withoutLabels } from "./values";

const typescript = javascriptParser.configure({ dialect: "ts jsx" });

type Options = { program?: Program; runOther: RunOther };

/** Follows values through a Python or JavaScript program and adds what leaves the machine to `program`. */
export function followTree(
  text: string,
  language: "python" | "javascript",
  { program = openProgram(), runOther }: Options,
): void {
  runTree(openTree(text, language, { program, runOther }));
}

function openTree(
  text: string,
  language: "python" | "javascript",
  { program, runOther }: Required<Options>,
): TreeProgram {
  const tree: TreeProgram = {
    ...{ program, text, mayLeak: mayLeak(text), language, scope: { names: new Map(), outer: null }, fields: new Map() },
    ...{
      functions: [],
      methods: new Map(),
      returned: [],
      depth: 0,
      calls: 0,
      branches: 0,
      exported: new Map(),
      modules: new Map(),
      openModule: (module: string, inner: Program) => {
        const { functions, methods, fields, modules } = tree;
        const opened = openTree(module, language, { program: inner, runOther });
        runTree(Object.assign(opened, { functions, methods, fields, modules }));
        return opened;
      },
      runOther,
      commandOutput: null,
      evaluate: (node: SyntaxNode | null | undefined) => evaluate(tree, node),
      evaluateAll: (nodes: SyntaxNode[]) => visitAll(tree, nodes),
    },
  };
  return tree;
}

function runTree(tree: TreeProgram): void {
  const { text, language } = tree;
  const { topNode } = (language === "python" ? pythonParser : typescript).parse(text);
  hoistFunctions(tree, topNode);
  visitAll(tree, children(topNode));
  runUncalled(tree);
}

function visitAll(tree: TreeProgram, nodes: SyntaxNode[]): Value {
  return join(nodes.map((node) => evaluate(tree, node)));
}

/** The value of an expression. Statements are run and have none. */
function evaluate(tree: TreeProgram, node: SyntaxNode | null | undefined): Value {
  if (!node || !canVisit(tree)) return NOTHING;
  tree.depth += 1;
  const value = evaluateNode(tree, node);
  tree.depth -= 1;
  return value;
}

function evaluateNode(tree: TreeProgram, node: SyntaxNode): Value {
  switch (node.name) {
    case "VariableName":
    case "VariableDefinition":
      return nameValue(tree, textOf(tree, node));
    case "this":
    case "self":
      return { ...NOTHING, ref: "this" };
    case "String":
      return stringValue(tree, unquote(textOf(tree, node)));
    case "Number":
      return textValue(textOf(tree, node).slice(0, 20));
    case "ContinuedString":
      return concat(children(node).map((child) => evaluate(tree, child)));
    case "FormatString":
    case "TemplateString":
      return templateValue(tree, node);
    case "FormatReplacement":
    case "Interpolation":
      return visitAll(
        tree,
        children(node).filter((child) => !/^(?:FormatConversion|FormatSpec)$/.test(child.name)),
      );
    case "MemberExpression":
      return memberValue(tree, node);
    case "CallExpression":
    case "NewExpression":
      return runCall(tree, node);
    case "ArrayExpression":
    case "TupleExpression":
    case "SetExpression": {
      const items = children(node)
        .filter(({ name }) => !/^(?:[[\](){},*]|Spread)$/.test(name))
        .map((child) => evaluate(tree, child))
        .flatMap((item) => (item.ref === "array()" && item.items !== undefined ? item.items : [item]));
      return {
        labels: joinLabels(items.map(({ labels }) => labels)),
        texts: items.flatMap(({ texts }) => texts).slice(0, 6),
        ref: "",
        items,
      };
    }
    case "ObjectExpression":
    case "DictionaryExpression":
      return objectValue(tree, node);
    case "BinaryExpression":
      return binaryValue(tree, node);
    case "AssignmentExpression":
    case "AssignStatement":
    case "UpdateStatement":
    case "VariableDeclaration":
    case "NamedExpression":
    case "PropertyDeclaration":
      return runAssignment(tree, node);
    case "ArrayComprehensionExpression":
    case "DictionaryComprehensionExpression":
    case "SetComprehensionExpression":
    case "ComprehensionExpression":
    case "GeneratorExpression":
      return comprehensionValue(tree, node);
    case "ConditionalExpression":
      return conditionalValue(tree, node);
    case "UnaryExpression":
      return /^(?:!|not|typeof|-|\+|~|delete|void)/.test(textOf(tree, node))
        ? withoutLabels(visitAll(tree, children(node)))
        : visitAll(tree, children(node));
    case "FunctionDefinition":
    case "FunctionDeclaration":
      return runDefinition(tree, node);
    case "LambdaExpression":
    case "ArrowFunction":
    case "FunctionExpression":
      return { ...NOTHING, fn: addFunction(tree, node) };
    case "ClassDefinition":
    case "ClassDeclaration":
    case "ClassExpression":
      return runClass(tree, node);
    case "ImportStatement":
    case "ImportDeclaration":
      runImport(tree, node);
      return NOTHING;
    case "DynamicImport":
      return importByCall(tree, node, visitAll(tree, children(node).slice(1)));
    case "ExportDeclaration": {
      const value = visitAll(tree, children(node));
      if (/^export\s+default\b/.test(textOf(tree, node).slice(0, 40))) tree.exported.set("default", value);
      return NOTHING;
    }
    case "ReturnStatement":
    case "YieldStatement":
    case "YieldExpression":
      tree.returned.push(asChosen(tree, node, visitAll(tree, children(node))));
      return NOTHING;
    case "WithStatement":
      return runWith(tree, node);
    case "ForStatement":
      return runFor(tree, node);
    case "IfStatement":
    case "WhileStatement":
    case "TryStatement":
    case "SwitchStatement":
    case "DoStatement":
    case "MatchStatement": {
      tree.branches += 1;
      visitAll(tree, children(node));
      tree.branches -= 1;
      return NOTHING;
    }
    case "Comment":
    case "LineComment":
    case "BlockComment":
    case "TypeAnnotation":
    case "TypeDef":
      return NOTHING;
    default:
      return node.firstChild === null ? NOTHING : visitAll(tree, children(node));
  }
}

/** The shell that runs this code may have put values of its own into a string. */
function stringValue({ program: { hole } }: TreeProgram, text: string): Value {
  return hole !== null && text.includes(HOLE) ? { ...textValue(text), labels: hole.labels } : textValue(text);
}
