import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { runProgram } from "./kit/run-program";
import { workspacePath } from "./kit/workspace-path";

const schema = () =>
  z.strictObject({
    command: z.string().min(1).max(20_000).describe("Command line for /bin/sh."),
    directory: z.string().min(1).max(1000).default(".").describe("Working directory, relative to the workspace."),
    timeout_seconds: z
      .int()
      .min(1)
      .max(280)
      .default(60)
      .describe("Timeout in seconds; the command and its child processes are killed then."),
  });

export const metadata: BuiltinMetadata = {
  name: "run_command",
  label: "Run a command",
  description:
    "Run a shell command in the session's workspace, without network, and return its exit code and the beginning of its output.",
  class: "dangerous",
  scope: "manager",
  category: "workspace",
  schema,
  resultPreview: "exit code, stdout and stderr (64 KiB each), whether it was cut or ended at its time limit",
  grants: { workspace: true },
  timeoutSeconds: 300,
};

const MAX_BYTES = 64 * 1024;

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { path } = workspacePath(io, args.directory);
  if (args.command.includes("\0")) throw new BuiltinError("A command cannot hold a NUL character.");
  const end = await runProgram(io, ["sh", "-c", args.command], {
    timeoutMs: args.timeout_seconds * 1000,
    maxBytes: MAX_BYTES,
    cwd: path,
  });
  const { exitCode, signal, stdout, stderr, truncated, timedOut } = end;
  return { exitCode, signal, timedOut, stdout, stderr, truncated };
}
