import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { readKeyFile } from "./key-file";

/**
 * A random secret of 32 bytes in base64url, read from a file that only the owner may read; made when it is missing. Throws
 * when the file was cut; `loss` says what deleting it costs.
 */
export async function loadKeyFile(file: string, loss: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const text = await readKeyFile(dirname(file), basename(file), () => randomBytes(32).toString("base64url"));
  const secret = text.trim();
  if (secret.length < 32) throw new Error(`${file} has fewer than 32 characters; restore it, or delete it to ${loss}.`);
  return secret;
}
