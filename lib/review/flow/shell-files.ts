import { parse } from "unbash";
import { dataOf, linkedFile } from "./linked-files";
import {
  isAbout,
  type Program,
  type Range,
  readFile,
  reportExecution,
  reportFrom,
  reportTransfer,
  stepInto,
  writeFile,
} from "./program";
import { pictureIn, secretAddress, secretFileIn } from "./secret-places";
import type { Shell } from "./shell-state";
import { contentsOf, firstText } from "./shell-transfers";
import { join, joinLabels, NOTHING, textValue, type Value } from "./values";

export function runGit(shell: Shell, texts: readonly string[], args: readonly Value[], range: Range): Value {
  const verb = texts.find((text) => /^(?:push|commit|add|remote|clone|fetch|pull)$/.test(text));
  const { program } = shell;
  // `https://user:TOKEN@host` gives the token to the host.
  for (const arg of args)
    if (arg.labels.length > 0 && /^(?:remote|clone|push|fetch|pull)$/.test(verb ?? "") && /:\/\//.test(firstText(arg)))
      reportTransfer(program, arg.labels, { position: "address", texts: arg.texts }, range);
  if (texts[0] === "-C") shell.folder = texts[1] ?? "";
  const { folder } = shell;
  if (verb === "add") for (const arg of args) writeFile(program, "git:", contentsOf(program, arg));
  if (verb === "add" && folder !== "") writeFile(program, "git:", contentsOf(program, textValue(folder)));
  if (verb === "commit") writeFile(program, "git:", joinLabels(args.map(({ labels }) => labels)));
  const remote = texts.findIndex((text) => /^(?:add|set-url)$/.test(text));
  if (verb === "remote" && remote !== -1) {
    const [name = "", address = ""] = texts.slice(remote + 1).filter((text) => !text.startsWith("-"));
    shell.variables.set(`remote:${name}`, textValue(address));
  }
  if (verb === "clone") {
    const [address = "", folder = ""] = texts
      .slice(texts.indexOf("clone") + 1)
      .filter((text) => !/^-|^\d+$/.test(text));
    if (/^https?:/.test(address) && folder !== "")
      writeFile(program, `${folder}/`, [{ kind: "download", name: address.slice(0, 120), owners: [] }]);
  }
  if (verb === "push") {
    const named = texts.slice(texts.indexOf("push") + 1).map((text) => shell.variables.get(`remote:${text}`));
    const target = texts.find((text) => /:\/\/|^git@/.test(text)) ?? named.find(Boolean)?.texts[0] ?? "";
    reportTransfer(program, program.files.get("git:") ?? [], { position: "body", texts: [target] }, range);
  }
  return NOTHING;
}

export function copyFiles(shell: Shell, name: string, args: readonly Value[], stdin: Value): void {
  // `tar -T FILE` takes the paths of a list.
  const listed = secretFileIn(
    dataOf(
      shell.program.linked,
      args.flatMap(({ texts }) => texts),
    )?.texts ?? [],
  );
  const all = joinLabels([
    stdin.labels,
    ...args.map((arg) => contentsOf(shell.program, arg)),
    listed === null ? [] : [listed],
  ]);
  // A picture beside a script in a folder does not make the script one.
  const labels = all.filter(({ kind }) => kind !== "picture");
  if (labels.length < all.length) copyPicture(shell.program, name, args);
  // A copy in the folder that the script is in.
  const last = firstText(args.at(-1) ?? NOTHING);
  if (/^(?:cp|mv|install|ln|rsync)$/.test(name) && shell.folder !== "" && /^[\w.]/.test(last))
    writeFile(shell.program, `${shell.folder}/`, labels);
  let before = "";
  for (const arg of args) {
    const text = (arg.texts[0] ?? "").replace(/^-[oC](?=[~/])/, "");
    if (/^-(?:d|C)$/.test(before)) writeFile(shell.program, `${text}/`, labels);
    before = text;
    if (text !== "" && !text.startsWith("-") && secretFileIn([text]) === null) writeFile(shell.program, text, labels);
  }
}

function copyPicture(program: Program, name: string, args: readonly Value[]): void {
  const named = args.map(firstText);
  const plain = named.filter((text) => !text.startsWith("-"));
  const isCopy = /^(?:cp|mv|install|ln)$/.test(name) && plain.length === 2;
  const out = named.findIndex((text) => /^(?:-o|-out|--output)$/.test(text));
  const [path = ""] = isCopy
    ? plain.slice(1)
    : [named.find((text) => text.startsWith("of="))?.slice(3) ?? (out === -1 ? "" : named[out + 1])];
  const { texts } = args.find((arg) => pictureIn(arg.texts).length > 0) ?? NOTHING;
  if (pictureIn([path]).length === 0) writeFile(program, path, pictureIn(texts));
}

/** What a download returns: text of that address, or credentials of the machine. A saved one is that file's contents. */
export function fetched(program: Program, command: string, args: readonly Value[]): Value {
  const words = args.map(firstText);
  if (/^(?:dig|nslookup|host|drill|kdig|doggo)$/.test(command)) {
    const isText = words.some((word) => /^(?:-t|-type=|-q=|-query=)?txt$/i.test(word));
    const name = `the TXT record of ${words.find((word) => /\w\.\w/.test(word)) ?? "a name"}`;
    return isText ? { ...NOTHING, labels: [{ kind: "download", name: name.slice(0, 120), owners: [] }] } : NOTHING;
  }
  const address = args.flatMap(({ texts }) => texts).find((text) => /^["']?https?:|^\d+\.\d+\.\d+\.\d+/.test(text));
  if (address === undefined) return NOTHING;
  const secret = secretAddress(address);
  const label = secret ?? { kind: "download" as const, name: address.slice(0, 120), owners: [] };
  const saved = args.findIndex((arg) => /^-\w*[oO]$|^--output(?:-document)?$/.test(firstText(arg)));
  const path = saved === -1 ? "" : firstText(args[saved + 1] ?? NOTHING);
  if (!/^https?:/.test(path)) writeFile(program, path, [label]);
  return { ...NOTHING, labels: [label], ref: "fetched()" };
}

/** A download in a temporary or hidden file is meant to run unseen. */
export function runSaved(
  program: Program,
  path: string,
  range: Range,
  { isQuiet, isCode = false, isBuild = false }: { isQuiet: boolean; isCode?: boolean; isBuild?: boolean },
): void {
  const held = [...(program.files.get(path) ?? []), ...pictureIn([path])];
  if (!isBuild)
    reportExecution(
      program,
      held.filter(({ kind }) => kind === "picture"),
      range,
    );
  const labels = readFile(program, path).filter(({ kind }) => kind !== "picture");
  if (labels.length === 0) return;
  const isHidden =
    /^(?:\/var)?\/(?:tmp|dev\/shm)\/(?:[^/]+\/)*(?:\.[^/]|tmp\.\d+$)|^(?:~|\/home\/\w+|\/root)\/\.(?:cache|config|local)\/(?:[^/]+\/)*\./.test(
      path,
    );
  const isAside = /^(?:\/var)?\/(?:tmp|dev\/shm)\/|^(?:~|\/home\/\w+|\/root)\/\.(?:cache|config|local(?!\/bin))\b/.test(
    path,
  );
  // No vendor publishes programs as texts of a name server.
  const isText = labels.some(({ name }) => name.startsWith("the TXT record"));
  if (isHidden || isText || (isAside && (isQuiet || isCode))) reportExecution(program, labels, range);
}

/** `source FILE`: its variables and functions are those of the script. What it does itself is found in that file. */
export function includeScript(shell: Shell, path: string, range: Range): Value {
  const file = linkedFile(shell.program.linked, path);
  if (file === undefined || !stepInto(shell.program, file.text)) return NOTHING;
  const before = new Set(shell.functions.keys());
  const program = { ...shell.program, flows: [], linked: [] };
  shell.runScript({ ...shell, program, range }, parse(file.text), NOTHING);
  for (const name of shell.functions.keys()) if (!before.has(name)) shell.foreign.add(name);
  return NOTHING;
}

/** Follows what a script of the skill gets from this one as arguments and input. */
export function startLinked(shell: Shell, words: readonly Value[], stdin: Value, range: Range): void {
  const at = words.findIndex(
    (word, index) => index < 4 && linkedFile(shell.program.linked, firstText(word))?.kind === "script",
  );
  const file = at === -1 ? undefined : linkedFile(shell.program.linked, firstText(words[at] ?? NOTHING));
  const args = words.slice(at + 1);
  const labels = joinLabels([stdin.labels, ...args.map((arg) => arg.labels)]);
  if (file === undefined || labels.length === 0 || !stepInto(shell.program, file.text)) return;
  const given: Value = { ...join([stdin, ...args]), labels };
  reportFrom(shell.program, range, isAbout(labels), (inner) => {
    const program = { ...inner, linked: [], given };
    if (/^py$/.test(file.extension)) shell.runOther("python", file.text, Object.assign(program, { at: range }));
    else if (/^[mc]?[jt]s$/.test(file.extension))
      shell.runOther("javascript", file.text, Object.assign(program, { at: range }));
    else if (/^(?:ba|z)?sh$|^$/.test(file.extension)) {
      const variables = new Map(args.map((arg, index) => [String(index + 1), arg]));
      variables.set("@", join(args)).set("*", join(args));
      const own = { functions: new Map(), foreign: new Set<string>(), called: new Set<string>(), variables };
      shell.runScript({ ...shell, ...own, program, range: range }, parse(file.text), stdin);
    }
  });
}
