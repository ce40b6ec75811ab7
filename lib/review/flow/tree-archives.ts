import type { SyntaxNode } from "@lezer/common";
import { type Range, reportTransfer, writeFile } from "./program";
import { contentsOf } from "./shell-transfers";
import { type Call, children, lookUp, type TreeProgram, taint, taintName, textOf } from "./tree-program";
import { addressesOf, NETWORK, rangeOf } from "./tree-transfers";
import { joinLabels, type Label, NOTHING, type Value } from "./values";

/** Calls that write into the buffer that an argument names: as an archive or a table. */
const WRAPS = /^(?:ZipFile|PyZipFile|TarFile|GzipFile|BZ2File|LZMAFile|writer|DictWriter|TextIOWrapper)$/;
/** Calls that write their object or other arguments into a buffer or file. */
const FILLS =
  /^(?:dump|safe_dump|dump_all|print|copyfileobj|save|savez\w*|to_(?:csv|json|pickle|parquet|excel|feather)|download_fileobj|retrbinary)$/;
const BUFFERS = /(?:BytesIO|StringIO|SpooledTemporaryFile|TemporaryFile|open)\(\)$/;
/** Calls that add a file, a folder or a text. */
const ADDS =
  /^(?:add|write|writestr|writerow|writerows|file|folder|directory|append|glob|addFile|addLocalFile|addLocalFolder|addBuffer|addFolder|addPath|entry|addReadStream)$/;
const ARCHIVES =
  /^archive\(\)$|(?:^|\W)(?:adm-zip|jszip|archiver|yazl|tar-stream|zip-stream|zip-local)\b|csv\.\w*[wW]riter\(\)$/;

/** What a call writes into an archive, a buffer, or a file that an argument stands for. */
export function fillByCall(tree: TreeProgram, call: Call): void {
  const { name, base, args, named, node, baseNode } = call;
  const given = [...args, ...named.values()];
  if (ADDS.test(name) && ARCHIVES.test(base.ref)) {
    const labels = joinLabels(given.map((arg) => contentsOf(tree.program, arg)));
    if (labels.length === 0) return;
    taint(tree, baseNode, { ...NOTHING, labels });
    fill(tree, base.props?.get("holder")?.ref ?? "", labels, rangeOf(node));
  } else if (name === "pipe" && ARCHIVES.test(base.ref) && baseNode?.name === "VariableName") {
    // What is added later goes there, too.
    const [target] = argumentNodes(node);
    if (target?.name === "VariableName") hold(tree, textOf(tree, baseNode), textOf(tree, target));
  } else if (FILLS.test(name)) {
    const labels = joinLabels([base.labels, ...given.map((arg) => arg.labels)]);
    if (labels.length === 0) return;
    for (const arg of given)
      if (/\bopen\(\)$/.test(arg.ref)) for (const path of arg.texts) writeFile(tree.program, path, labels);
    for (const arg of argumentNodes(node))
      if (arg.name === "VariableName" && BUFFERS.test(lookUp(tree, textOf(tree, arg))?.ref ?? ""))
        taintName(tree, textOf(tree, arg), { ...NOTHING, labels });
  }
}

/** An archive or table with the name of the buffer that it is written into. */
export function withHolder(tree: TreeProgram, { name, named, node }: Call, value: Value): Value {
  if (!WRAPS.test(name) && !(name === "open" && named.has("fileobj"))) return value;
  const nodes = argumentNodes(node);
  const byName = nodes.find(({ prevSibling }) => prevSibling?.name === "AssignOp" && isFile(tree, prevSibling));
  const holder = byName ?? nodes[0];
  if (holder?.name !== "VariableName") return value;
  const props = new Map([...(value.props ?? []), ["holder", { ...NOTHING, ref: textOf(tree, holder) }]] as const);
  return { ...value, props };
}

function isFile(tree: TreeProgram, { prevSibling }: SyntaxNode): boolean {
  return prevSibling !== null && /^(?:fileobj|file|f)$/.test(textOf(tree, prevSibling));
}

/** The arguments of a call, without the names that they are given by. */
function argumentNodes(node: SyntaxNode): SyntaxNode[] {
  const list = node.getChild("ArgList");
  return list === null
    ? []
    : children(list).filter(
        ({ name, nextSibling }) => !/^(?:[(),]|AssignOp|\*{1,2})$/.test(name) && nextSibling?.name !== "AssignOp",
      );
}

function hold(tree: TreeProgram, archive: string, holder: string): void {
  for (let { scope }: { scope: TreeProgram["scope"] | null } = tree; scope !== null; scope = scope.outer) {
    const known = scope.names.get(archive);
    if (known === undefined) continue;
    scope.names.set(archive, {
      ...known,
      props: new Map([...(known.props ?? []), ["holder", { ...NOTHING, ref: holder }]]),
    });
    return;
  }
}

function fill(tree: TreeProgram, holder: string, labels: readonly Label[], range: Range): void {
  const target = lookUp(tree, holder);
  if (target === undefined) return;
  taintName(tree, holder, { ...NOTHING, labels });
  if (/(?:open|createWriteStream)\(\)$/.test(target.ref))
    for (const path of target.texts) writeFile(tree.program, path, labels);
  else if (NETWORK.test(target.ref))
    reportTransfer(tree.program, labels, { position: "body", texts: addressesOf(target) }, range);
}

/** What `tar.create(…)` of JavaScript packs. */
export function packedBy(tree: TreeProgram, { ref, args }: Call): Value | null {
  if (!/^tar\.(?:c|create|pack)$/.test(ref)) return null;
  const labels = joinLabels(args.map((arg) => contentsOf(tree.program, arg)));
  for (const path of args[0]?.props?.get("file")?.texts ?? []) writeFile(tree.program, path, labels);
  return { ...NOTHING, labels, ref: `${ref}()` };
}
