import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CHAIN_KEY_FILE, parseKey } from "@/lib/audit/chain/chain-key";
import { parseSealingKey, SEALING_KEY_FILE } from "@/lib/core/sealing-key";
import { parseSigningKey, SIGNING_KEY_FILE } from "@/lib/core/signing-key";
import { parseAuthSecret, SECRET_FILE } from "./load-secret";

const PARSERS: [name: string, parse: (text: string, file: string) => unknown][] = [
  [SIGNING_KEY_FILE, parseSigningKey],
  [SEALING_KEY_FILE, parseSealingKey],
  [CHAIN_KEY_FILE, parseKey],
  [SECRET_FILE, parseAuthSecret],
];

/** What is wrong with the key files that are there, and what to do: one sentence for each that is garbled or unreadable. */
export async function inspectKeys(keyDir: string): Promise<string[]> {
  const problems = await Promise.all(PARSERS.map(([name, parse]) => problemOf(join(keyDir, name), parse)));
  return problems.filter((problem) => problem !== null);
}

async function problemOf(file: string, parse: (text: string, file: string) => unknown): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT") return null;
    return `${file} cannot be read (${code}). Make it a file that the server's user may read, or put it back from a backup.`;
  }
  try {
    parse(text, file);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
