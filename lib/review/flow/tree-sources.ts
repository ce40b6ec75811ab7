import { dataOf } from "./linked-files";
import { readFile, writeFile } from "./program";
import { areDocuments, homeFiles, pictureIn, secretFileIn } from "./secret-places";
import { documentOf } from "./tree-documents";
import { isEnvironment, readMember, storeValue, variableValue, WALLETS } from "./tree-members";
import { importLinked } from "./tree-modules";
import type { Call, TreeProgram } from "./tree-program";
import { HOLE, joinLabels, type Label, labelled, NOTHING, textValue, type Value } from "./values";

const READS =
  /^(?:open|fdopen|read|readFile|readFileSync|createReadStream|read_text|read_bytes|readtext|readText|readJson|readJSON|readJsonSync|load|connect|copy|copy2|copyfile|copytree|copyFile|copyFileSync|cp|cpSync|file|make_archive|parse|read_csv|readdirSync|readdir|listdir|glob|rglob|iterdir|scandir|walk|globSync|loadtxt|safe_load|dotenv_values|Database|File|ZipFile|TarFile|GzipFile)$/;
const LISTS = /^(?:glob|rglob|walk|globSync|iglob|readdirSync|make_archive)$/;
const SECRETS =
  /^(?:get_secret_value|access_secret_version|get_parameters?(?:_by_path)?|list_secret_for_all_namespaces|list_namespaced_secret|listSecretForAllNamespaces|listNamespacedSecret|exportConfig|GetSecretValueCommand|GetParametersByPathCommand|accessSecretVersion)$/;

/** The value of a call that reads a secret, a file or a place; null for other calls. */
export function sourceOf(tree: TreeProgram, call: Call): Value | null {
  const { ref, name, base, args, named } = call;
  const [first = NOTHING] = args;
  const key = first.texts[0] ?? "";
  if (/^(?:os\.getenv|os\.environ\.get|environ\.get|getenv|os\.environ\.pop|Deno\.env\.get)$/.test(ref))
    return variableValue(key);
  if (/^Deno\.env\.toObject$/.test(ref) || (isEnvironment(base.ref) && /^(?:items|values|copy)$/.test(name))) {
    return labelled({ kind: "environment", name: "the environment", owners: [] });
  }
  if (isEnvironment(first.ref) && /^(?:dict|entries|values|assign|stringify|dumps|str|list|items)$/.test(name)) {
    return labelled({ kind: "environment", name: "the environment", owners: [] });
  }
  if (/^(?:os\.homedir|homedir|Path\.home|pathlib\.Path\.home|os\.userInfo)$/.test(ref)) return textValue("~");
  if (
    /(?:^|\.)(?:tmpdir|gettempdir|mkdtemp|mkstemp|mktemp|mkdtempSync|NamedTemporaryFile|TemporaryDirectory)$/.test(ref)
  )
    return temporary(name, `/tmp/tmp.${call.node.from}`);
  if (/memfd_create$/.test(ref)) return textValue("/proc/self/fd/");
  if (/^(?:getattr|Reflect\.get)$/.test(ref)) return readMember(first, args[1] ?? NOTHING, false);
  if (SECRETS.test(name)) {
    const [id = NOTHING] = [...named.values(), ...args.flatMap((arg) => [...(arg.props?.values() ?? [arg])])];
    // One secret by its name is for the service it belongs to; a computed name is one of all.
    const isOne = id.texts.length > 0 && !(id.texts[0] ?? "").includes(HOLE) && !/^list|exportConfig/i.test(name);
    return labelled({ kind: isOne ? "variable" : "store", name: `${name}()`, owners: [] });
  }
  const isData = /^(?:read\w*|json|split\w*|strip|toString|trim|load\w*|parse|safe_load|reader|DictReader)$/.test(name);
  if (isData && (base.ref === "data()" || first.ref === "data()")) return base.ref === "data()" ? base : first;
  if (/^require$/.test(ref)) return importLinked(tree, key) ?? { ...NOTHING, ref: key.replace(/^node:/, "") };
  if (/^__import__$|importlib\.import_module$/.test(ref)) return { ...NOTHING, ref: key };
  if (/^(?:pyperclip|clipboardy?)\.(?:paste|read\w*)$|clipboard\.readText$|clipboard_get$/.test(ref))
    return labelled({ kind: "variable", name: "the clipboard", owners: [] });
  if (/^(?:bytes|list|bytearray)$/.test(ref) && /\bKeypair(?:\.\w+)?\(\)$/.test(first.ref))
    return labelled({ kind: "file", name: "a wallet's key", owners: [] });
  if (/(?:^|\.)(?:generateMnemonic|to_mnemonic|generate_mnemonic)$/.test(ref) || /Mnemonic\(\)\.generate$/.test(ref))
    return labelled({ kind: "file", name: "a wallet's words", owners: [] });
  if (
    /^(?:secret|secret_key|to_base58_string|private_key|exportPrivateKey|toWIF)$/.test(name) &&
    WALLETS.test(base.ref)
  )
    return labelled({ kind: "file", name: "a wallet's key", owners: [] });
  if (/findCredentials$|\bCryptUnprotectData$|\bSecItemCopyMatching$|unprotectData$/.test(ref)) return storeValue(name);
  if (/keytar\.getPassword$/.test(ref)) return labelled({ kind: "variable", name: "keytar.getPassword", owners: [] });
  if (/^(?:get_credentials|get_frozen_credentials|fromNodeProviderChain|defaultProvider|fromIni)$/.test(name))
    return labelled({ kind: "store", name: `${name}()`, owners: ["amazonaws.com"] });
  if (/keyring\.get_password$/.test(ref))
    return labelled({ kind: "variable", name: "keyring.get_password", owners: [] });
  if (
    /^browser_cookie3\.|\.cookies$|\.storageState$|\.getAllCookies$/.test(ref) &&
    /cookie|page|context|browser/i.test(ref) &&
    !/^requests|^httpx/.test(ref)
  )
    return storeValue("the browser's cookies");
  if (/(?:chrome|browser)\.cookies\.getAll$|[sS]ession\.cookies\.get$/.test(ref))
    return storeValue("the browser's cookies");
  if (name === "find_one" || name === "execute")
    return { ...base, labels: joinLabels([base.labels, ...args.map(({ labels }) => labels)]) };
  if (name === "createWriteStream") return { ...first, labels: [], ref: "createWriteStream()" };
  if (!READS.test(name)) return null;
  const isOwn = name === "open" && base.texts.length + base.labels.length > 0;
  const mode = (named.get("mode") ?? args[isOwn ? 0 : 1])?.texts[0] ?? "";
  if (/^(?:open|ZipFile|TarFile|GzipFile)$/.test(name) && /^[wax]|\+/.test(mode)) {
    const place = isOwn ? base : first;
    const made = /^open$|^os\.fdopen$/.test(ref) || isOwn ? "open()" : "archive()";
    return { labels: [], texts: place.texts, ref: made, props: new Map([["path", place]]) };
  }
  const paths = [
    ...(name === "make_archive" ? (args[2] ?? named.get("root_dir") ?? NOTHING).texts : []),
    ...first.texts,
    ...(args.length === 0 ? base.texts : []),
    ...(/^(?:glob|rglob|iterdir|read_text|read_bytes|open|load)$/.test(name) ? base.texts : []),
  ];
  const data = dataOf(tree.program.linked, paths);
  if (data !== null) return data;
  const documents = LISTS.test(name) && areDocuments(first.texts.join(" ")) ? homeFiles(paths) : null;
  const secret =
    documents ??
    secretFileIn(paths) ??
    (LISTS.test(name) ? listedFiles(first, paths) : null) ??
    (/^(?:readdirSync|readdir|listdir|scandir|walk|opendir|iterdir)$/.test(name) ? chosenFiles(tree) : null);
  const written = paths.flatMap((path) => readFile(tree.program, path));
  const picture = pictureIn(paths);
  if (secret === null && written.length === 0) {
    const document = documentOf(tree, call, paths);
    if (picture.length === 0) return document;
    return { labels: [...(document?.labels ?? []), ...picture], texts: [], ref: "open()" };
  }
  const labels = joinLabels([secret === null ? [] : [secret], written, picture, base.labels, first.labels]);
  if (name === "make_archive")
    for (const path of first.texts)
      for (const end of [".zip", ".tar", ".tar.gz"]) writeFile(tree.program, path + end, labels);
  if (/^(?:copy|copy2|copyfile|copytree|copyFile|copyFileSync|cp|cpSync)$/.test(name)) {
    for (const path of args[1]?.texts ?? []) writeFile(tree.program, path, labels);
  }
  return {
    labels,
    texts: /^(?:glob|rglob|iterdir|globSync|readdirSync|listdir|walk)$/.test(name) ? paths : [],
    ref: `${ref}()`,
  };
}

function temporary(name: string, path: string): Value {
  const file: Value = { ...textValue(path), ref: "open()", props: new Map([["name", textValue(path)]]) };
  if (name === "mkstemp") return { ...NOTHING, items: [file, textValue(path)] };
  return name === "NamedTemporaryFile" ? file : textValue(/^(?:tmpdir|gettempdir)$/.test(name) ? "/tmp" : path);
}

/** A condition on the names of the files that it lists: `/^(id_rsa|\.env)$/.test(name)`. */
const CHOOSES_KEYS =
  /\/[^/\n]{0,120}(?:id_\(?\??:?(?:rsa|ed25519)|wallet\\\.dat|kdbx|\\\.pem\b|\\\.ssh\b)[^/\n]{0,120}\/[a-z]{0,3}\.test\(|\.match\(\/[^/\n]{0,120}(?:id_\(?\??:?(?:rsa|ed25519)|wallet\\\.dat|kdbx)/;
/** Names of settings with secrets, which are chosen and not left out: `names.filter((n) => n.startsWith(".env"))`. */
const CHOOSES_SETTINGS =
  /(?<![!\w.]|\bnot )\b\w{1,20}(?:\.name)?\.(?:starts_?[wW]ith|endsWith|endswith|includes|match)\(\s*(?:["']\.env\.?["']|["']id_(?:rsa|ed25519)["']|\/\^?\\\.env)(?!.{0,80}\n?\s{0,20}\{?\s{0,8}(?:continue|return\b|next|skip))|(?<!not )\b\w{1,20} in [([{]["']\.env["'],(?!.{0,120}\n?\s{0,20}(?:continue|return|pass)\b)|(?<!not )\bfn?match\(\s*\w{1,20}\s*,\s*["']\.env/;
const AT_HOME = /homedir\(\)|expanduser|Path\.home|env\.(?:HOME|USERPROFILE)/;
const choosing = new WeakMap<TreeProgram, Label | null>();

function chosenFiles(tree: TreeProgram): Label | null {
  const known = choosing.get(tree);
  if (known !== undefined) return known;
  const isSo = (CHOOSES_KEYS.test(tree.text) && AT_HOME.test(tree.text)) || CHOOSES_SETTINGS.test(tree.text);
  const label: Label | null = isSo ? { kind: "file", name: "files named like keys", owners: [] } : null;
  choosing.set(tree, label);
  return label;
}

function listedFiles({ texts }: Value, paths: readonly string[]): Label | null {
  const home = homeFiles(paths);
  const [pattern = "*"] = texts;
  if (home === null || /^(?:\*\*\/)?\*(?:\.\*)?$/.test(pattern) || /^[~/]/.test(pattern)) return home;
  const { isHome: _isHome, ...some } = home;
  return some;
}
