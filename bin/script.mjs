import { requireNode } from "./require-node.mjs";

requireNode();
const { spawn } = await import("node:child_process");
const { Failure } = await import("./failure.mjs");
const { runMain } = await import("./run-main.mjs");
const { ensureInstalled } = await import("./prepare/install.mjs");
const { ensureGenerated } = await import("./prepare/generate.mjs");
const { root } = await import("./root.mjs");

await runMain(async ({ stopListening }) => {
  const [file, ...args] = process.argv.slice(2);
  if (!file) throw new Failure("usage: node bin/script.mjs FILE.ts [argument …]", { exitCode: 2 });
  await ensureInstalled({ development: /^(bench|e2e)\//.test(file) });
  await ensureGenerated();
  stopListening();
  return runScript(file, args);
});

function runScript(file, args) {
  const child = spawn(process.execPath, ["--import", "tsx", file, ...args], { cwd: root, stdio: "inherit" });
  // A terminal's Ctrl-C reaches the script directly; it decides how to end.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ? 1 : code));
  });
}
