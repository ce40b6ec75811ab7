import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ClientFolders = ReturnType<typeof createClientFolders>;

/** A home for the programs, and a fresh project folder for each install, all in one temporary folder. */
export function createClientFolders() {
  const root = mkdtempSync(join(tmpdir(), "skillgate-clients-"));
  const foreignFile = join(root, "foreign-hosts");
  let made = 0;
  const fresh = (name: string) => {
    made += 1;
    const folder = join(root, `${name}-${made}`);
    mkdirSync(folder);
    return folder;
  };
  return {
    fresh,
    /** No variables of the caller, no telemetry, and Node programs reach this machine only. */
    envIn: (home: string, more: Record<string, string> = {}): Record<string, string> => ({
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      DISABLE_TELEMETRY: "1",
      DO_NOT_TRACK: "1",
      NO_COLOR: "1",
      NODE_OPTIONS: `--import ${new URL("loopback-only.mjs", import.meta.url).href}`,
      FOREIGN_HOSTS_FILE: foreignFile,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      ...more,
    }),
    /** Hosts that a client tried to reach, each with the command. */
    foreignHosts: (): string[] =>
      existsSync(foreignFile) ? [...new Set(readFileSync(foreignFile, "utf8").trim().split("\n"))] : [],
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function readFirst(folder: string, ...paths: string[]): string | null {
  const found = paths.map((path) => join(folder, path)).find((path) => existsSync(path));
  return found === undefined ? null : readFileSync(found, "utf8");
}
