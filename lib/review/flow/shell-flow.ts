import type { Command, CompoundList, Redirection, Script, Statement, SyntaxNode } from "unbash";
import { parse } from "unbash";
import { dataOf } from "./linked-files";
import {
  openProgram,
  type Program,
  type Range,
  readFile,
  reportExecution,
  reportTransfer,
  step,
  writeFile,
} from "./program";
import { secretCommand, secretFileIn, secretVariable } from "./secret-places";
import { followWritten, runCode, runText, shiftArguments, withSettings } from "./shell-code";
import { destroyByCommand, listed } from "./shell-damage";
import { copyFiles, fetched, includeScript, runGit, runSaved, startLinked } from "./shell-files";
import type { RunOther, Shell } from "./shell-state";
import { outputOf, printed } from "./shell-text";
import { contentsOf, firstText, sendByCommand } from "./shell-transfers";
import { partsValue, wordValue, wordValues } from "./shell-words";
import { concat, HOLE, join, joinLabels, NOTHING, textValue, type Value } from "./values";

type Options = {
  program?: Program;
  range?: Range | null;
  variables?: ReadonlyMap<string, Value>;
  runOther: RunOther;
  isQuiet?: boolean;
};

const MAX_DEPTH = 24;
const PREFIXES =
  /^(?:sshpass|proxychains4?|torsocks|torify|unbuffer|caffeinate|systemd-run|chronic|strace|faketime|chpst|setarch|sudo|nohup|time|command|exec|builtin|nice|ionice|setsid|stdbuf|timeout|doas|env|busybox|then|do|else|!)$/;
/** Options of prefixes with a value. */
const OPTIONS: Record<string, RegExp> = {
  exec: /^-a$/,
  nice: /^-n$/,
  sudo: /^-[ugh]$/,
  env: /^-[uC]$/,
  timeout: /^-[ks]$/,
  ionice: /^-[cn]$/,
  sshpass: /^-[pfd]$/,
};
const INTERPRETERS = /^(?:python[\d.]*|node|bun|deno|ruby|perl|php|pwsh|osascript|java|wscript|cscript)$/;
/** With `-c` they run a text as a shell does, or they run their input later. */
const RUNNERS = /^(?:su|runuser|script|flock|at|batch)$/;
/** They run what a folder or file says that one of their arguments names. */
const BUILDERS = /^(?:g?make|ninja|cmake|npm|pnpm|yarn|pip3?|cargo|go|docker|ansible-playbook|just|rake|gradle)$/;
/** Variables that name code for other programs. */
const CODE_VARIABLES =
  /^(?:LD_PRELOAD|DYLD_INSERT_LIBRARIES|BASH_ENV|ENV|PYTHONSTARTUP|PERL5OPT|NODE_OPTIONS|RUBYOPT)$/;
const SHELLS = /^(?:(?:ba|z|da|k|a)?sh|fish)$/;
/** Follows values through a shell script and adds what leaves the machine to the program. Returns its output. */
export function followShell(
  text: string,
  { program = openProgram(), range = null, variables, runOther, isQuiet = false }: Options,
): Value {
  const shell: Shell = {
    program,
    ...{
      variables: new Map(variables),
      functions: new Map(),
      foreign: new Set(),
      called: new Set(),
      descriptors: new Map(),
      sinks: [],
    },
    ...{ folder: "", depth: 0, isQuiet, range, runOther },
    runScript,
  };
  const output = runScript(shell, parse(text), NOTHING);
  // A shell calls hooks such as `precmd`, and other scripts call the functions of a library.
  for (const [name, body] of shell.functions)
    if (!shell.called.has(name) && !shell.foreign.has(name)) run(shell, body, NOTHING);
  return output;
}

function runScript(shell: Shell, script: Script | CompoundList, stdin: Value): Value {
  return join(script.commands.map((statement) => runStatement(shell, statement, stdin)));
}

function runStatement(shell: Shell, { command, background }: Statement, stdin: Value): Value {
  const { isQuiet } = shell;
  shell.isQuiet ||= background === true;
  const output = run(shell, command, stdin);
  shell.isQuiet = isQuiet;
  return output;
}

function run(shell: Shell, node: SyntaxNode, stdin: Value): Value {
  if (shell.depth > MAX_DEPTH) shell.program.steps.isCut = true;
  if (!step(shell.program) || shell.depth > MAX_DEPTH) return NOTHING;
  shell.depth += 1;
  const output = runNode(shell, node, stdin);
  shell.depth -= 1;
  return output;
}

function runNode(shell: Shell, node: SyntaxNode, stdin: Value): Value {
  switch (node.type) {
    case "Command":
      return runCommand(shell, node, stdin);
    case "Pipeline":
      return node.commands.reduce((input, command) => run(shell, command, input), stdin);
    case "AndOr":
      return join(node.commands.map((command) => run(shell, command, stdin)));
    case "Redirected":
      return withRedirects(shell, node.redirects, stdin, (input) => run(shell, node.command, input));
    case "Function":
      shell.functions.set(node.name.value, node.body);
      return NOTHING;
    case "Coproc": {
      const name = node.name?.value ?? "COPROC";
      shell.variables.set(name, textValue(`coproc:${name}`));
      shell.functions.set(`coproc:${name}`, node.body);
      return run(shell, node.body, stdin);
    }
    case "Subshell":
    case "BraceGroup":
    case "ArithmeticFor":
      return runScript(shell, node.body, stdin);
    case "CompoundList":
      return runScript(shell, node, stdin);
    case "If":
      return join([
        ...[node.clause, node.then, ...node.elif.flatMap((part) => [part.clause, part.then])].map((part) =>
          runScript(shell, part, stdin),
        ),
        node.else ? runScript(shell, node.else, stdin) : NOTHING,
      ]);
    case "While":
      runScript(shell, node.clause, stdin);
      return join([runScript(shell, node.body, stdin), runScript(shell, node.body, stdin)]);
    case "For":
    case "Select": {
      shell.variables.set(node.name.value, join((node.wordlist ?? []).map((word) => wordValue(shell, word))));
      return runScript(shell, node.body, stdin);
    }
    case "Case":
      return join(node.items.map(({ body }) => runScript(shell, body, stdin)));
    default:
      return NOTHING;
  }
}

function runCommand(shell: Shell, command: Command, stdin: Value): Value {
  const range = shell.range ?? { start: command.pos, end: Math.min(command.end, command.pos + 600) };
  for (const part of command.prefix) {
    if (part.type !== "Assignment") continue;
    const value = assign(shell, part);
    if (CODE_VARIABLES.test(part.name))
      for (const text of value.texts)
        reportExecution(shell.program, readFile(shell.program, text.replace(/^.*[= ]/, "")), range);
  }
  const { sinks } = shell;
  shell.sinks = [];
  let given = stdin;
  const output = withRedirects(shell, command.redirects, stdin, (input) => {
    given = input;
    // `$(< FILE)`
    if (command.name === undefined) return input === stdin ? NOTHING : { ...input, texts: [] };
    const args = command.args.flatMap((arg) => {
      if (arg.type === "Word") return wordValues(shell, arg);
      const value = assign(shell, arg);
      return [concat([textValue(`${arg.name}=`), value])];
    });
    return runWords(shell, [...wordValues(shell, command.name), ...args], input, range);
  });
  for (const sink of shell.sinks) runScript(shell, sink, joinFlows([given, output]));
  shell.sinks = sinks;
  return output;
}

function joinFlows(values: readonly Value[]): Value {
  return { ...NOTHING, labels: joinLabels(values.map(({ labels }) => labels)) };
}

function runWords(shell: Shell, words: readonly Value[], stdin: Value, range: Range): Value {
  const { program } = shell;
  const [head = NOTHING, ...args] = splitHead(words);
  const name = firstText(head).split("/").at(-1) ?? "";
  const texts = args.map(firstText);
  // Downloaded text in the place of a command.
  if (firstText(head).startsWith(HOLE)) reportExecution(program, head.labels, range);
  const { isQuiet } = shell;
  runSaved(program, firstText(head), range, { isQuiet });
  if (SHELLS.test(name) || name === "source" || name === ".")
    runSaved(program, texts.find((text) => !text.startsWith("-")) ?? "", range, { isQuiet });
  if (INTERPRETERS.test(name))
    runSaved(program, texts.find((text) => !/^-|^run$/.test(text)) ?? "", range, { isQuiet, isCode: true });
  if (BUILDERS.test(name)) for (const text of texts) runSaved(program, text, range, { isQuiet, isBuild: true });
  const line = [name, ...texts].join(" ");
  const secret = secretCommand(line);
  if (name === "find" || name === "fd") {
    const found = secret ?? secretFileIn(texts);
    const exec = texts.findIndex((text) => /^-(?:exec(?:dir)?|ok(?:dir)?|x|X)$/.test(text));
    if (exec !== -1 && found !== null) {
      const input: Value = { ...NOTHING, labels: [found] };
      const run = args.slice(exec + 1).filter((arg) => !/^(?:\\?;|\+)$/.test(firstText(arg)));
      return runWords(
        shell,
        run.map((arg) => (firstText(arg).includes("{}") ? { ...concat([arg, input]), texts: [] } : arg)),
        NOTHING,
        range,
      );
    }
    if (found !== null) return { ...NOTHING, labels: [found] };
  }
  if (secret !== null) return { ...NOTHING, labels: [secret] };
  if (PREFIXES.test(name)) {
    const takes = OPTIONS[name];
    const rest = args.findIndex(
      (arg, at) => !/^(?:-|[\w]+=|\d+[smh]?$)/.test(firstText(arg)) && !takes?.test(texts[at - 1] ?? ""),
    );
    if (rest === -1) return NOTHING;
    shell.isQuiet ||= /^(?:nohup|setsid)$/.test(name);
    const output = runWords(shell, args.slice(rest), stdin, range);
    shell.isQuiet = isQuiet;
    return output;
  }
  if (name === "shift") return shiftArguments(shell, Number(texts[0] ?? 1));
  if (name === "printf" && texts[0] === "-v" && args[1] !== undefined) {
    const given = args.slice(2);
    shell.variables.set(firstText(args[1]), {
      ...textValue(printed(given)),
      labels: joinLabels(given.map(({ labels }) => labels)),
    });
    return NOTHING;
  }
  if (name === "xargs" || name === "parallel") {
    const at = args.findIndex(
      (arg, index) => /^[a-z_/][\w./-]*$/.test(firstText(arg)) && !/^-[InPLd]$/.test(texts[index - 1] ?? ""),
    );
    if (at === -1) return NOTHING;
    const input: Value = stdin.ref === "data()" ? stdin : { ...stdin, texts: [] };
    const filled = args.slice(at).map((arg) => (/\{\}|%/.test(firstText(arg)) ? concat([arg, input]) : arg));
    return runWords(shell, [...filled, input], NOTHING, range);
  }
  const known = shell.functions.get(name);
  if (known !== undefined) {
    shell.called.add(name);
    for (const [at, arg] of args.entries()) shell.variables.set(String(at + 1), arg);
    shell.variables.set("@", { ...join(args), ref: "array()", items: args });
    return run(shell.foreign.has(name) ? { ...shell, range: shell.range ?? range } : shell, known, stdin);
  }
  if (name === "source" || name === ".") return includeScript(shell, texts[0] ?? "", range);
  if (program.linked.length > 0) startLinked(shell, [head, ...args], stdin, range);
  if (name === "trap" && args[0] !== undefined) return runText(shell, "eval", [args[0]], stdin, range);
  if (SHELLS.test(name) || name === "eval" || RUNNERS.test(name)) return runText(shell, name, args, stdin, range);
  if (INTERPRETERS.test(name)) runCode(shell, name, args, stdin, range);
  if (name === "cd" || name === "pushd") shell.folder = texts[0] ?? "";
  if (/^(?:read|mapfile|readarray)$/.test(name)) {
    for (const text of texts)
      if (/^\w+$/.test(text)) shell.variables.set(text, stdin.ref === "data()" ? stdin : { ...stdin, texts: [] });
    return NOTHING;
  }
  if (name === "git") return runGit(shell, texts, args, range);
  if (name === "mktemp") return textValue(`/tmp/tmp.${range.start}`);
  destroyByCommand(program, { name, args, range });
  const list = listed(name, texts);
  if (list !== null) return { ...NOTHING, labels: [list] };
  const sent = name === "curl" ? withSettings(shell, args, stdin) : args;
  if (sendByCommand(program, { name, args: sent, stdin, range })) return fetched(program, name, sent);
  if (/^(?:cp|mv|install|ln|dd|tar|zip|unzip|bsdtar|7z|openssl|age|zstd|split|gpg|sqlite3|ditto|rsync)$/.test(name))
    copyFiles(shell, name, args, stdin);
  if (name === "tee") for (const text of texts) writeFile(program, text, stdin.labels);
  if (name === "printenv" || (name === "echo" && texts.length === 0)) {
    const named = secretVariable(texts[0] ?? "");
    return named === null ? NOTHING : { ...NOTHING, labels: [named] };
  }
  return outputOf(shell, name, args, stdin);
}

/** A variable in the place of a command may hold its options too. */
function splitHead(words: readonly Value[]): readonly Value[] {
  const [head, ...args] = words;
  const text = head === undefined ? "" : firstText(head);
  if (head === undefined || head.labels.length > 0 || !/^[a-z]\w{0,20} +-/.test(text)) return words;
  return [...text.split(/ +/).map(textValue), ...args];
}

function withRedirects(
  shell: Shell,
  redirects: readonly Redirection[],
  stdin: Value,
  work: (input: Value) => Value,
): Value {
  let input = stdin;
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") input = partsValue(shell, redirect.body.parts ?? [], redirect.body.text);
    else if (redirect.type === "HereString") input = redirect.target ? wordValue(shell, redirect.target) : input;
    else if (redirect.operator === "<" && redirect.target) {
      const target = wordValue(shell, redirect.target);
      const labels = contentsOf(shell.program, target);
      input = { ...(dataOf(shell.program.linked, target.texts) ?? NOTHING), labels };
    } else if (redirect.target && redirect.descriptor?.type === "FileDescriptor") {
      shell.descriptors.set(String(redirect.descriptor.value), wordValue(shell, redirect.target));
    }
  }
  const { isQuiet } = shell;
  shell.isQuiet ||= redirects.some(
    (one) =>
      one.type === "Redirect" &&
      one.target?.value === "/dev/null" &&
      /^&?>/.test(one.operator) &&
      one.descriptor === undefined,
  );
  const output = work(input);
  shell.isQuiet = isQuiet;
  for (const redirect of redirects) {
    if (redirect.type !== "Redirect" || !redirect.target || redirect.operator === "<") continue;
    const named = wordValue(shell, redirect.target);
    const target = redirect.operator === ">&" ? (shell.descriptors.get(firstText(named)) ?? named) : named;
    const [path = ""] = target.texts;
    const fed = shell.functions.get(path);
    if (fed !== undefined && path.startsWith("coproc:")) {
      shell.called.add(path);
      run(shell, fed, { ...output, ref: "" });
      continue;
    }
    if (/^\/dev\/(?:tcp|udp)\//.test(path)) {
      const range = shell.range ?? { start: redirect.pos, end: redirect.end };
      const hosts = target.texts.map((text) => text.split("/")[3] ?? "");
      reportTransfer(shell.program, output.labels, { position: "stream", texts: hosts }, range);
    } else {
      writeFile(shell.program, path, output.labels);
      if (shell.folder !== "" && /^[\w.]/.test(path))
        writeFile(shell.program, `${shell.folder}/${path}`, output.labels);
      const given = output.texts[0] ?? (redirects.some(({ type }) => type === "HereDoc") ? firstText(input) : "");
      followWritten(shell, path, given, shell.range ?? { start: redirect.pos, end: redirect.end });
    }
  }
  return output;
}

function arrayOf(items: readonly Value[]): Value {
  return { ...join(items), labels: joinLabels(items.map(({ labels }) => labels)), ref: "array()", items };
}

type Assigned = Extract<Command["prefix"][number], { type: "Assignment" }>;

function assign(shell: Shell, { name, value, append }: Assigned): Value {
  const given =
    value.type === "Word"
      ? wordValue(shell, value)
      : arrayOf(value.elements.flatMap((element) => wordValues(shell, element)));
  const before = append ? shell.variables.get(name) : undefined;
  const whole =
    before === undefined
      ? given
      : before.ref === "array()"
        ? arrayOf([...(before.items ?? []), ...(given.items ?? [given])])
        : concat([before, given]);
  shell.variables.set(name, whole);
  return whole;
}
