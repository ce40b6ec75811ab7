import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readChainKey } from "@/lib/audit/chain/chain-key";
import { loadSealingKey } from "@/lib/core/seal";
import { loadSigningKey } from "@/lib/core/signing-key";
import { loadAttestationKeys } from "@/lib/review/attest/attestation-keys";
import { inspectKeys, loadSecret } from "./boot-server";

const folder = mkdtempSync(join(tmpdir(), "skillgate-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(folder, "keys-"));
});

/** Creates the keys as the server does. */
async function make(): Promise<void> {
  await loadSigningKey(dir);
  await loadAttestationKeys(dir, new Date());
  await loadSealingKey(dir);
  await loadSecret(dir);
  writeFileSync(join(dir, "audit-chain.key"), Buffer.alloc(32, 7).toString("base64url"), { mode: 0o600 });
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
const GARBLED: [what: string, bytes: string | Buffer][] = [
  ["nothing", ""],
  ["zeros, as after a power cut", Buffer.alloc(200)],
  ["random bytes", Buffer.from("9f8e7d6c5b4a39281706f5e4d3c2b1a0".repeat(4), "hex")],
  ["the first half", "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQ"],
];

test("keys that are not there yet, and keys that the server made, are fine", async () => {
  expect(await inspectKeys(dir)).toEqual([]);
  await make();
  expect(await inspectKeys(dir)).toEqual([]);
});

test.each(GARBLED)("each key file that holds %s is named with its remedy, all at once", async (_what, bytes) => {
  await make();
  const names = ["approval-signing.key", "attestation-keys.json", "secrets.key", "audit-chain.key", "auth.secret"];
  for (const name of names) writeFileSync(join(dir, name), bytes);
  const problems = await inspectKeys(dir);
  expect(problems).toHaveLength(names.length);
  for (const [index, name] of names.entries()) {
    expect(problems[index]).toContain(join(dir, name));
    expect(problems[index]).toMatch(/from a backup/);
    expect(problems[index]).not.toMatch(/DECODER|routines|asn1|error:/i);
  }
  const [signing, attestation, sealing, chain, secret] = problems;
  expect(signing).toMatch(/SKILLGATE_ACCEPT_LOST_KEYS=true.*every approval has to be made again/);
  expect(attestation).toMatch(/remove it.*makes a new key.*fetch the list of keys again/);
  expect(sealing).toMatch(/SKILLGATE_ACCEPT_LOST_KEYS=true.*credentials.*set again/);
  expect(chain).toMatch(/no new key can replace it/);
  expect(secret).toMatch(/remove it.*everyone has to sign in again/);
});

test("a key of another kind is not one to sign with", async () => {
  writeFileSync(join(dir, "approval-signing.key"), rsa);
  expect(await inspectKeys(dir)).toEqual([expect.stringContaining("does not hold an Ed25519 private key")]);
});

test("a key file that cannot be read is named with the system's reason", async () => {
  mkdirSync(join(dir, "secrets.key"));
  expect(await inspectKeys(dir)).toEqual([expect.stringMatching(/secrets\.key cannot be read \(EISDIR\)/)]);
});

test("who loads a garbled key later is told the same", async () => {
  for (const name of ["approval-signing.key", "secrets.key", "audit-chain.key"]) writeFileSync(join(dir, name), "x");
  chmodSync(join(dir, "audit-chain.key"), 0o600);
  const told = await inspectKeys(dir);
  const thrown: string[] = [];
  for (const load of [loadSigningKey, loadSealingKey, readChainKey]) {
    await load(dir).catch((error: Error) => thrown.push(error.message));
  }
  expect(thrown).toEqual(told);
});
