import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readKeyFile } from "@/lib/core/key-file";
import { keyIdOf, parseSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import type { AttestationKeySet } from "./schema";

/** File with the Ed25519 keys of attestations, newest first, mode 0600. */
export const ATTESTATION_KEYS_FILE = "attestation-keys.json";

const Time = z.iso.datetime();
const StoredKey = z.strictObject({
  /** PEM (PKCS 8); null once the key signs no more. */
  privateKey: z.string().nullable(),
  /** PEM (SPKI). */
  publicKey: z.string(),
  signsFrom: Time,
  signsUntil: Time.nullable(),
  revokedAt: Time.nullable(),
});
type StoredKey = z.infer<typeof StoredKey>;
const KeyFile = z.strictObject({ keys: z.array(StoredKey).min(1) });

export type AttestationKey = Omit<StoredKey, "privateKey" | "publicKey"> & {
  /** SHA-256 of the public key's DER form (SPKI), in hex. */
  keyId: string;
  publicKey: KeyObject;
  publicPem: string;
  sign: ((bytes: Uint8Array) => Buffer) | null;
};

/**
 * The attestation keys of this instance, newest first; creates the first one. Reads the file each time, so that a rotation
 * takes effect without a restart.
 */
export async function loadAttestationKeys(folder: string, at: Date): Promise<AttestationKey[]> {
  const file = join(folder, ATTESTATION_KEYS_FILE);
  const text = await readKeyFile(folder, ATTESTATION_KEYS_FILE, () => textOf([newKey(at)]));
  if (lastRead?.file !== file || lastRead.text !== text)
    lastRead = { file, text, keys: parseAttestationKeys(text, file) };
  return [...lastRead.keys];
}

/** Parsing the keys took almost half of the processor time of an attestation: 3.7 ms, now 2.0. */
let lastRead: { file: string; text: string; keys: AttestationKey[] } | null = null;

/** Throws an error that names the file and the remedy. */
export function parseAttestationKeys(text: string, file: string): AttestationKey[] {
  return readStored(text, file).map(({ privateKey, publicKey: pem, ...periods }) => {
    const publicKey = createPublicKey(pem);
    const key = privateKey === null ? null : parseSigningKey(privateKey, file);
    return {
      ...periods,
      keyId: keyIdOf(publicKey),
      publicKey,
      publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
      sign: key === null ? null : (bytes) => sign(null, bytes, key),
    };
  });
}

type Signing = AttestationKey & { sign(bytes: Uint8Array): Buffer };

/** The keys that sign at this time: the newest, and during a rotation's overlap the one before. */
export function signersAt(keys: readonly AttestationKey[], at: Date): Signing[] {
  return keys.filter((key): key is Signing => key.sign !== null && maySign(key, at));
}

/** Whether a signature of this key on an approval of this time counts. A newer key may attest an older approval. */
export function maySign(key: Pick<AttestationKey, "signsUntil" | "revokedAt">, approvedAt: Date): boolean {
  return key.revokedAt === null && (key.signsUntil === null || approvedAt < new Date(key.signsUntil));
}

/** The public keys with their periods, for `GET /.well-known/skillgate-attestation-keys`. */
export async function listAttestationKeys(ctx: Ctx): Promise<AttestationKeySet> {
  const keys = await loadAttestationKeys(ctx.database.keyFolder, ctx.now());
  return {
    keys: keys.map(({ keyId, publicKey, publicPem, signsFrom, signsUntil, revokedAt }) => ({
      ...{ kty: "OKP", crv: "Ed25519", x: publicKey.export({ format: "jwk" }).x ?? "", kid: keyId },
      ...{ use: "sig", alg: "EdDSA", pem: publicPem, signsFrom, signsUntil, revokedAt },
    })),
  };
}

const DAY_MS = 24 * 3_600_000;

/**
 * Adds a key. For `overlapDays` the former key signs beside it, so that verifiers have that time to fetch the new one. Private keys
 * whose time is over are removed from the file. Returns the id of the new key.
 */
export function rotateAttestationKey(folder: string, { at, overlapDays }: { at: Date; overlapDays: number }) {
  const until = new Date(at.getTime() + overlapDays * DAY_MS).toISOString();
  return change(folder, at, (keys) => [
    newKey(at),
    ...keys.map((key) => ({ ...key, signsUntil: key.signsUntil ?? until })),
  ]);
}

/** Revokes a key; adds another when none is left that signs. Throws for an unknown id. Returns the id of the newest key. */
export function revokeAttestationKey(folder: string, { at, keyId }: { at: Date; keyId: string }): Promise<string> {
  return change(folder, at, (keys) => {
    const revokedAt = at.toISOString();
    const after = keys.map((key) =>
      idOf(key) === keyId ? { ...key, privateKey: null, revokedAt: key.revokedAt ?? revokedAt } : key,
    );
    if (!keys.some((key) => idOf(key) === keyId)) throw new Error(`There is no attestation key ${keyId}.`);
    return after.some((key) => key.signsUntil === null && key.revokedAt === null) ? after : [newKey(at), ...after];
  });
}

async function change(folder: string, at: Date, next: (keys: StoredKey[]) => StoredKey[]): Promise<string> {
  await loadAttestationKeys(folder, at);
  const file = join(folder, ATTESTATION_KEYS_FILE);
  const keys = next(readStored(await readFile(file, "utf8"), file)).map((key) =>
    key.signsUntil !== null && new Date(key.signsUntil) <= at ? { ...key, privateKey: null } : key,
  );
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(textOf(keys));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  return keys[0] === undefined ? "" : idOf(keys[0]);
}

function readStored(text: string, file: string): StoredKey[] {
  try {
    const { keys } = KeyFile.parse(JSON.parse(text));
    for (const key of keys) idOf(key);
    return keys;
  } catch {
    throw new Error(
      `${file} does not hold the keys of attestations. Put the file back from a backup. Without a backup: remove it; the server makes a new key, and verifiers have to fetch the list of keys again.`,
    );
  }
}

function newKey(at: Date): StoredKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    ...{ signsFrom: at.toISOString(), signsUntil: null, revokedAt: null },
  };
}

function idOf({ publicKey }: StoredKey): string {
  return keyIdOf(createPublicKey(publicKey));
}

function textOf(keys: StoredKey[]): string {
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}
