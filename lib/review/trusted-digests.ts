import { readFile, stat } from "node:fs/promises";
import { getEnv } from "@/lib/core/env";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";

const MAX_BYTES = 1024 * 1024;

type Loaded = { fingerprint: string; digests: ReadonlySet<string> };
const NONE: Loaded = { fingerprint: "", digests: new Set() };

/** The digests in the file `SKILLGATE_TRUSTED_DIGESTS`, one per line; `#` begins a comment. Reread on change. */
export async function trustedDigests(): Promise<ReadonlySet<string>> {
  const file = getEnv().SKILLGATE_TRUSTED_DIGESTS;
  if (file === undefined) return NONE.digests;
  const store = processStore("trusted-digests", () => ({ loaded: NONE }));
  try {
    const { mtimeMs, size, ino } = await stat(file);
    const fingerprint = [file, mtimeMs, size, ino].join(" ");
    if (fingerprint === store.loaded.fingerprint) return store.loaded.digests;
    if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    store.loaded = { fingerprint, digests: new Set(parseDigests(await readFile(file, "utf8"))) };
  } catch (error) {
    const fingerprint = `${file}: ${error instanceof Error ? error.message : String(error)}`;
    if (fingerprint !== store.loaded.fingerprint)
      logger.warn(`The file of trusted digests cannot be read: ${fingerprint}`);
    store.loaded = { fingerprint, digests: NONE.digests };
  }
  return store.loaded.digests;
}

function parseDigests(text: string): string[] {
  const words = text.split("\n").map((line) => line.replace(/#.*/, "").trim().split(/\s+/)[0] ?? "");
  return words.map((word) => word.replace(/^sha256:/i, "").toLowerCase()).filter((word) => /^[0-9a-f]{64}$/.test(word));
}
