import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fingerprintsOf, readHostKeys, sshCommand } from "./ssh-command";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "skillgate-ssh-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** The settings that ssh itself reads from a command for this host. */
function settingsOf(command: string): Map<string, string> {
  const text = execFileSync("/bin/sh", ["-c", `${command} -G git@git.acme.example`], { encoding: "utf8" });
  return new Map(text.split("\n").map((line) => [line.split(" ")[0] ?? "", line.split(" ").slice(1).join(" ")]));
}

test("ssh uses nothing of this user and asks nothing, and pins at the first connection only", async () => {
  const at = folder();
  const first = settingsOf(await sshCommand({ folder: at, port: 4022, privateKey: "KEY", hostKeys: null }));
  const expected = {
    hostname: "127.0.0.1",
    port: "4022",
    batchmode: "yes",
    identitiesonly: "yes",
    identityfile: join(at, "deploy_key"),
    userknownhostsfile: join(at, "known_hosts"),
    globalknownhostsfile: "/dev/null",
    forwardagent: "no",
    clearallforwardings: "yes",
    permitlocalcommand: "no",
    controlmaster: "false",
    updatehostkeys: "false",
    stricthostkeychecking: "accept-new",
  };
  for (const [name, value] of Object.entries(expected)) expect([name, first.get(name)]).toEqual([name, value]);
  expect(first.has("proxycommand")).toBe(false);
  expect(statSync(join(at, "deploy_key")).mode & 0o777).toBe(0o600);

  const pinned = settingsOf(await sshCommand({ folder: at, port: 4022, privateKey: null, hostKeys: KEY }));
  expect(pinned.get("stricthostkeychecking")).toBe("true");
  expect(readFileSync(join(at, "known_hosts"), "utf8")).toBe(`skillgate-source ${KEY}\n`);
  expect(await readHostKeys(at)).toBe(KEY);
});

test("a host without keys has none, and fingerprints are those of ssh-keygen", async () => {
  expect(await readHostKeys(folder())).toBeNull();
  // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/githubs-ssh-key-fingerprints
  expect(fingerprintsOf(KEY)).toEqual(["ssh-ed25519 SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU"]);
});
