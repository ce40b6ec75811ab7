import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Executable } from "./start-caller";

/** How a program gets its arguments: as in the product, or as in the servers it is compared with. */
type Convention = "stdin" | "cgi" | "variable" | "argument";
export type Pack = { name: "sh" | "python3" | "node"; scripts: Record<Convention, string> };

export const ARGS_VARIABLE = "BENCH_ARGS";
const CGI_HEADER = "Content-Type: application/json\\r\\n\\r\\n";

/** The same small program in three languages: it prints the JSON object that it gets. */
export function benchPacks(): Pack[] {
  const python = findPython();
  return [
    { name: "sh", scripts: shellScripts() },
    ...(python ? [{ name: "python3" as const, scripts: pythonScripts(python) }] : []),
    { name: "node", scripts: nodeScripts(findNode()) },
  ];
}

function shellScripts(): Pack["scripts"] {
  const shell = (...lines: string[]) => `${["#!/bin/sh", ...lines].join("\n")}\n`;
  return {
    stdin: shell("exec cat"),
    cgi: shell(`printf '${CGI_HEADER}'`, "exec cat"),
    variable: shell(`exec printenv ${ARGS_VARIABLE}`),
    argument: shell('exec printf %s "$1"'),
  };
}

function pythonScripts(python: string): Pack["scripts"] {
  const script = (modules: string, ...lines: string[]) =>
    `${[`#!${python}`, `import json, ${modules}`, ...lines].join("\n")}\n`;
  return {
    stdin: script("sys", "json.dump(json.load(sys.stdin), sys.stdout)"),
    cgi: script("sys", `sys.stdout.write("${CGI_HEADER}")`, "json.dump(json.load(sys.stdin), sys.stdout)"),
    variable: script("os, sys", `json.dump(json.loads(os.environ["${ARGS_VARIABLE}"]), sys.stdout)`),
    argument: script("sys", "json.dump(json.loads(sys.argv[1]), sys.stdout)"),
  };
}

function nodeScripts(node: string): Pack["scripts"] {
  const fromStdin = (write: string) =>
    [
      `#!${node}`,
      "let text = '';",
      "process.stdin.on('data', (chunk) => { text += chunk; });",
      `process.stdin.on('end', () => process.stdout.write(${write}JSON.stringify(JSON.parse(text))));\n`,
    ].join("\n");
  const from = (text: string) => `#!${node}\nprocess.stdout.write(JSON.stringify(JSON.parse(${text})));\n`;
  return {
    stdin: fromStdin(""),
    cgi: fromStdin(`'${CGI_HEADER}' + `),
    variable: from(`process.env.${ARGS_VARIABLE}`),
    argument: from("process.argv[2]"),
  };
}

/** Prefers a Node that a sandbox shows, since version managers install theirs in a home directory. */
function findNode(): string {
  const isShown = realpathSync(process.execPath).startsWith("/usr/");
  return !isShown && existsSync("/usr/bin/node") ? "/usr/bin/node" : process.execPath;
}

/** By absolute path: the shim of a version manager on PATH would cost a hundred milliseconds. */
function findPython(): string | null {
  if (existsSync("/usr/bin/python3")) return "/usr/bin/python3";
  try {
    return execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

export function placePack(parent: string, { name, scripts }: Pack, convention: Convention): Executable {
  const folder = join(parent, `${name}-${convention}`);
  const home = join(parent, `${name}-home`);
  for (const made of [parent, folder, home]) {
    mkdirSync(made, { recursive: true });
    chmodSync(made, 0o755);
  }
  const file = join(folder, "run");
  writeFileSync(file, scripts[convention]);
  chmodSync(file, 0o755);
  return { file, folder, home };
}
