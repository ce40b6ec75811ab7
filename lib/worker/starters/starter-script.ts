/** Descriptor on which the shell speaks; a process that it starts does not have it. */
const CONTROL = 9;

export type StarterFiles = Record<"input" | "output" | "errors" | "tell" | "wait" | "filter", string>;

export type StarterCommand = {
  /** The program and its arguments. */
  words: string[];
  env: Record<string, string>;
  files: StarterFiles;
  hasFilter: boolean;
  /** With a descriptor on which it waits for its run. */
  waits: boolean;
};

/**
 * The lines by which a shell starts a process and waits for it. It says `p` and the process id once the streams are open,
 * `x` and the exit code in the end. The process has the environment that is given and nothing of the shell's own: `cd`
 * would export two variables.
 */
export function starterScript({ words, env, files, hasFilter, waits }: StarterCommand): string {
  const streams = [
    `${CONTROL}>&1`,
    `<${quote(files.input)}`,
    `>${quote(files.output)}`,
    `2>${quote(files.errors)}`,
    ...(hasFilter ? [`3<${quote(files.filter)}`] : []),
    `4>${quote(files.tell)}`,
    ...(waits ? [`5<${quote(files.wait)}`] : []),
  ];
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
  return [
    `(exec ${streams.join(" ")}`,
    `cd -P /proc/self; echo "p \${PWD#/proc/}" >&${CONTROL}; cd /; unset PWD OLDPWD`,
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
