import { parse } from "unbash";
import { linkedFile } from "./linked-files";
import { isAbout, type Range, reportFrom, stepInto } from "./program";
import type { Shell } from "./shell-state";
import { firstText } from "./shell-transfers";
import { join, joinLabels, NOTHING, type Value } from "./values";

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
