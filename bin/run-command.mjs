import { spawn } from "node:child_process";

const running = new Set();

/**
 * Runs a program in its own process group, so that ending it also ends its children. Resolves with `{ code, signal,
 * output }`; `echo` also prints the output.
 */
export function runCommand(command, args, { cwd, env = process.env, echo = false, uid, gid } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true, uid, gid });
    const chunks = [];
    const collect = (stream, target) =>
      stream.on("data", (chunk) => {
        chunks.push(chunk);
        if (echo) target.write(chunk);
      });
    collect(child.stdout, process.stdout);
    collect(child.stderr, process.stderr);
    running.add(child);
    child.once("error", (error) => {
      running.delete(child);
      reject(error);
    });
    // A surviving grandchild would hold the pipes open: end the group first, then wait for the rest.
    child.once("exit", () => endGroup(child, "SIGKILL"));
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code, signal, output: Buffer.concat(chunks).toString("utf8") });
    });
  });
}

export function endCommands(signal) {
  for (const child of running) endGroup(child, signal);
}

function endGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended already.
  }
}
