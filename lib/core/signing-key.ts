import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { join } from "node:path";
import { sha256Hex } from "./hash";
import { readKeyFile } from "./key-file";
import { processStore } from "./process-store";

export const SIGNING_KEY_FILE = "approval-signing.key";

export type SigningKey = {
  /** SHA-256 of the public key's DER form (SPKI), in hex. */
  keyId: string;
  publicKey: KeyObject;
  /** PEM (SPKI). */
  publicPem: string;
  /** Ed25519 over the UTF-8 bytes of a text, in base64. */
  sign(text: string): string;
};

/** Reads the instance's Ed25519 key from this folder, creating it if missing; cached per process. */
export function loadSigningKey(folder: string): Promise<SigningKey> {
  const keys = processStore("signing-keys", () => new Map<string, Promise<SigningKey>>());
  const known = keys.get(folder);
  if (known !== undefined) return known;
  const loading = load(folder);
  keys.set(folder, loading);
  loading.catch(() => keys.delete(folder));
  return loading;
}

async function load(folder: string): Promise<SigningKey> {
  const pem = await readKeyFile(folder, SIGNING_KEY_FILE, () =>
    generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  );
  const privateKey = parseSigningKey(pem, join(folder, SIGNING_KEY_FILE));
  const publicKey = createPublicKey(privateKey);
  return {
    keyId: keyIdOf(publicKey),
    publicKey,
    publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    sign: (text) => sign(null, Buffer.from(text, "utf8"), privateKey).toString("base64"),
  };
}

/** The private key in a file's text (PEM, PKCS 8). Throws an error that names the file and the remedy, never a library's. */
export function parseSigningKey(pem: string, file: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // OpenSSL's words name neither the file nor what to do.
  }
  throw new Error(
    `${file} does not hold an Ed25519 private key in PEM. Put the file back from a backup. Without a backup: remove it and start with SKILLGATE_ACCEPT_LOST_KEYS=true; the server makes a new key, and every approval has to be made again.`,
  );
}

export function keyIdOf(publicKey: KeyObject): string {
  return sha256Hex(publicKey.export({ type: "spki", format: "der" }));
}
