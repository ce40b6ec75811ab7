import { reportDestruction } from "./program";
import { homeFiles } from "./secret-places";
import type { Call, TreeProgram } from "./tree-program";
import { joinLabels, NOTHING } from "./values";

const REMOVES = /^(?:remove|unlink|unlinkSync|rmtree|rm|rmSync|rmdirSync|removeSync|rimraf|sync|delete|truncate|truncateSync)$/;
const WHOLE = /^(?:rmtree|rm|rmSync|removeSync|rimraf|emptyDirSync)$/;
const WRITES = /^(?:write|write_bytes|write_text|writeFile|writeFileSync|writeSync|writelines)$/;
const NOISE = /urandom|randbytes|token_bytes|randomBytes|randomFill|getRandomValues|Buffer\.alloc|\\0|\\x00|bytes\(\w/;
/** A loop that looks at names, ages or sizes, or asks, removes some of the files and not all. */
const CHOOSES =
  /suffix|endswith|endsWith|fnmatch|extname|[amc]time|st_size|getsize|\.size\b|\b(?:age|days|older|stale|pattern|match\w*|confirm|prompt|dry_?run)\b|\binput\(|includes\(|\.(?:test|search)\(|\bname\b\s*(?:[=!]=|in\b|not\b)|\bif \w+ (?:[=!]=|in|not in) /i;
const MAX_LOOP_CHARS = 2_000;

/** Reports a call that removes all files of the user, or overwrites them with zeros or noise. */
export function destroyByCall(tree: TreeProgram, { name, ref, base, args, node }: Call): void {
  const range = { start: node.from, end: Math.min(node.to, node.from + 600) };
  const [first = NOTHING] = args;
  if (WRITES.test(name)) {
    const [place, content] = /^writeFile|^writeSync/.test(name) ? [first, args[1]] : [base.props?.get("path") ?? base, first];
    if (NOISE.test(tree.text.slice(node.from, Math.min(node.to, node.from + 300))) || NOISE.test(content?.ref ?? ""))
      reportDestruction(tree.program, place.labels, range);
    return;
  }
  if (!REMOVES.test(name) || (/^(?:rm|sync|delete)$/.test(name) && !/rimraf|fs|rm/.test(ref))) return;
  const home = WHOLE.test(name) && first.labels.length === 0 ? homeFiles(first.texts) : null;
  const labels = joinLabels([base.labels, first.labels, home === null ? [] : [home]]);
  if (labels.some(({ isHome }) => isHome) && !isChosen(tree, node)) reportDestruction(tree.program, labels, range);
}

function isChosen(tree: TreeProgram, node: Call["node"]): boolean {
  let outer: Call["node"] | null = node.parent;
  while (outer?.parent && !/^(?:For\w*Statement|FunctionDe\w+|ArrowFunction)$/.test(outer.name)) outer = outer.parent;
  return outer !== null && CHOOSES.test(tree.text.slice(outer.from, Math.min(outer.to, outer.from + MAX_LOOP_CHARS)));
}
