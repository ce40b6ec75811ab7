import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { readKeyFile } from "./key-file";

const SECRET = /^[\x21-\x7e]{32,}$/;

/**
 * A random secret of 32 bytes in base64url, read from a file that only the owner may read; made when it is missing. Throws
 * what `parseSecret` throws.
 */
export async function loadKeyFile(file: string, loss: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const text = await readKeyFile(dirname(file), basename(file), () => randomBytes(32).toString("base64url"));
  return parseSecret(text, file, loss);
}

/** The secret in a key file's text. Throws when the file was cut or garbled; `loss` says how to go on without the file. */
export function parseSecret(text: string, file: string, loss: string): string {
  const secret = text.trim();
  if (SECRET.test(secret)) return secret;
  throw new Error(
    `${file} does not hold a secret of 32 or more letters, digits and signs. Put the file back from a backup. ${loss}`,
  );
}
