import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { AppError } from "@/lib/core/errors";
import type { SopAlgorithm } from "@/lib/runner/schema";

const MIN_BITS = 2048;
const MAX_BITS = 8192;

/** An RSA public key of 2048 to 8192 bits out of a PEM text; `invalid` for anything else, private keys included. */
export function readSopKey(pem: string): { key: KeyObject; bits: number } {
  if (/PRIVATE KEY/.test(pem)) throw invalidKey("is a private key; register the public one and keep this one secret");
  const key = parseKey(pem);
  if (key.asymmetricKeyType !== "rsa") throw invalidKey(`is of type ${key.asymmetricKeyType}, not rsa`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_BITS || bits > MAX_BITS) {
    throw invalidKey(`has ${bits} bits; ${MIN_BITS} to ${MAX_BITS} are accepted`);
  }
  return { key, bits };
}

/** Whether the signature (base64) is one over exactly this text, as UTF-8, by the holder of the key. */
export function isSopSigned(document: {
  text: string;
  signature: string;
  algorithm: SopAlgorithm;
  publicKey: string;
}): boolean {
  const { key } = readSopKey(document.publicKey);
  const padding =
    document.algorithm === "rsa-pss-sha256" ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const options = { key, padding, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  return verify("sha256", Buffer.from(document.text, "utf8"), options, Buffer.from(document.signature, "base64"));
}

function parseKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw invalidKey("is not a public key in PEM form");
  }
}

function invalidKey(message: string): AppError {
  return new AppError("invalid", `The key cannot be registered: publicKey ${message}.`, {
    errors: [{ path: "publicKey", message }],
  });
}
