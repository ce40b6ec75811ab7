import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A new Ed25519 key of `ssh-keygen`, which is removed after the test file. Call it outside of tests. */
export function sshKey() {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-ssh-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "key");
  const run = (args: string[], input?: string | Uint8Array) => {
    const { status, stdout, stderr } = spawnSync("ssh-keygen", args, { input, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  run(["-q", "-t", "ed25519", "-N", "", "-f", file]);
  const [type, key] = readFileSync(`${file}.pub`, "utf8").split(" ");
  return {
    publicKey: `${type} ${key}`,
    fingerprint: run(["-l", "-f", `${file}.pub`]).split(" ")[1] ?? "",
    sign: (namespace: string, message: string | Uint8Array) =>
      run(["-Y", "sign", "-n", namespace, "-f", file], message),
  };
}
