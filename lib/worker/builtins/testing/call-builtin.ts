import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { z } from "zod";
import type { BuiltinIo, BuiltinMetadata } from "../kit/builtin";
import { answerOf, encodeResult } from "../kit/run-builtin";
import { PROGRAM_DIRS } from "../kit/run-program";

type Builtin<Args> = { metadata: BuiltinMetadata; execute: (args: Args, io: BuiltinIo) => Promise<unknown> };

/** Calls a built-in as its program does: arguments through its schema, the result through JSON. */
export async function callBuiltin<Args>(
  builtin: Builtin<Args>,
  args: Record<string, unknown>,
  io: Partial<BuiltinIo> = {},
): Promise<Record<string, unknown>> {
  const { schema } = builtin.metadata;
  const parsed = typeof schema === "function" ? (schema() as z.ZodType<Args>).parse(args) : (args as Args);
  const result = await answerOf(builtin, parsed, {
    ...{ env: {}, programDirs: PROGRAM_DIRS, roots: null, workspace: "/nowhere", context: null },
    ...io,
  });
  return JSON.parse(encodeResult(result)) as Record<string, unknown>;
}

/** Returns an empty directory that is removed after the test. */
export function makeDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "skillgate-builtin-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
