import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { doesNpmAnswer, type Missing } from "./install-packages";
import { lastLines, runProgram } from "./run-program";

const cache = fileURLToPath(new URL("../../.build/clients", import.meta.url));

/** A program of Debian, and the variables that it needs. */
export type DebianProgram = { command: string; env: Record<string, string> };

/**
 * A program that is installed, else that of Debian’s archive in `.build/clients`, with those of its `libraries` that are not
 * installed. Nothing is installed on this machine, and no script of a package runs.
 */
export async function installDebian(name: string, libraries: readonly string[]): Promise<DebianProgram | Missing> {
  if (await answers(name, {})) return { command: name, env: {} };
  const folder = join(cache, `debian-${name}`);
  const root = join(folder, "root");
  const libraryFolders = ["usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu"].map((path) => join(root, path));
  const found = { command: join(root, "usr/bin", name), env: { LD_LIBRARY_PATH: libraryFolders.join(":") } };
  if (existsSync(join(folder, "complete"))) return found;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const said = (await fetchPackages(folder, [name, ...libraries])) ?? (await unpackAll(folder, root));
  if (said === null && (await answers(found.command, found.env))) {
    writeFileSync(join(folder, "complete"), "");
    return found;
  }
  const why = said === null ? "it does not start" : lastLines(said);
  return { missing: `${name} is not installed, and Debian’s could not be: ${why}`, isNpmThere: await doesNpmAnswer() };
}

async function fetchPackages(cwd: string, packages: string[]): Promise<string | null> {
  const { code, output } = await run("apt-get", ["download", ...packages], cwd);
  return code === 0 ? null : output;
}

async function unpackAll(folder: string, root: string): Promise<string | null> {
  for (const file of readdirSync(folder).filter((one) => one.endsWith(".deb"))) {
    const { code, output } = await run("dpkg-deb", ["--extract", file, root], folder);
    if (code !== 0) return output;
  }
  return null;
}

async function answers(command: string, env: Record<string, string>): Promise<boolean> {
  return (await run(command, ["--version"], cache, env)).code === 0;
}

/** A program that is not there counts as one that failed. */
function run(command: string, args: string[], cwd: string, more: Record<string, string> = {}) {
  mkdirSync(cwd, { recursive: true });
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", ...more };
  return runProgram(command, args, { cwd, env }).catch((error: Error) => ({ code: null, output: error.message }));
}
