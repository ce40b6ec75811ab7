import type { SyntaxNode } from "@lezer/common";
import { reportExecution, writeFile } from "./program";
import { secretAddress } from "./secret-places";
import { contentsOf } from "./shell-transfers";
import { fillByCall, packedBy, withHolder } from "./tree-archives";
import { bindLoop, eachOf, tupleOf } from "./tree-assignments";
import { asChosen, destroyByCall } from "./tree-damage";
import { withoutDocuments } from "./tree-documents";
import { addFunction, runFunction } from "./tree-functions";
import { readMember } from "./tree-members";
import { type Call, children, type TreeProgram, taint, textOf } from "./tree-program";
import { sourceOf } from "./tree-sources";
import { addressesOf, executeByCall, feedCommand, NETWORK, rangeOf, sendByCall } from "./tree-transfers";
import {
  CODED,
  concat,
  decodeText,
  encoded,
  HOLE,
  join,
  joinLabels,
  labelled,
  NOTHING,
  NUMBER,
  textValue,
  type Value,
} from "./values";

const WRITES =
  /^(?:writeFile|writeFileSync|appendFile|appendFileSync|outputFile|write_text|write_bytes|createWriteStream|writeTextFile)$/;
const MEASURES =
  /^(?:len|exists|existsSync|is_file|is_dir|isfile|isdir|stat|statSync|lstat|getsize|startswith|endswith|startsWith|endsWith|includes|indexOf|find|index|count|bool|isinstance|type|hash|sha256|sha1|sha512|md5|createHash|hexdigest|digest|keys|hasOwnProperty|access|accessSync|test|any|all|getmtime|chmod|chmodSync|unlink|remove|rm|rmSync|mkdir|makedirs|isEmpty|has)$/;
const ENCODES =
  /^(?:b64encode|b32encode|b16encode|b85encode|a85encode|urlsafe_b64encode|standard_b64encode|encodebytes|hexlify|hex|btoa|compress|gzipSync|deflateSync|brotliCompressSync|encrypt|rot13)$/;
const DECODES = /^(?:b64decode|urlsafe_b64decode|standard_b64decode|atob)$/;
/** These call their first argument with the others. */
const STARTS = /^(?:submit|register|setTimeout|call_soon|call_later|to_thread|run_in_executor|apply_async|partial)$/;
const LOGS = /^(?:debug|info|warn|warning|error|critical|exception|log)$/;
/** These return their first argument or their object, as text. */
const SAME =
  /^(?:str|String|expanduser|expandvars|abspath|realpath|normpath|Path|PurePath|strip|trim|lower|upper|toLowerCase|toUpperCase|toString|encode|decode|resolve|normalize|rstrip|lstrip|copy|filter|list|tuple|set|sorted|reversed|iter|slice|concat|fspath|quote|from|replace|split|splitlines|sort|reverse|flat|with_suffix|fileURLToPath|as_posix|unique|enumerate|URL|values|items|entries)$/;
const MUTATES =
  /^(?:push|append|add|update|set|extend|write|insert|unshift|put|set_content|attach|setdefault|set_payload|writestr|writelines|add_attachment|setRequestHeader|enqueue)$/;

/** Names programs that start with the machine or the session. */
const START_FILE =
  /\/systemd\/(?:user|system)\/[^/]*$|\.(?:service|timer|desktop)$|\/Launch(?:Agents|Daemons)\/|\/(?:etc\/cron|init\.d|rc\.local)|\.(?:bashrc|zshrc|profile|bash_profile|zprofile)$/;

/** The value of a call. Reports it when it sends or executes. */
export function runCall(tree: TreeProgram, node: SyntaxNode): Value {
  const call = readCall(tree, node);
  const { ref, name, base } = call;
  destroyByCall(tree, call);
  if (name === "add_argument") setOption(tree, call);
  if (MUTATES.test(name)) taint(tree, call.baseNode, asChosen(tree, node, joinArgs(call)));
  if (
    WRITES.test(name) ||
    ref === "os.write" ||
    (name === "write" && /\b(?:open|createWriteStream|archive)\(\)$/.test(base.ref))
  )
    writeByCall(tree, call);
  if (/^(?:write|add|writestr|mkdir)$/.test(name) && base.ref === "archive()")
    for (const path of base.texts)
      writeFile(tree.program, path, joinLabels(call.args.map((arg) => contentsOf(tree.program, arg))));
  fillByCall(tree, call);
  if (/^(?:pipe|pipeline|copyfileobj|urlretrieve|download)$/.test(name)) saveByCall(tree, call);
  tree.commandOutput = null;
  executeByCall(tree, call);
  if (/^(?:communicate|write|end)$/.test(name)) feedCommand(tree, call);
  const source = tree.commandOutput ?? packedBy(tree, call) ?? sourceOf(tree, call);
  const isSent = sendByCall(tree, call);
  const fn = calledFunction(tree, call);
  // `response.json()` is what the request returned.
  const isSame = call.args.length + call.named.size === 0 && base.labels.length > 0;
  const result = fn ?? source ?? (isSent && !isSame ? fetchedBy(call) : resultOf(tree, call));
  if (/^(?:on|once|addListener|addEventListener)$/.test(name)) listen(tree, call);
  if (/^(?:emit|dispatchEvent)$/.test(name))
    for (const fn of tree.methods.get(`event:${call.args[0]?.texts[0] ?? ""}`) ?? [])
      runFunction(tree, fn, call.args.slice(1), rangeOf(node));
  const returned = runCallbacks(tree, call, result);
  const all = /^(?:map|flatMap|reduce|then)$/.test(name) ? join([result, ...returned]) : result;
  if (name === "filter") return asChosen(tree, node, all);
  return withHolder(tree, call, all.ref === "" ? { ...all, ref: `${ref}()` } : all);
}

function readCall(tree: TreeProgram, node: SyntaxNode): Call {
  const parts = children(node).filter(({ name }) => !/^(?:new|\?\.|TypeArgList)$/.test(name));
  const [callee, list] = parts;
  const args: Value[] = [];
  const named = new Map<string, Value>();
  if (callee?.name === "FunctionExpression" || callee?.name === "ParenthesizedExpression") tree.evaluate(callee);
  const target = callee === undefined ? { ref: "", name: "", base: NOTHING, baseNode: null } : readCallee(tree, callee);
  const inner =
    list === undefined
      ? []
      : list.name === "ArgList"
        ? children(list).filter(({ name }) => !/^[(),]$/.test(name))
        : [list];
  const loop = inner.findIndex(({ name }) => name === "for");
  if (loop !== -1) {
    const each = loop === 1 && inner[0] !== undefined ? eachOf(tree, inner.slice(1), inner[0]) : null;
    if (each !== null) args.push(tupleOf(each));
    else bindLoop(tree, inner.slice(loop));
    inner.length = each === null ? loop : 0;
  }
  for (let at = 0; at < inner.length; at += 1) {
    const part = inner[at];
    if (part === undefined) continue;
    if (inner[at + 1]?.name === "AssignOp") {
      named.set(textOf(tree, part), tree.evaluate(inner[at + 2]));
      at += 2;
    } else if (/^(?:ArrowFunction|FunctionExpression|LambdaExpression)$/.test(part.name)) {
      args.push({ ...NOTHING, fn: addFunction(tree, part) });
    } else if (!/^(?:\*|\*\*|Spread)$/.test(part.name)) args.push(tree.evaluate(part));
  }
  return { node, args, named, ...target };
}

function readCallee(tree: TreeProgram, callee: SyntaxNode): Pick<Call, "ref" | "name" | "base" | "baseNode"> {
  const [object, mark, property] = children(callee);
  if (callee.name === "MemberExpression" && object !== undefined && mark !== undefined) {
    const base = tree.evaluate(object);
    const key =
      textOf(tree, mark) === "["
        ? tree.evaluate(property)
        : textValue(property === undefined ? "" : textOf(tree, property));
    const name = key.texts[0] ?? "?";
    const member = readMember(base, key, false);
    const ref = member.ref !== "" && member.fn === undefined ? member.ref : `${base.ref}.${name}`;
    const { fn, init } = member;
    if (fn === undefined && init === undefined && base.init === undefined) return { ref, name, base, baseNode: object };
    const { init: _ofBase, ...own } = base;
    return {
      ...{ ref, name, baseNode: object },
      base: { ...own, ...(fn !== undefined && { fn }), ...(init !== undefined && { init }) },
    };
  }
  const value = tree.evaluate(callee);
  const own = value.ref === "" && value.fn === undefined ? textOf(tree, callee).slice(0, 80) : value.ref;
  return { ref: own, name: own.split(".").at(-1) ?? "", base: value, baseNode: null };
}

export function joinArgs({ args, named }: Pick<Call, "args" | "named">): Value {
  const values = [...args, ...named.values()];
  return {
    labels: joinLabels(values.map(({ labels }) => labels)),
    texts: values.flatMap(({ texts }) => texts).slice(0, 6),
    ref: "",
  };
}

/** Runs a function of this file, by its name or as a method. */
function calledFunction(tree: TreeProgram, { ref, name, base, args, named, node }: Call): Value | null {
  const given = { args, named };
  if (base.fn !== undefined) return runFunction(tree, base.fn, given, rangeOf(node));
  if (base.init !== undefined) runFunction(tree, base.init, given, rangeOf(node));
  const methods = tree.methods.get(name) ?? [];
  if (methods.length > 0 && !NETWORK.test(ref))
    return join(methods.slice(0, 3).map((fn) => runFunction(tree, fn, given, rangeOf(node))));
  if (tree.language === "python" && LOGS.test(name)) {
    // A handler of the program's own gets each record, with what it was given beside the text.
    const record: Value = { ...joinArgs({ args, named }), props: new Map(named.get("extra")?.props) };
    for (const fn of tree.methods.get("emit") ?? []) runFunction(tree, fn, [record], rangeOf(node));
  }
  return null;
}

/** Callbacks get what the call returns, or the elements of what it is called on. Returns what they return. */
function runCallbacks(tree: TreeProgram, { args, named, base, name, node }: Call, result: Value): Value[] {
  const returned: Value[] = [];
  // `map(f, list)` in Python
  const list = tree.language === "python" && /^(?:map|filter|starmap)$/.test(name) ? args[1]?.items : base.items;
  const elements = list === undefined ? null : join(list);
  // `Thread(target=f, args=(a, b))`, `submit(f, a, b)`, `setTimeout(f, 10, a)`
  const later = named.get("args")?.items ?? (STARTS.test(name) ? args.slice(name === "setTimeout" ? 2 : 1) : null);
  for (const { fn } of [...args, ...named.values()]) {
    if (fn === undefined) continue;
    if (later !== null) {
      returned.push(runFunction(tree, fn, later, rangeOf(node)));
      continue;
    }
    const given =
      elements !== null && /^(?:map|forEach|filter|flatMap|reduce|find|some|every)$/.test(name)
        ? elements
        : join([result, { ...base, ref: "" }]);
    tree.branches += 1;
    returned.push(runFunction(tree, fn, [given, given, given], rangeOf(node)));
    tree.branches -= 1;
  }
  return returned;
}

/** `add_argument("--name", default=VALUE)`: the option is that value, unless the user gives another one. */
function setOption(tree: TreeProgram, { args, named }: Call): void {
  const value = named.get("default");
  if (value === undefined) return;
  const long = args.flatMap(({ texts }) => texts).find((text) => text.startsWith("--")) ?? args[0]?.texts[0] ?? "";
  const name = named.get("dest")?.texts[0] ?? long.replace(/^-+/, "").replaceAll("-", "_");
  tree.fields.set(`--${name}`, value);
}

/** Keeps the handlers of an event that the program itself emits. */
function listen(tree: TreeProgram, { args }: Call): void {
  const [event, handler] = args;
  if (event?.texts[0] === undefined || handler?.fn === undefined) return;
  const key = `event:${event.texts[0]}`;
  tree.methods.set(key, [...(tree.methods.get(key) ?? []), handler.fn]);
}

function writeByCall(tree: TreeProgram, call: Call): void {
  const { name, ref } = call;
  // `os.write(descriptor, text)`
  const isLow = ref === "os.write";
  const [base = NOTHING, ...args] = isLow ? call.args : [call.base, ...call.args];
  const isOwn = name === "write" || name.startsWith("write_");
  const paths = isOwn ? base.texts : (args[0]?.texts ?? []);
  const labels = joinLabels((isOwn ? args : args.slice(1)).map((arg) => arg.labels));
  for (const path of paths) writeFile(tree.program, path, labels);
  const text = (isOwn ? args[0] : args[1])?.texts[0] ?? "";
  // A service or a start-up entry that runs a downloaded file.
  if (paths.some((path) => START_FILE.test(path)))
    for (const [path, own] of tree.program.files)
      if (path.length > 6 && text.includes(path)) reportExecution(tree.program, own, rangeOf(call.node));
  // A program that this one writes into a file.
  if (/\.(?:py|pth|js|mjs)$/.test(paths[0] ?? "") && /http|socket|urlopen|fetch/.test(text)) {
    const { from, to } = call.node;
    tree.program.at = { start: from, end: Math.min(to, from + 600) };
    tree.runOther(/\.(?:py|pth)$/.test(paths[0] ?? "") ? "python" : "javascript", text, tree.program);
  }
}

/** `response.pipe(file)`, `pipeline(response, file)`, `copyfileobj(response, file)`, `urlretrieve(address, path)`. */
function saveByCall({ program }: TreeProgram, call: Call): void {
  const { name, base, args } = call;
  const target = args[name === "pipe" ? 0 : 1] ?? NOTHING;
  const given = name === "pipe" ? base : (args[0] ?? NOTHING);
  const labels = /^(?:urlretrieve|download)$/.test(name) ? fetchedBy(call).labels : given.labels;
  for (const path of target.texts) if (!/^https?:/.test(path)) writeFile(program, path, labels);
}

/** What a request returns: text of that address. */
function fetchedBy({ args, named, ref, base }: Call): Value {
  const address = [...args, ...named.values()].flatMap(addressesOf)[0] ?? base.address ?? "";
  const secret = secretAddress(address);
  if (secret !== null) return { ...labelled(secret), ref: `${ref}()`, address };
  return {
    labels: [
      {
        kind: "download",
        name: address === "" ? "a download" : address.replaceAll(HOLE, "…").slice(0, 120),
        owners: [],
      },
    ],
    texts: [],
    ref: `${ref}()`,
    address,
  };
}

function resultOf(tree: TreeProgram, call: Call): Value {
  return withoutDocuments(call.name, madeBy(tree, call));
}

function madeBy(tree: TreeProgram, call: Call): Value {
  const { name, base, args, ref } = call;
  const [first = NOTHING] = args;
  if (MEASURES.test(name) && base.ref !== "Promise") return NOTHING;
  const all = joinArgs(call);
  if (name === "ord") return { ...textValue(String(first.texts[0]?.charCodeAt(0) ?? "")), ref: NUMBER };
  if (ref === "chr" && first.ref === NUMBER) return textValue(String.fromCharCode(Number(first.texts[0])));
  if (isCoded(tree, call, all)) return { ...NOTHING, labels: [CODED] };
  if (ENCODES.test(name) || (name === "toString" && /^(?:hex|base64)/.test(first.texts[0] ?? "")))
    return encoded(join([base, all]));
  if (DECODES.test(name) || (ref === "Buffer.from" && args[1]?.texts[0] === "base64")) return decodeText(first);
  if (
    name === "fromCharCode" ||
    name === "fromCodePoint" ||
    (/^(?:bytes|bytearray)$|^Buffer\.from$/.test(ref) && first.items)
  ) {
    const text = lettersOf(name.startsWith("from") && name !== "from" ? args : [first]);
    if (text !== "") return { ...textValue(text), labels: all.labels };
  }
  if (name === "namedtuple") return { ...NOTHING, ref: `${ref}()`, items: fieldNames(args[1] ?? NOTHING) };
  if (/\bnamedtuple\(\)$/.test(base.ref) && base.items !== undefined) {
    const fields = base.items.map(({ texts: [field = ""] }, at) => [field, args[at] ?? call.named.get(field)] as const);
    return { ...all, props: new Map(fields.flatMap(([field, value]) => (value ? [[field, value] as const] : []))) };
  }
  if (/^(?:dict|SimpleNamespace|Namespace)$/.test(name) && args.length === 0 && call.named.size > 0)
    return { ...all, texts: [], props: call.named };
  if (name === "join") return joinPieces(tree, call);
  if (name === "joinpath") return concat([base, ...args], "/");
  if (ref === "URL" && args.length === 2) return concat([args[1] ?? NOTHING, first]);
  if (name === "format") return { ...concat([base, ...args]), texts: base.texts.map((text) => fillFormat(text, args)) };
  if (SAME.test(name)) {
    const same =
      args.length === 0 ||
      /^(?:strip|trim|encode|decode|toString|replace|split|filter|slice|rstrip|lstrip|sort|with_suffix)$/.test(name)
        ? base
        : first;
    const texts = name === "Path" || name === "resolve" || name === "normalize" ? concat(args, "/").texts : same.texts;
    const labels = joinLabels([base.labels, ...args.map((arg) => arg.labels)]);
    return {
      labels,
      texts,
      ref: "",
      ...(same.items && { items: same.items }),
      ...(same.props && labels.length === 0 ? { props: same.props } : {}),
    };
  }
  const labels = joinLabels([base.labels, all.labels]);
  return {
    labels,
    texts: labels.length === 0 && base.texts.length > 0 ? base.texts : [],
    ref: `${ref}()`,
    ...(base.items && /^(?:map|flatMap)$/.test(name) ? { items: base.items } : {}),
  };
}

const UNPACKS =
  /^(?:decompress|inflateSync|inflateRawSync|gunzipSync|unzipSync|brotliDecompressSync|fromhex|unhexlify|[ab]85decode|b(?:16|32)decode)$/;

/** Whether a call makes a text of constant numbers or letters that are changed, or of what it unpacks itself. */
function isCoded(tree: TreeProgram, { name, ref, node, args: [first = NOTHING] }: Call, { labels }: Value): boolean {
  if (labels.some(({ kind }) => kind !== "coded")) return false;
  if (UNPACKS.test(name)) return name !== "fromhex" || (first.texts[0] ?? "").length > 40;
  const isLetters = /^(?:chr|fromCharCode|fromCodePoint)$/.test(name);
  if (!isLetters && !/^(?:bytes|bytearray|Buffer\.from|Uint8Array)$/.test(ref)) return false;
  const given = tree.text.slice(node.from, Math.min(node.to, node.from + 300));
  return isLetters ? /\w\)?\s*(?:\^|[-+]\s*\w)/.test(given) : /\w\)?\s*\^\s*\w/.test(given);
}

/** The names in `namedtuple("T", "a b")` or `namedtuple("T", ["a", "b"])`. */
function fieldNames({ items, texts }: Value): readonly Value[] {
  return items ?? (texts[0] ?? "").split(/[\s,]+/).map(textValue);
}

function joinPieces(tree: TreeProgram, { base, args, ref }: Call): Value {
  const [first = NOTHING] = args;
  // `"sep".join(list)` in Python, `list.join("sep")` in JavaScript, `path.join(a, b)` in both.
  if (/path\.join$|^join$|posix\.join$|win32\.join$/.test(ref)) return concat(args, "/");
  const [list, between] = tree.language === "python" ? [first, base.texts[0] ?? ""] : [base, first.texts[0] ?? ","];
  if (list.items !== undefined) return concat(list.items, between);
  return { labels: joinLabels([base.labels, first.labels]), texts: [], ref: "" };
}

/** The text that numbers of characters stand for. */
function lettersOf(args: readonly Value[]): string {
  const codes = args.flatMap(({ items, texts }) => items?.map((item) => item.texts[0] ?? "") ?? texts.slice(0, 1));
  return codes.length > 3 && codes.every((code) => /^(?:\d{2,3}|0x[\da-f]{2})$/i.test(code))
    ? String.fromCharCode(...codes.slice(0, 400).map(Number))
    : "";
}

function fillFormat(text: string, args: readonly Value[]): string {
  let at = 0;
  return text.replace(/\{\w*\}/g, () => {
    const next = args[at]?.texts[0] ?? HOLE;
    at += 1;
    return next;
  });
}
