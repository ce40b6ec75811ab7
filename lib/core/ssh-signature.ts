import { createHash, createPublicKey, hash, type JsonWebKey, type KeyObject, verify } from "node:crypto";

/** A public key as in `authorized_keys`, without a comment. */
export type SshPublicKey = { type: string; publicKey: string; fingerprint: string };

type Verified = { problem: string } | { problem: null; key: SshPublicKey; armoured: string };

/**
 * Verifies an armoured signature of `ssh-keygen -Y sign` with the public key that it holds (PROTOCOL.sshsig of OpenSSH): Ed25519, ECDSA
 * and RSA with SHA-2, also of security keys that were touched. The caller decides whose the key is. `armoured` is the one spelling of the
 * signature that is stored; a problem is the end of a sentence.
 */
export function verifySshSignature(text: string, wanted: { namespace: string; message: Uint8Array }): Verified {
  const blob = readArmour(text);
  if (blob === null) return { problem: "it is not an armoured SSH signature (-----BEGIN SSH SIGNATURE-----)" };
  try {
    const { key, namespace, ...parts } = readBlob(blob);
    if (namespace !== wanted.namespace) {
      return { problem: `it was made for the namespace “${namespace}”; sign with -n ${wanted.namespace}` };
    }
    const digest = createHash(parts.hashName).update(wanted.message).digest();
    const head = [namespace, "", parts.hashName].map((part) => field(Buffer.from(part)));
    const signed = Buffer.concat([MAGIC, ...head, field(digest)]);
    if (!isSignature(readKey(key), signed, parts.signature)) return { problem: "it does not verify for these bytes" };
    return { problem: null, key: presentKey(key), armoured: armour(blob) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    return { problem: "its key or its signature is malformed" }; // By OpenSSL, such as a point that is not on the curve.
  }
}

class Unreadable extends Error {}

const MAGIC = Buffer.from("SSHSIG");
const [BEGIN, END] = ["-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"];
const MAX_TEXT = 16_384;
const MIN_RSA_BITS = 2048;

function readArmour(text: string): Buffer | null {
  const lines = text.trim().split(/\r?\n/);
  if (text.length > MAX_TEXT || lines[0] !== BEGIN || lines.at(-1) !== END) return null;
  const base64 = lines.slice(1, -1).join("");
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 ? bytes : null;
}

function armour(blob: Buffer): string {
  return [BEGIN, ...(blob.toString("base64").match(/.{1,70}/g) ?? []), END, ""].join("\n");
}

function readBlob(blob: Buffer) {
  const reader = new Reader(blob);
  if (!reader.take(MAGIC.length).equals(MAGIC) || reader.uint32() !== 1) {
    throw new Unreadable("it is not an SSH signature of version 1");
  }
  const [key, namespace, reserved, hashName, signature] = [1, 2, 3, 4, 5].map(() => reader.string());
  if (!key || !signature || reserved?.length !== 0) throw new Unreadable("it has a field that OpenSSH leaves empty");
  reader.end();
  const name = hashName?.toString("latin1") ?? "";
  if (name !== "sha256" && name !== "sha512") throw new Unreadable(`its hash “${name}” is not sha256 or sha512`);
  return { key, namespace: namespace?.toString("utf8") ?? "", hashName: name, signature };
}

/** Reads the wire format of SSH (RFC 4251, section 5). */
class Reader {
  private at = 0;
  private readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  take(count: number): Buffer {
    if (this.at + count > this.bytes.length) throw new Unreadable("it ends too early");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
  uint32(): number {
    return this.take(4).readUInt32BE();
  }
  string(): Buffer {
    return this.take(this.uint32());
  }
  /** A positive integer without its sign byte. */
  integer(): Buffer {
    const bytes = this.string();
    return bytes[0] === 0 ? bytes.subarray(1) : bytes;
  }
  /** A positive integer in the only spelling of RFC 4251, so that a key has one fingerprint. */
  plainInteger(): Buffer {
    const bytes = this.string();
    const [first = 0, second = 0] = bytes;
    const isPlain = first === 0 ? second >= 0x80 : first < 0x80;
    if (!isPlain) throw new Unreadable("its key is malformed");
    return first === 0 ? bytes.subarray(1) : bytes;
  }
  end(): void {
    if (this.at !== this.bytes.length) throw new Unreadable("it has bytes after its end");
  }
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

type Key = {
  type: string;
  key: KeyObject;
  /** Algorithms of signatures and their hashes; null hashes inside, as Ed25519 does. */
  algorithms: Readonly<Record<string, string | null>>;
  /** Bytes of each of the two numbers of an ECDSA signature; null for others. */
  numberBytes: number | null;
  /** SHA-256 of the application of a security key; null for others. */
  application: Buffer | null;
};

const CURVES: Readonly<Record<string, { crv: string; numberBytes: number; hash: string }>> = {
  nistp256: { crv: "P-256", numberBytes: 32, hash: "sha256" },
  nistp384: { crv: "P-384", numberBytes: 48, hash: "sha384" },
  nistp521: { crv: "P-521", numberBytes: 66, hash: "sha512" },
};
const SECURITY_KEY = /^sk-(.+)@openssh\.com$/;

/** The formats of RFC 4253 (RSA), RFC 5656 (ECDSA), RFC 8709 (Ed25519) and PROTOCOL.u2f of OpenSSH. */
function readKey(blob: Buffer): Key {
  const reader = new Reader(blob);
  const type = reader.string().toString("latin1");
  const plain = SECURITY_KEY.exec(type)?.[1] ?? type;
  const { jwk, ...rest } = readNumbers(plain, type, reader);
  const application = plain === type ? null : createHash("sha256").update(reader.string()).digest();
  reader.end();
  return { type, key: createPublicKey({ key: jwk, format: "jwk" }), application, ...rest };
}

function readNumbers(
  plain: string,
  type: string,
  reader: Reader,
): Pick<Key, "algorithms" | "numberBytes"> & { jwk: JsonWebKey } {
  if (plain === "ssh-ed25519") {
    const point = reader.string();
    if (isOfLowOrder(point)) throw new Unreadable("its key is malformed");
    const jwk = { kty: "OKP", crv: "Ed25519", x: point.toString("base64url") };
    return { jwk, algorithms: { [type]: null }, numberBytes: null };
  }
  const name = /^ecdsa-sha2-(.+)$/.exec(plain)?.[1] ?? "";
  const curve = Object.hasOwn(CURVES, name) ? CURVES[name] : undefined;
  if (curve !== undefined && reader.string().toString("latin1") === name) {
    const { crv, numberBytes } = curve;
    const point = reader.string();
    if (point[0] !== 4 || point.length !== 1 + 2 * numberBytes) throw new Unreadable("its key is malformed");
    const [x, y] = [point.subarray(1, 1 + numberBytes), point.subarray(1 + numberBytes)];
    const jwk = { kty: "EC", crv, x: x.toString("base64url"), y: y.toString("base64url") };
    return { jwk, algorithms: { [type]: curve.hash }, numberBytes };
  }
  if (type !== "ssh-rsa") throw new Unreadable(`keys of the type “${type}” are not supported`);
  const [e, n] = [reader.plainInteger(), reader.plainInteger()];
  // With the exponent 1 a signature is its own message.
  if (e.length === 1 && e[0] === 1) throw new Unreadable("its key is malformed");
  if (n.length * 8 < MIN_RSA_BITS) throw new Unreadable(`its RSA key is shorter than ${MIN_RSA_BITS} bits`);
  const jwk = { kty: "RSA", e: e.toString("base64url"), n: n.toString("base64url") };
  return { jwk, algorithms: { "rsa-sha2-256": "sha256", "rsa-sha2-512": "sha512" }, numberBytes: null };
}

/** The y of points of low order, without the sign of x; both spellings of those that have two. A signature for such a key needs no private key. */
const LOW_ORDER = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);

function isOfLowOrder(point: Buffer): boolean {
  const y = Buffer.from(point);
  const last = y.length - 1;
  y[last] = (y[last] ?? 0) & 0x7f;
  return LOW_ORDER.has(y.toString("hex"));
}

function isSignature({ type, key, algorithms, numberBytes, application }: Key, signed: Buffer, blob: Buffer): boolean {
  const reader = new Reader(blob);
  const algorithm = reader.string().toString("latin1");
  const digest = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : undefined;
  if (digest === undefined) throw new Unreadable(`“${algorithm}” is not a signature of a key of the type “${type}”`);
  const numbers = reader.string();
  const touch = application === null ? null : reader.take(5);
  reader.end();
  if (touch !== null && ((touch[0] ?? 0) & 1) === 0) throw new Unreadable("the security key was not touched");
  const data =
    application === null || touch === null
      ? signed
      : Buffer.concat([application, touch, createHash("sha256").update(signed).digest()]);
  if (numberBytes === null) return verify(digest, data, key, numbers);
  const pair = new Reader(numbers);
  const both = Buffer.concat([pad(pair.integer(), numberBytes), pad(pair.integer(), numberBytes)]);
  pair.end();
  return verify(digest, data, { key, dsaEncoding: "ieee-p1363" }, both);
}

function pad(number: Buffer, size: number): Buffer {
  if (number.length > size) throw new Unreadable("its signature is malformed");
  return Buffer.concat([Buffer.alloc(size - number.length), number]);
}

function presentKey(blob: Buffer): SshPublicKey {
  const type = new Reader(blob).string().toString("latin1");
  const fingerprint = `SHA256:${hash("sha256", blob, "base64").replace(/=+$/, "")}`;
  return { type, publicKey: `${type} ${blob.toString("base64")}`, fingerprint };
}
