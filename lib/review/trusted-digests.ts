import { readFile, stat } from "node:fs/promises";
import { getEnv } from "@/lib/core/env";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";

const MAX_BYTES = 1024 * 1024;

type Known = { print: string; digests: ReadonlySet<string> };
const NONE: Known = { print: "", digests: new Set() };

/**
 * The version digests that the operator trusts: the lines of the file that `SKILLGATE_TRUSTED_DIGESTS` names, read again
 * whenever it was changed. Empty lines and what follows a # are comments, and so is what follows the digest. No file, no digests.
 */
export async function trustedDigests(): Promise<ReadonlySet<string>> {
  const file = getEnv().SKILLGATE_TRUSTED_DIGESTS;
  if (file === undefined) return NONE.digests;
  const store = processStore("trusted-digests", () => ({ known: NONE }));
  try {
    const { mtimeMs, size, ino } = await stat(file);
    const print = [file, mtimeMs, size, ino].join(" ");
    if (print === store.known.print) return store.known.digests;
    if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    store.known = { print, digests: new Set(readLines(await readFile(file, "utf8"))) };
  } catch (error) {
    const print = `${file}: ${error instanceof Error ? error.message : String(error)}`;
    if (print !== store.known.print) logger.warn(`The file of trusted digests cannot be read: ${print}`);
    store.known = { print, digests: NONE.digests };
  }
  return store.known.digests;
}

function readLines(text: string): string[] {
  const words = text.split("\n").map((line) => line.replace(/#.*/, "").trim().split(/\s+/)[0] ?? "");
  return words.map((word) => word.replace(/^sha256:/i, "").toLowerCase()).filter((word) => /^[0-9a-f]{64}$/.test(word));
}
