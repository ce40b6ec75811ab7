import { z } from "zod";
import { findProgram } from "@/lib/core/find-program";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";
import { type ProgramEnd, runProgram } from "./kit/run-program";

const schema = () =>
  z.strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9@_.:\\-]{0,127}$/)
      .describe("Name of the service, such as nginx or nginx.service."),
  });

export const metadata: BuiltinMetadata = {
  name: "restart_service",
  label: "Restart a service",
  description:
    "Restart a service of a host with systemctl, or with service where there is no systemd, and report its state before and after.",
  class: "mutating",
  category: "host",
  schema,
  resultPreview: "the program used, state before and after, its output",
  grants: {
    paths: [
      { path: "/run/systemd", mode: "rw" },
      { path: "/run/dbus", mode: "rw" },
    ],
  },
  timeoutSeconds: 90,
};

const LIMITS = { timeoutMs: 60_000, maxBytes: 16 * 1024 };
const NO_SYSTEMD = /not been booted with systemd|Failed to connect to (bus|system scope bus)|Host is down/i;

export async function execute({ name }: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const before = findProgram("systemctl", io.programDirs) === null ? null : await readState(io, name);
  if (before === null) return restartBySysV(io, name);
  if (before.loadState === "not-found") throw new BuiltinError(`There is no service ${name} on this host.`);
  assertDone(await runProgram(io, ["systemctl", "--no-ask-password", "restart", name], LIMITS), "systemctl", name);
  const after = await readState(io, name);
  return { service: name, program: "systemctl", before: before.state, after: after?.state ?? null, output: "" };
}

async function readState(io: BuiltinIo, name: string): Promise<{ loadState: string; state: string } | null> {
  const shown = await runProgram(io, ["systemctl", "show", "--property=LoadState,ActiveState,SubState", name], LIMITS);
  if (shown.exitCode !== 0 && NO_SYSTEMD.test(shown.stderr)) return null;
  assertDone(shown, "systemctl", name);
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(shown.stdout)?.[1] ?? "unknown";
  return { loadState: value("LoadState"), state: `${value("ActiveState")} (${value("SubState")})` };
}

async function restartBySysV(io: BuiltinIo, name: string): Promise<unknown> {
  if (findProgram("service", io.programDirs) === null) {
    throw new BuiltinError("systemd cannot be reached from this run, and there is no program “service” either.");
  }
  const before = await runProgram(io, ["service", name, "status"], LIMITS);
  if (/unrecognized service/i.test(before.stderr)) throw new BuiltinError(`There is no service ${name} on this host.`);
  const done = await runProgram(io, ["service", name, "restart"], LIMITS);
  assertDone(done, "service", name);
  const after = await runProgram(io, ["service", name, "status"], LIMITS);
  const state = ({ exitCode }: ProgramEnd) => (exitCode === 0 ? "active" : "inactive");
  const output = cutText(`${done.stdout}${done.stderr}`.trim(), 2000);
  return { service: name, program: "service", before: state(before), after: state(after), output };
}

function assertDone(end: ProgramEnd, program: string, name: string): void {
  if (end.timedOut) throw new BuiltinError(`${program} took longer than ${LIMITS.timeoutMs / 1000} s.`);
  if (end.exitCode === 0) return;
  const said = cutText((end.stderr || end.stdout).trim(), 1000) || `exit code ${end.exitCode}`;
  throw new BuiltinError(`${program} did not restart ${name}: ${said}`);
}
