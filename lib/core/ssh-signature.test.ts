import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { verifySshSignature } from "./ssh-signature";

const work = mkdtempSync(join(tmpdir(), "skillgate-ssh-"));
afterAll(() => rmSync(work, { recursive: true }));

function run(args: string[], input?: string) {
  return spawnSync("ssh-keygen", args, { input, cwd: work, encoding: "utf8" });
}

let keys = 0;
function makeKey(type: string, bits: number | null): string {
  keys += 1;
  const file = join(work, `key-${keys}`);
  const size = bits === null ? [] : ["-b", String(bits)];
  expect(run(["-q", "-t", type, ...size, "-N", "", "-f", file]).status).toBe(0);
  return file;
}

const MESSAGE = "DSSEv1 28 application/vnd.in-toto+json 2 {}";
const wanted = { namespace: "skillgate-approval", message: Buffer.from(MESSAGE) };

function signed(file: string, { options = [] as string[], namespace = wanted.namespace } = {}): string {
  return run(["-Y", "sign", "-n", namespace, "-f", file, ...options], MESSAGE).stdout;
}

const SHA256 = ["-O", "hashalg=sha256"];
const KINDS: [type: string, bits: number | null, options: string[]][] = [
  ["ed25519", null, []],
  ["ed25519", null, SHA256],
  ["ecdsa", 256, []],
  ["ecdsa", 384, SHA256],
  ["ecdsa", 521, []],
  ["rsa", 2048, []],
  ["rsa", 3072, SHA256],
];

test.each(KINDS)("a signature of ssh-keygen with a key %s %s verifies for its bytes only", (type, bits, options) => {
  const file = makeKey(type, bits);
  const text = signed(file, { options });
  const [kind, key] = readFileSync(`${file}.pub`, "utf8").split(" ");
  const fingerprint = run(["-l", "-f", `${file}.pub`]).stdout.split(" ")[1];
  const found = { type: kind, publicKey: `${kind} ${key}`, fingerprint };
  expect(verifySshSignature(text, wanted)).toEqual({ problem: null, key: found, armoured: text });
  expect(verifySshSignature(text.replaceAll("\n", "\r\n"), wanted)).toMatchObject({ problem: null, armoured: text });
  const other = verifySshSignature(text, { ...wanted, message: Buffer.from(`${MESSAGE} `) });
  expect(other.problem).toBe("it does not verify for these bytes");
});

const field = (value: string | Uint8Array) => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const sha = (name: string, bytes: string | Uint8Array) => createHash(name).update(bytes).digest();
const armoured = (blob: Buffer) =>
  `-----BEGIN SSH SIGNATURE-----\n${blob.toString("base64").replace(/(.{70})/g, "$1\n")}\n-----END SSH SIGNATURE-----\n`;

const pair = generateKeyPairSync("ed25519");
const point = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url");
type Parts = {
  magic?: string;
  version?: number;
  namespace?: string;
  reserved?: string;
  hash?: string;
  /** Of a security key; null for an ordinary one. */
  flags?: number | null;
  type?: string;
  point?: Uint8Array;
  algorithm?: string;
  more?: string;
};

/** A signature made by hand, as `ssh-keygen` makes it where nothing is given. */
function handMade({ flags = null, version = 1, hash = "sha512", ...given }: Parts = {}): string {
  const type = given.type ?? (flags === null ? "ssh-ed25519" : "sk-ssh-ed25519@openssh.com");
  const key = [field(type), field(given.point ?? point), ...(flags === null ? [] : [field("ssh:")])];
  const head = [field(given.namespace ?? wanted.namespace), field(given.reserved ?? ""), field(hash)];
  const message = Buffer.concat([Buffer.from("SSHSIG"), ...head, field(sha(hash, MESSAGE))]);
  const touch = flags === null ? Buffer.alloc(0) : Buffer.from([flags, 0, 0, 0, 9]);
  const data = flags === null ? message : Buffer.concat([sha("sha256", "ssh:"), touch, sha("sha256", message)]);
  const signature = Buffer.concat([
    field(given.algorithm ?? type),
    field(sign(null, data, pair.privateKey)),
    touch,
    Buffer.from(given.more ?? ""),
  ]);
  const start = Buffer.concat([Buffer.from(given.magic ?? "SSHSIG"), Buffer.from([0, 0, 0, version])]);
  return armoured(Buffer.concat([start, field(Buffer.concat(key)), ...head, field(signature)]));
}

test.each([
  ["an ordinary key", null],
  ["a touched security key", 1],
])("ssh-keygen and the server accept a signature of %s that was made by hand", (_what, flags) => {
  const text = handMade({ flags });
  const verified = verifySshSignature(text, wanted);
  if (verified.problem !== null) throw new Error(verified.problem);
  writeFileSync(join(work, "allowed"), `mara ${verified.key.publicKey}\n`);
  writeFileSync(join(work, "signature"), text);
  const args = ["-f", "allowed", "-I", "mara", "-n", wanted.namespace, "-s", "signature"];
  expect(run(["-Y", "verify", ...args], MESSAGE)).toMatchObject({ status: 0 });
});

const flipped = (text: string, at: number) => {
  const blob = Buffer.from(text.split("\n").slice(1, -2).join(""), "base64");
  blob.writeUInt8(blob.readUInt8(at < 0 ? blob.length + at : at) ^ 1, at < 0 ? blob.length + at : at);
  return armoured(blob);
};
const REFUSED: [what: string, text: () => string, problem: RegExp][] = [
  ["nothing", () => "", /not an armoured/],
  ["a public key", () => `ssh-ed25519 ${point.toString("base64")}`, /not an armoured/],
  ["another armour", () => handMade().replaceAll("SSH SIGNATURE", "SIGNED FILE"), /not an armoured/],
  ["base64 with other letters", () => handMade().replace("\n", "\n!"), /not an armoured/],
  ["a text that is too long", () => handMade().replace("\n", `\n${"A".repeat(20_000)}`), /not an armoured/],
  ["another magic", () => handMade({ magic: "SSHSIH" }), /version 1/],
  ["another version", () => handMade({ version: 2 }), /version 1/],
  ["another namespace", () => signed(makeKey("ed25519", null), { namespace: "git" }), /“git”; sign with -n skillgate/],
  ["a reserved field", () => handMade({ reserved: "x" }), /leaves empty/],
  ["a weak hash", () => handMade({ hash: "sha1" }), /“sha1”/],
  ["bytes after the signature", () => handMade({ more: "x" }), /after its end/],
  ["a part that is missing", () => armoured(Buffer.from(handMade().slice(30, 90), "base64")), /version 1|too early/],
  ["a short RSA key", () => signed(makeKey("rsa", 1024)), /shorter than 2048/],
  ["RSA with SHA-1", () => handMade({ algorithm: "ssh-rsa" }), /“ssh-rsa” is not a signature/],
  ["a DSA key", () => handMade({ type: "ssh-dss" }), /“ssh-dss” are not supported/],
  ["a name of the prototype", () => handMade({ type: "ecdsa-sha2-constructor" }), /not supported/],
  ["a certificate", () => handMade({ type: "ssh-ed25519-cert-v01@openssh.com" }), /not supported/],
  ["a security key that was not touched", () => handMade({ flags: 0 }), /not touched/],
  ["a changed signature", () => flipped(handMade(), -1), /does not verify/],
  ["another counter", () => flipped(handMade({ flags: 1 }), -1), /does not verify/],
  ["another key", () => handMade({ point: Buffer.alloc(32, 5) }), /does not verify|malformed/],
  ["a key of another length", () => handMade({ point: Buffer.alloc(31, 5) }), /malformed/],
];
test.each(REFUSED)("%s is refused", (_what, text, problem) => {
  expect(verifySshSignature(text(), wanted).problem).toMatch(problem);
});

/** A signature of an RSA key whose modulus is written with zeros in front, or whose exponent is another. */
function ofRsa(bits: number, { zeros = 1, exponent = null as Buffer | null, padding = null as Buffer | null } = {}) {
  const made = rsaKeys[bits] ?? generateKeyPairSync("rsa", { modulusLength: bits });
  rsaKeys[bits] = made;
  const { e = "", n = "" } = made.publicKey.export({ format: "jwk" });
  const modulus = Buffer.concat([Buffer.alloc(zeros), Buffer.from(n, "base64url")]);
  const key = [field("ssh-rsa"), field(exponent ?? Buffer.from(e, "base64url")), field(modulus)];
  const head = [field(wanted.namespace), field(""), field("sha512")];
  const message = Buffer.concat([Buffer.from("SSHSIG"), ...head, field(sha("sha512", MESSAGE))]);
  const bytes =
    padding === null ? sign("sha512", message, made.privateKey) : Buffer.concat([padding, sha("sha512", message)]);
  const signature = Buffer.concat([field("rsa-sha2-512"), field(bytes)]);
  const start = Buffer.concat([Buffer.from("SSHSIG"), Buffer.from([0, 0, 0, 1])]);
  return armoured(Buffer.concat([start, field(Buffer.concat(key)), ...head, field(signature)]));
}
const rsaKeys: Record<number, { publicKey: KeyObject; privateKey: KeyObject }> = {};

const PKCS1 = Buffer.from(`0001${"ff".repeat(256 - 86)}003051300d060960864801650304020305000440`, "hex");
/** A point of low order and its signature without a private key, which verifies for every message. */
function ofLowOrder(text: string): string {
  const key = Buffer.concat([field("ssh-ed25519"), field(Buffer.from(text, "hex"))]);
  const head = [field(wanted.namespace), field(""), field("sha512")];
  const bytes = Buffer.alloc(64);
  bytes[0] = 1;
  const signature = Buffer.concat([field("ssh-ed25519"), field(bytes)]);
  const start = Buffer.concat([Buffer.from("SSHSIG"), Buffer.from([0, 0, 0, 1])]);
  return armoured(Buffer.concat([start, field(key), ...head, field(signature)]));
}

test("an RSA key as ssh-keygen writes it verifies", () => {
  expect(verifySshSignature(ofRsa(2048), wanted).problem).toBeNull();
});

test.each<[what: string, text: () => string]>([
  ["a short RSA key behind zeros", () => ofRsa(1024, { zeros: 129 })],
  ["another spelling of an RSA key, which has another fingerprint", () => ofRsa(2048, { zeros: 5 })],
  ["a negative modulus", () => ofRsa(2048, { zeros: 0 })],
  [
    "an RSA key with the exponent 1, which anyone can sign for",
    () => ofRsa(2048, { exponent: Buffer.from([1]), padding: PKCS1 }),
  ],
  ["the neutral point, which anyone can sign for", () => ofLowOrder(`01${"00".repeat(31)}`)],
  ["another spelling of the neutral point", () => ofLowOrder(`ee${"ff".repeat(30)}7f`)],
])("%s is no key", (_what, text) => {
  expect(verifySshSignature(text(), wanted).problem).toMatch(/malformed|shorter/);
});
