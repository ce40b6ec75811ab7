import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as restartService from "./restart_service";
import { callBuiltin, makeDir } from "./testing/call-builtin";

/** Returns a directory with programs that record how they were called. */
function programs(scripts: Record<string, string>) {
  const dir = makeDir();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(dir, name), `#!/bin/sh\necho "${name} $*" >> ${dir}/calls\n${script}\n`);
    chmodSync(join(dir, name), 0o755);
  }
  const calls = () =>
    existsSync(join(dir, "calls")) ? readFileSync(join(dir, "calls"), "utf8").trim().split("\n") : [];
  return { io: { programDirs: [dir, "/bin", "/usr/bin"] }, calls };
}

it("restarts with systemctl and reports the state before and after", async () => {
  const show = "echo LoadState=loaded; echo ActiveState=active; echo SubState=running";
  const { io, calls } = programs({ systemctl: `[ "$1" = show ] && { ${show}; }; exit 0` });
  expect(await callBuiltin(restartService, { name: "nginx" }, io)).toMatchObject({
    program: "systemctl",
    before: "active (running)",
    after: "active (running)",
  });
  expect(calls()[1]).toBe("systemctl --no-ask-password restart nginx");
});

it("falls back to service where systemd does not run", async () => {
  const { io, calls } = programs({
    systemctl: 'echo "System has not been booted with systemd as init system" >&2; exit 1',
    service: "exit 0",
  });
  expect(await callBuiltin(restartService, { name: "cron" }, io)).toMatchObject({
    program: "service",
    after: "active",
  });
  expect(calls()).toContain("service cron restart");
});

it("says what systemctl said when it refuses, and touches nothing that does not exist", async () => {
  const refused = programs({ systemctl: '[ "$1" = show ] && exit 0; echo "Access denied" >&2; exit 4' });
  await expect(callBuiltin(restartService, { name: "nginx" }, refused.io)).rejects.toThrow(
    "systemctl did not restart nginx: Access denied",
  );
  const missing = programs({ systemctl: "echo LoadState=not-found" });
  await expect(callBuiltin(restartService, { name: "ghost" }, missing.io)).rejects.toThrow("There is no service ghost");
  expect(missing.calls()).toHaveLength(1);
  await expect(callBuiltin(restartService, { name: "--version" }, missing.io)).rejects.toThrow();
});
