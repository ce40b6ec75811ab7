import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";
import { checkDocLinks } from "./doc-links.mjs";
import { checkHouseRules } from "./house-rules.mjs";
import { checkPageBytes } from "./page-bytes.mjs";
import { checkSizes } from "./size-rules.mjs";
import { checkVersionFloors } from "./version-floors.mjs";
import { checkWords } from "./word-rules.mjs";

const migrations = "bin/check-migrations.mjs";

export function checkSteps() {
  const steps = [
    { name: "types", run: checkTypes },
    { name: "format and lint", run: () => tool("biome", "check", "--error-on-warnings", "--colors=off", ".") },
    { name: "import direction", run: checkImportDirection },
    { name: "dead code", run: () => tool("knip", "--no-progress") },
    { name: "version floors", run: async () => asResult(checkVersionFloors(root)) },
    { name: "written files", run: () => node("bin/make-configuration.mjs", "--check") },
    { name: "links of docs", run: async () => asResult(checkDocLinks(root)) },
    { name: "house rules", run: async () => asResult(checkHouseRules(root)) },
    { name: "sizes and reach", run: async () => asResult(checkSizes(root)) },
    { name: "words", run: async () => asResult(checkWords(root)) },
  ];
  if (existsSync(path.join(root, migrations))) steps.push({ name: "migrations", run: () => node(migrations) });
  return [...steps, ...builtSteps()];
}

/** The checks of a build; none before the first one. The tests call them again after theirs. */
export function builtSteps() {
  const isBuilt = existsSync(path.join(root, process.env.NEXT_DIST_DIR ?? ".next", "BUILD_ID"));
  return isBuilt ? [{ name: "bytes of pages", run: async () => asResult(checkPageBytes(root)) }] : [];
}

async function checkTypes() {
  // Types left by a development server describe routes that may be gone.
  rmSync(path.join(root, ".next", "dev", "types"), { recursive: true, force: true });
  const generated = await tool("next", "typegen");
  if (!generated.ok) return generated;
  return tool("tsc", "--noEmit", "--pretty", "false");
}

function checkImportDirection() {
  const sources = ["app", "components", "lib", "bench", "e2e", "prisma", "proxy.tsx", "instrumentation.ts"];
  const present = sources.filter((source) => existsSync(path.join(root, source)));
  return tool("depcruise", "--config", ".dependency-cruiser.cjs", "--output-type", "err-long", ...present);
}

function tool(name, ...args) {
  return command(path.join(root, "node_modules", ".bin", name), args);
}

function node(...args) {
  return command(process.execPath, args);
}

async function command(program, args) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1" };
  const { code, output } = await runCommand(program, args, { cwd: root, env });
  return { ok: code === 0, output };
}

function asResult(problems) {
  return { ok: problems.length === 0, output: problems.join("\n") };
}
