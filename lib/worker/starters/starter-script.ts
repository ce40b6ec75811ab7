import { join } from "node:path";

/** Descriptor on which the shell speaks; a process that it starts does not have it. */
const CONTROL = 9;

const NAMES = ["input", "output", "errors", "tell", "wait", "filter"] as const;

export type StarterFiles = Record<(typeof NAMES)[number], string>;

/** Where they are in a starter's directory. */
export function starterFilesIn(dir: string): StarterFiles {
  return Object.fromEntries(NAMES.map((name) => [name, join(dir, name)])) as StarterFiles;
}

export type StarterCommand = {
  /** The program and its arguments. */
  words: string[];
  env: Record<string, string>;
  cwd: string;
  files: StarterFiles;
  /** What it has beyond the three streams: a filter to read, a pipe to tell on and one to wait on. */
  has: { filter?: boolean; tell?: boolean; wait?: boolean };
};

/**
 * The lines by which a shell starts a process and waits for it. It says `p` and the process id once the streams are open,
 * `x` and the exit code in the end. The process has the environment that is given and nothing of the shell's own: `cd`
 * would export two variables.
 */
export function starterScript({ words, env, cwd, files, has }: StarterCommand): string {
  const streams = [
    `${CONTROL}>&1`,
    `<${quote(files.input)}`,
    `>${quote(files.output)}`,
    `2>${quote(files.errors)}`,
    ...(has.filter ? [`3<${quote(files.filter)}`] : []),
    ...(has.tell ? [`4>${quote(files.tell)}`] : []),
    ...(has.wait ? [`5<${quote(files.wait)}`] : []),
  ];
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
  return [
    `(exec ${streams.join(" ")}`,
    `cd -P /proc/self; self=\${PWD#/proc/}; cd ${quote(cwd)} || exit 1`,
    `echo "p $self" >&${CONTROL}; unset self PWD OLDPWD`,
    `${variables.join(" ")} exec ${words.map(quote).join(" ")} ${CONTROL}>&-)`,
    `echo "x $?"`,
    "",
  ].join("\n");
}

/** What shells do not let be set, or only to a number. */
const OF_SHELLS = /^(_|OPTIND|LINENO|PPID|E?UID|BASHOPTS|SHELLOPTS)$/;

/** Whether a shell can hand over a variable of this name. */
export function isShellName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !OF_SHELLS.test(name);
}

function quote(word: string): string {
  return /^[A-Za-z0-9_/.,:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
