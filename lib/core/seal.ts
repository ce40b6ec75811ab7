import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { join } from "node:path";
import { loadKeyFile, parseSecret } from "./key-file";

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text with AES-256-GCM: format byte, nonce, tag, ciphertext. The name is authenticated, so a sealed value
 * cannot be moved to another name. `key` is 32 bytes in base64url.
 */
export function seal(key: string, name: string, text: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key, "base64url"), nonce);
  cipher.setAAD(Buffer.from(name, "utf8"));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([Buffer.from([FORMAT]), nonce, cipher.getAuthTag(), sealed]));
}

/** Decrypts; null for another key, another name, or changed bytes. */
export function unseal(key: string, name: string, sealed: Uint8Array): string | null {
  const bytes = Buffer.from(sealed);
  const body = 1 + NONCE_BYTES + TAG_BYTES;
  if (bytes.length < body || bytes[0] !== FORMAT) return null;
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(key, "base64url"), bytes.subarray(1, 1 + NONCE_BYTES));
  decipher.setAAD(Buffer.from(name, "utf8"));
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, body));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

export const SEALING_KEY_FILE = "secrets.key";

const LOSS =
  "Without a backup: remove it and start with SKILLGATE_ACCEPT_LOST_KEYS=true; the server makes a new key, and stored credentials and tokens have to be set again.";

/** Reads the key for stored secrets, `secrets.key` in the key folder, and creates it if missing. */
export function loadSealingKey(keyFolder: string): Promise<string> {
  return loadKeyFile(join(keyFolder, SEALING_KEY_FILE), LOSS);
}

export function parseSealingKey(text: string, file: string): string {
  return parseSecret(text, file, LOSS);
}
