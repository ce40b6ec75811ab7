// Writes docs/configuration.md from the schemas that validate the configuration. `--check` fails when the committed
// file differs.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { secretNames } from "./serve/secret-files.mjs";

const file = join(import.meta.dirname, "..", "docs", "configuration.md");
const { writeReference } = await tsImport("../lib/http/write-reference.ts", import.meta.url);
const text = writeReference(secretNames);
if (!process.argv.includes("--check")) {
  await writeFile(file, text);
} else if ((await readFile(file, "utf8").catch(() => "")) !== text) {
  console.error("docs/configuration.md is out of date. Run: node bin/make-configuration.mjs");
  process.exitCode = 1;
}
