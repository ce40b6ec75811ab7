import type { SyntaxNode } from "@lezer/common";
import { hostOf, isLocal } from "./judge-flow";
import { type Range, reportLeak } from "./program";
import type { Call, TreeProgram } from "./tree-program";
import { HOLE, type Label, NOTHING, type Value } from "./values";

const NO_CATCH = String.raw`\.catch\(\s*(?:\(\s*\w*\s*\)|\w{1,20})\s*=>\s*(?:\{\s*\}|null|undefined|void 0|0|false)\s*\)|\.catch\(\s*function\s*\(\w*\)\s*\{\s*\}`;
const NO_EXCEPT = String.raw`except\b[^\n]{0,80}:\s{0,40}(?:#[^\n]{0,80}\s{1,40})?(?:pass|continue|\.\.\.|return)\b`;
const EMPTY_CATCH = String.raw`\bcatch\s*(?:\([^)\n]{0,30}\))?\s*\{\s{0,40}(?:\/\/[^\n]{0,80}\s{1,40})?(?:return;?\s{0,40})?\}`;
const NO_ERROR = String.raw`\.on\(\s*["']error["']\s*,\s*(?:\(\s*\w*\s*\)|\w{1,20})\s*=>\s*\{\s*\}|\.on\(\s*["']error["']\s*,\s*function\s*\(\w*\)\s*\{\s*\}`;
const SWALLOWS = new RegExp([NO_CATCH, NO_EXCEPT, EMPTY_CATCH, NO_ERROR, String.raw`\bsuppress\(`].join("|"));
const FIXED =
  /https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|0\.0\.0\.0(?![\w.-]))[\w-]+(?:\.[\w-]+)+|\bhost(?:name)?["']?\s*[:=]\s*["'][\w-]+(?:\.[\w-]+)+["']|HTTPS?Connection\(\s*["'][\w-]+(?:\.[\w-]+)+["']/;
const READS =
  /\bopen\(|read_?(?:text|bytes|csv|excel)\(|readFile(?:Sync)?\(|createReadStream\(|\bstdin\b|\bDictReader\(|readTextFile\(/;

/** Whether a program can send what it reads so that its user does not notice: a cheap test. */
export function mayLeak(text: string): boolean {
  return FIXED.test(text) && READS.test(text) && SWALLOWS.test(text);
}

const OPENS =
  /^(?:open|readFile|readFileSync|createReadStream|read_text|read_bytes|readtext|readText|readTextFile|read_csv|read_excel|loadtxt|file)$/;
const DOCUMENTS =
  /\.(?:csv|tsv|xlsx?|docx?|odt|pdf|pptx?|txt|md|rtf|eml|mbox|vcf|ics|db|sqlite3?|jsonl|ofx|html?|ipynb|py|[jt]sx?|rb|go|java|kt|cs|php|swift|rs|c|cpp|h)$/i;
/** Figures about documents, and not what they say. */
const COUNTS =
  /^(?:Counter|most_common|groupby|groupBy|countBy|value_counts|mean|median|sum|describe|nunique|max|min|round|fsum|stdev|pstdev|int|float|Number|parseInt|parseFloat|reduce|sumBy|quantiles?)$/;

const DOCUMENT: Label = { kind: "document", name: "what the user's files say", owners: [] };

/** What is read from a file that the user names, from a folder of the user, or from standard input. */
export function documentOf(tree: TreeProgram, { name, base, args }: Call, paths: readonly string[]): Value | null {
  if (!tree.mayLeak) return null;
  const [first = NOTHING] = args;
  const isInput =
    /^(?:read|readlines|load)$/.test(name) && (base.ref === "sys.stdin" || /^sys\.stdin(?:\.buffer)?$/.test(first.ref));
  if (!isInput && !OPENS.test(name)) return null;
  const known = paths.filter((path) => path !== "");
  const isOpen = known.length === 0 || known.some(isDocument);
  return isInput || isOpen ? { labels: [DOCUMENT], texts: [], ref: "open()" } : null;
}

/** A path that is not known to its end, or has the ending of a document; `0` is standard input. */
function isDocument(path: string): boolean {
  const end = path.split(HOLE).at(-1) ?? "";
  return end === "" || path === "0" || path === "/dev/stdin" || DOCUMENTS.test(end);
}

/** A value that only counts has nothing of a document any more. */
export function withoutDocuments(name: string, value: Value): Value {
  if (!COUNTS.test(name) || value.labels.every(({ kind }) => kind !== "document")) return value;
  return { ...value, labels: value.labels.filter(({ kind }) => kind !== "document") };
}

/** Reports documents on their way to a fixed host, when the program uses no answer and shows no error. */
export function leakByCall(tree: TreeProgram, call: Call, addresses: readonly string[], range: Range): void {
  if (!tree.mayLeak) return;
  const values = [...call.args, ...call.named.values()];
  if (!values.some((value) => hasDocument(value))) return;
  const address = addresses.find((text) => hostOf(text) !== "" && !isLocal(text));
  if (address !== undefined && isUnseen(tree, call.node))
    reportLeak(tree.program, `${DOCUMENT.name} to ${hostOf(address)}`, range);
}

function hasDocument({ labels }: Value): boolean {
  return labels.some(({ kind }) => kind === "document");
}

const CHAIN = /^(?:MemberExpression|CallExpression|AwaitExpression|ArgList|ParenthesizedExpression)$/;

/** The variable of a request that is built first and opened later. */
function requestName(node: SyntaxNode, text: string): string | null {
  const { parent } = node;
  if (parent?.name !== "AssignStatement" && parent?.name !== "VariableDeclaration") return null;
  return (
    /^(?:(?:const|let|var)\s+)?(\w{1,60})\s*=\s*(?:new\s+)?[\w.]{0,60}Request\(/.exec(
      text.slice(parent.from, parent.from + 200),
    )?.[1] ?? null
  );
}

function isOpenedUnseen(name: string, text: string): boolean {
  return new RegExp(
    `^[ \\t]*(?:with |await )?[\\w.]{0,40}(?:urlopen|open|fetch)\\(\\s*${name}\\b[^\\n]{0,80}?\\)(?:\\.read\\(\\))?(?:(?: as _)?:[ \\t]*(?:\\n[ \\t]*)?pass)?[ \\t]*(?:\\n\\s{0,40}(?:${NO_EXCEPT})|;?\\s{0,20}(?:${EMPTY_CATCH}|\\}\\s{0,10}${EMPTY_CATCH})|(?:${NO_CATCH}))`,
    "m",
  ).test(text);
}

function isUnseen(tree: TreeProgram, node: SyntaxNode): boolean {
  const { text } = tree;
  const name = requestName(node, text);
  if (name !== null) return isOpenedUnseen(name, text);
  let at: SyntaxNode | null = node;
  // A request with `.catch(…)` and `urlopen(…).read()` are one statement.
  while (at.parent !== null && CHAIN.test(at.parent.name)) at = at.parent;
  const statement = at.parent;
  if (statement === null) return false;
  const isWith =
    statement.name === "WithStatement" &&
    !/^with[^\n]{0,400}?\bas\s+(?!_\b)\w+/.test(text.slice(statement.from, at.to + 40));
  const isArrow = statement.name === "ArrowFunction";
  if (statement.name !== "ExpressionStatement" && !isWith && !isArrow) return false;
  if (new RegExp(NO_CATCH).test(text.slice(node.to, Math.min(at.to, node.to + 400)))) return true;
  // The answer of a request is read by a function.
  const built = /\brequest\(/.exec(text)?.index ?? -1;
  if (new RegExp(NO_ERROR).test(text))
    return built === -1 || !/=>|function/.test(text.slice(built, text.indexOf(";", built) + 1 || built));
  let inside = "";
  for (let outer: SyntaxNode | null = statement; outer !== null; outer = outer.parent) {
    if (outer.name === "TryStatement") {
      const end = text.slice(at.to, Math.min(outer.to, at.to + 1_000));
      return new RegExp(`${NO_EXCEPT}|${EMPTY_CATCH}`).test(end);
    }
    if (outer.name === "WithStatement" && /^with[^\n]{0,40}\bsuppress\(/.test(text.slice(outer.from, outer.from + 80)))
      return true;
    if (/^Function(?:Definition|Declaration)$/.test(outer.name))
      inside =
        /^(?:async\s+)?(?:def|function\*?)\s+(\w{1,60})/.exec(text.slice(outer.from, outer.from + 100))?.[1] ?? inside;
  }
  // A function whose caller hides its errors.
  return (
    inside !== "" &&
    new RegExp(
      `\\btry:?\\s*\\{?\\s{0,40}(?:await\\s+)?${inside}\\([^\\n]{0,120}\\);?\\s{0,40}\\}?\\s{0,40}(?:${NO_EXCEPT}|${EMPTY_CATCH})|\\b${inside}\\([^\\n]{0,120}\\)\\s{0,20}(?:${NO_CATCH})`,
    ).test(text)
  );
}
