import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { SECRETS_FOLDER } from "@/lib/policy/grants/settle-grants";
import { isDeniedEnv } from "@/lib/skill-format/entry/script-entry";
import type { EntryProcess } from "@/lib/worker/launch/launcher";
import type { LeaseSecret } from "@/lib/worker/protocol";
import { RunFailure } from "@/lib/worker/run/run-failure";

/** First descriptor on which the process that builds a sandbox reads credentials that become files. */
export const FIRST_SECRET_FD = 6;
/** Shells support only one-digit descriptors. */
const LAST_SHELL_FD = 9;
const FOLDER_BYTES = 1024 * 1024;

/** The credentials that a run gets as variables. Throws RunFailure for names that no decision can grant. */
export function secretEnv(secrets: LeaseSecret[] = []): Record<string, string> {
  const given = secrets.filter(({ as }) => as === "env");
  const denied = given.find(({ name }) => isDeniedEnv(name));
  if (denied) throw new RunFailure("spawn_failed", `A credential cannot be given as the variable ${denied.name}.`);
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

export function secretFiles(secrets: LeaseSecret[] = []): LeaseSecret[] {
  const files = secrets.filter(({ as }) => as === "file");
  const odd = files.find(({ name }) => !/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name));
  if (odd)
    throw new RunFailure("spawn_failed", `A credential cannot be given as the file ${JSON.stringify(odd.name)}.`);
  return files;
}

/** The last entries of `stdio` for the process that builds a sandbox, after its `used` descriptors. */
export function secretPipes(files: LeaseSecret[], used: number): ("pipe" | "ignore")[] {
  if (files.length === 0) return [];
  return [...Array<"ignore">(FIRST_SECRET_FD - used).fill("ignore"), ...files.map(() => "pipe" as const)];
}

/** Bubblewrap arguments for credentials as files in memory. A run that drops its id inside could not read files of root. */
export function bindSecrets(files: LeaseSecret[], home: string, dropsInside: boolean): string[] {
  if (files.length === 0) return [];
  return [
    ...["--perms", "0755", "--size", String(FOLDER_BYTES), "--tmpfs", SECRETS_FOLDER],
    ...files.flatMap(({ name }, index) => [
      ...["--perms", dropsInside ? "0444" : "0400"],
      ...["--file", String(FIRST_SECRET_FD + index), `${SECRETS_FOLDER}/${name}`],
    ]),
    ...["--remount-ro", SECRETS_FOLDER, "--symlink", SECRETS_FOLDER, `${home}/secrets`],
  ];
}

export function secretSteps(files: LeaseSecret[], home: string, uid: number): [string, string, string][] {
  if (files.length === 0) return [];
  if (files.length > LAST_SHELL_FD - FIRST_SECRET_FD + 1) {
    throw new RunFailure("spawn_failed", "This worker can give at most four credentials as files to a run.");
  }
  return [
    ["dir", SECRETS_FOLDER, "755"],
    ["mount", `tmpfs,mode=700,uid=${uid},gid=${uid},nodev,noexec,size=${FOLDER_BYTES}`, SECRETS_FOLDER],
    ...files.map(({ name }, index): [string, string, string] => [
      "secret",
      String(FIRST_SECRET_FD + index),
      `${SECRETS_FOLDER}/${name}`,
    ]),
    ["lock", SECRETS_FOLDER, "noexec"],
    ["link", SECRETS_FOLDER, `${home}/secrets`],
  ];
}

/** Writes the values to the process that builds the sandbox; no command line and no file of the host contains them. */
export function feedSecrets(child: EntryProcess, files: LeaseSecret[]): void {
  for (const [index, { value }] of files.entries()) {
    // If the process ends before it has read all of it, its exit code reports that.
    (child.stdio[FIRST_SECRET_FD + index] as Writable).on("error", () => {}).end(value);
  }
}

/** Without a sandbox: files in the run's own home, which is removed with it, readable by this user id only. */
export function writeSecretFiles(files: LeaseSecret[], home: string, uid: number | null): void {
  if (files.length === 0) return;
  const folder = join(home, "secrets");
  mkdirSync(folder, { mode: 0o700 });
  for (const { name, value } of files) {
    const path = join(folder, name);
    writeFileSync(path, value, { mode: 0o400, flag: "wx" });
    if (uid !== null) chownSync(path, uid, uid);
  }
  if (uid !== null) chownSync(folder, uid, uid);
  chmodSync(folder, 0o500);
}
