import { relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** Attributes and properties whose value is shown to people. */
const SHOWN = new Set(
  (
    "title label description placeholder help alt text term header aria-label emptyText confirmLabel cancelLabel action " +
    "done failed"
  ).split(" "),
);

/** Expressions that may show a value of a union, each with the reason. */
const ALLOWED: Record<string, string> = {
  "components/ui/class-chip.tsx: value": "classes are shown by their own words",
  "components/json/json-tree.tsx: noun": "a noun in a sentence",
  "components/agents/budget-meter.tsx: line.unit": "a unit",
  "components/audit/audit-lanes.tsx: noun": "a noun in a sentence",
  "components/catalog/entry/entry-page.tsx: entry.kind": "to be replaced by kindLabels of skill-labels.ts",
  "components/catalog/entry/entry-page.tsx: word": "a noun in a sentence",
  "components/catalog/sources/sync-drawer.tsx: errorCode": "an error code, shown after its message",
  "components/connect/connect-page.tsx: label": "names of programs",
  "components/connect/connect-page.tsx: system": "names of operating systems",
  "components/pipelines/pipeline-graph.tsx: calls": "a noun in a sentence",
  "components/pipelines/pipeline-plan.tsx: calls": "a noun in a sentence",
  "components/review/packages-panel.tsx: item.ecosystem": "names of package registries, as OSV writes them",
  "components/runs/list/cancel-runs-bar.tsx: verb": "the verb of a sentence",
  "components/runs/list/run-selection.tsx: verb": "the verb of a sentence",
  "components/runs/start/copy-as-dialog.tsx: forms[name].label": "names of programs",
  "components/runs/start/copy-as-dialog.tsx: label": "names of programs",
  "components/settings/profile-section.tsx: unit": "a unit",
};

function configured(): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
}

/** Returns the expressions of a file that are rendered as text: children of elements, text attributes and text properties. */
function shownExpressions(file: ts.SourceFile): ts.Expression[] {
  const found: ts.Expression[] = [];
  const add = (expression: ts.Expression | undefined): void => {
    if (expression === undefined) return;
    if (ts.isParenthesizedExpression(expression)) add(expression.expression);
    else if (ts.isConditionalExpression(expression)) [expression.whenTrue, expression.whenFalse].forEach(add);
    else if (ts.isTemplateExpression(expression)) for (const span of expression.templateSpans) add(span.expression);
    else if (ts.isBinaryExpression(expression)) [expression.left, expression.right].forEach(add);
    else if (ts.isArrowFunction(expression) && !ts.isBlock(expression.body)) add(expression.body);
    else found.push(expression);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxExpression(node)) {
      const { parent } = node;
      const isChild = ts.isJsxElement(parent) || ts.isJsxFragment(parent);
      const isShown = ts.isJsxAttribute(parent) && SHOWN.has(parent.name.getText());
      if (isChild || isShown) add(node.expression);
    }
    if (ts.isPropertyAssignment(node) && (SHOWN.has(node.name.getText()) || node.name.getText() === "cell"))
      add(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the members of a union of string literals that look like values and not like text; empty for other types. */
function rawMembers(type: ts.Type): string[] {
  const members = (type.isUnion() ? type.types : [type]).filter(
    (member) => (member.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0,
  );
  if (members.length < 2 || !members.every((member) => member.isStringLiteral())) return [];
  return members.map((member) => (member as ts.StringLiteralType).value).filter((value) => /^[a-z][\w-]*$/.test(value));
}

test("no page shows a value of an enum where a label belongs", { timeout: 300_000 }, () => {
  const { options, fileNames } = configured();
  const sources = fileNames.filter(
    (name) => /^(app|components)\//.test(relative(process.cwd(), name)) && !/\.(test|spec)\.|\/testing\//.test(name),
  );
  const program = ts.createProgram(sources, { ...options, noEmit: true, incremental: false });
  const checker = program.getTypeChecker();
  const problems: string[] = [];
  for (const name of sources) {
    const file = program.getSourceFile(name);
    if (!file) continue;
    const path = relative(process.cwd(), name);
    for (const expression of shownExpressions(file)) {
      // Calls and conditions produce text; only a value that is passed on unchanged can be raw.
      if (!ts.isIdentifier(expression) && !ts.isPropertyAccessExpression(expression)) continue;
      const raw = rawMembers(checker.getTypeAtLocation(expression));
      const text = expression.getText();
      if (raw.length === 0 || ALLOWED[`${path}: ${text}`]) continue;
      const { line } = file.getLineAndCharacterOfPosition(expression.getStart());
      problems.push(`${path}:${line + 1}: {${text}} can be ${raw.slice(0, 3).join(", ")}`);
    }
  }
  expect(problems).toEqual([]);
});
