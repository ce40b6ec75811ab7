import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WORKER_VARIABLES } from "./worker-variables";

// The worker passes on the variables that built-ins read, so those count too.
test("every variable that the worker reads is in the list, and nothing else", () => {
  const folder = join(import.meta.dirname, "..", "worker");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.includes(".test.") && !file.startsWith("builtins"),
  );
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
  const read = texts.flatMap((text) => text.match(/(?<=env\.)SKILLGATE_[A-Z_]+/g) ?? []);
  expect([...new Set(read)].sort()).toEqual(WORKER_VARIABLES.map(({ name }) => name).sort());
});
