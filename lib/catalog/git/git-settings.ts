import { dirname } from "node:path";

/** Settings of git for one repository of a source, as `GIT_CONFIG_*` variables: nothing of them is written to the disk. */
export type GitSettings = Record<string, string>;

/**
 * What git may never do, under any setting of the machine or the repository: run hooks, filters, monitors, helpers and maintenance, follow
 * redirects, ask for a password, or speak a protocol but that of the source (git-config(1), git(1)).
 */
const CLOSED: GitSettings = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  "core.askPass": "",
  "credential.helper": "",
  "credential.interactive": "false",
  "protocol.allow": "never",
  "protocol.version": "2",
  "http.followRedirects": "false",
  "http.sslVerify": "true",
  "http.emptyAuth": "false",
  "http.delegation": "none",
  "transfer.bundleURI": "false",
  "transfer.unpackLimit": "1",
  "fetch.recurseSubmodules": "false",
  "fetch.writeCommitGraph": "false",
  // Nothing is known that the other side could leave out.
  "fetch.negotiationAlgorithm": "noop",
  "submodule.recurse": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  // Bounds of memory while a pack is read.
  "core.bigFileThreshold": "16m",
  "core.packedGitWindowSize": "32m",
  "core.packedGitLimit": "256m",
  "core.deltaBaseCacheLimit": "64m",
  "pack.threads": "2",
};

const NEEDED_VERSION = [2, 31] as const;

/** Whether this git reads settings from variables, without which it would run with those of the machine. */
export function isSupported(version: string): boolean {
  const [, major = "0", minor = "0"] = /^git version (\d+)\.(\d+)/.exec(version) ?? [];
  const [neededMajor, neededMinor] = NEEDED_VERSION;
  return Number(major) > neededMajor || (Number(major) === neededMajor && Number(minor) >= neededMinor);
}

/** The whole environment of git: nothing of this process reaches it. `home` is an empty folder of its own. */
export function gitEnvironment(
  home: string,
  settings: GitSettings,
  options: { scheme: string; ssh?: string },
): Record<string, string> {
  const all = { ...CLOSED, [`protocol.${options.scheme}.allow`]: "always", ...settings };
  const config = Object.entries(all).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    XDG_CONFIG_HOME: home,
    TMPDIR: home,
    // A repository around the folder would bring settings of its own.
    GIT_CEILING_DIRECTORIES: dirname(home),
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_ALLOW_PROTOCOL: options.scheme,
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_SSH_VARIANT: "ssh",
    GIT_SSH_COMMAND: options.ssh ?? "false",
    GIT_CONFIG_COUNT: String(Object.keys(all).length),
    ...Object.fromEntries(config),
  };
}
