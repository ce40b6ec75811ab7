import { parse } from "unbash";
import { type Range, reportExecution } from "./program";
import type { Shell } from "./shell-state";
import { curlWords } from "./shell-text";
import { firstText } from "./shell-transfers";
import { concat, HOLE, join, joinLabels, NOTHING, textValue, type Value } from "./values";

const MAX_DEPTH = 24;

/** `eval TEXT`, `sh -c TEXT`, and a shell that reads its input. */
export function runText(shell: Shell, name: string, args: readonly Value[], stdin: Value, range: Range): Value {
  const at = args.findIndex((arg) => /^-\w*c$/.test(firstText(arg)));
  const text = name === "eval" ? concat(args, " ") : at === -1 ? null : (args[at + 1] ?? NOTHING);
  if (text === null) {
    if (args.some((arg) => !/^-|^now$|^\+/.test(firstText(arg)))) return NOTHING;
    // A shell that reads a download is the business of the rules for downloads, unless something was between.
    if (stdin.ref !== "fetched()") reportExecution(shell.program, stdin.labels, range);
    if (shell.depth > MAX_DEPTH || stdin.texts.length === 0) return NOTHING;
    return shell.runScript(
      { ...shell, range, depth: shell.depth + 1 },
      parse(firstText(stdin).replaceAll(HOLE, "")),
      NOTHING,
    );
  }
  if (firstText(text).startsWith(HOLE)) reportExecution(shell.program, text.labels, range);
  const inner: Shell = { ...shell, range: shell.range ?? range, depth: shell.depth + 1 };
  return shell.depth > MAX_DEPTH ? NOTHING : shell.runScript(inner, parse(firstText(text).replaceAll(HOLE, "")), stdin);
}

/** Code of another language on the command line or in the input of its interpreter. */
export function runCode(shell: Shell, name: string, args: readonly Value[], stdin: Value, range: Range): void {
  const { program } = shell;
  const language = /^python/.test(name) ? "python" : /^(?:node|bun|deno)$/.test(name) ? "javascript" : "lines";
  const flag = args.findIndex((arg) => /^-\w*[cer]$|^--eval$|^-c\w*$/i.test(firstText(arg)));
  const script = args.findIndex((arg) => !/^-./.test(firstText(arg)));
  const code = flag === -1 ? undefined : args[flag + 1];
  const isInput = code === undefined && (script === -1 || firstText(args[script] ?? NOTHING) === "-");
  const given = code ?? (isInput ? stdin : NOTHING);
  if (isInput && stdin.ref !== "fetched()" && args.length === 0) reportExecution(program, stdin.labels, range);
  if (given.texts.length === 0) return;
  const { hole, given: outer } = program;
  if (given.labels.length > 0) program.hole = { ...NOTHING, labels: given.labels };
  const rest = args.slice((code === undefined ? script : flag + 1) + 1);
  if (rest.length > 0) program.given = { ...join(rest), labels: joinLabels(rest.map(({ labels }) => labels)) };
  shell.runOther(language, firstText(given), Object.assign(program, { at: range }));
  program.hole = hole;
  if (outer === undefined) delete program.given;
  else program.given = outer;
}

export function shiftArguments({ variables }: Shell, count: number): Value {
  const left = (variables.get("@")?.items ?? []).slice(count || 1);
  variables.set("@", { ...join(left), ref: "array()", items: left });
  for (let at = 0; at < left.length + (count || 1); at += 1) variables.set(String(at + 1), left[at] ?? NOTHING);
  return NOTHING;
}

/** The arguments of curl, with those of a file of settings or of its input. */
export function withSettings({ variables }: Shell, args: readonly Value[], stdin: Value): readonly Value[] {
  const at = args.findIndex((arg) => /^(?:-\w*K|--config)$/.test(firstText(arg)));
  const named = args[at + 1];
  if (at === -1 || named === undefined) return args;
  const isInput = /^-$|^\/dev\/stdin$/.test(firstText(named));
  const text = firstText(isInput ? stdin : (variables.get(`file:${firstText(named)}`) ?? named));
  return [...args.slice(0, at), ...args.slice(at + 2), ...curlWords(text).map(textValue)];
}

/** Follows a script that this one writes into a file. */
export function followWritten(shell: Shell, path: string, given: string, range: Range): void {
  const text = given.replaceAll("\\n", "\n");
  if (text !== "") shell.variables.set(`file:${path}`, textValue(text));
  if (shell.isWritten || !/\b(?:curl|wget|nc|http|socket|dig|nslookup)\b/.test(text)) return;
  if (/\.(?:py|pth)$/.test(path)) shell.runOther("python", text, Object.assign(shell.program, { at: range }));
  else if (/\.(?:js|mjs|cjs|ts)$/.test(path))
    shell.runOther("javascript", text, Object.assign(shell.program, { at: range }));
  else shell.runScript({ ...shell, range, isWritten: true, variables: new Map() }, parse(text), NOTHING);
}
