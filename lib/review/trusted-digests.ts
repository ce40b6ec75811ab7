import { readFile, stat } from "node:fs/promises";
import { getEnv } from "@/lib/core/env";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";

const MAX_BYTES = 1024 * 1024;

type Known = { print: string; digests: ReadonlySet<string> };
const NONE: Known = { print: "", digests: new Set() };

/**
 * The digests in the file named by `SKILLGATE_TRUSTED_DIGESTS`, reread when the file changes. Each line has a digest
 * and an optional comment; `#` begins a comment.
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
