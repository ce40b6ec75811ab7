import { createPublicKey, verify } from "node:crypto";
import type { Ctx } from "@/lib/db/context";
import { digestFiles, sha256Hex } from "@/lib/skill-format/digest-files";
import type { SkillManifest } from "@/lib/skill-format/schema";
import { isSkillMarker } from "@/lib/skill-format/skill-marker";
import { readRightBytes } from "./read-blob";
import type { AuthorSignature } from "./schema";

/** What is signed: this line, and the digest of the files without the signature's text. docs/reviewers.md tells authors how. */
const FIRST_LINE = "skillgate-author-signature-1";
/** `<base64 of 64 bytes>`, or the same behind the name of the key and a colon. */
const FORM = /^(?:([A-Za-z0-9._@-]{1,40}):)?([A-Za-z0-9+/]{86}==)$/;

type SignedFile = { path: string; mode: "644" | "755"; sha256: string };

/**
 * Whether the signature in a version's manifest is one of a key that an admin named (the setting `authorKeys`), over all files:
 * Ed25519 (RFC 8032). It is a fact for reviewers and decides nothing.
 */
export async function checkAuthorSignature(
  ctx: Pick<Ctx, "db">,
  { signature }: Pick<SkillManifest, "signature">,
  files: readonly SignedFile[],
  authorKeys: string,
): Promise<AuthorSignature> {
  if (signature === null) return { state: "unsigned", key: null, message: "Its author did not sign it." };
  const [, name, encoded] = FORM.exec(signature.trim()) ?? [];
  if (encoded === undefined) return invalid(null, "It is not an Ed25519 signature in base64.");
  const message = await signedText(ctx, signature, files);
  if (message === null) return invalid(name ?? null, "Its text does not stand exactly once in the skill's own files.");
  const keys = readKeys(authorKeys);
  const named = keys.filter((key) => name === undefined || key.name === name);
  const bytes = Buffer.from(encoded, "base64");
  const found = named.find(({ key }) => verify(null, message, key, bytes));
  if (found) return { state: "valid", key: found.name, message: `Signed with the key “${found.name}”.` };
  if (name !== undefined && named.length > 0) {
    return invalid(name, `The key “${name}” did not make it, or the files were changed after it.`);
  }
  const what =
    name === undefined
      ? "No key of the setting “Keys of authors” made it, or the files were changed after it."
      : `No key “${name}” stands in the setting “Keys of authors”.`;
  return { state: "unknown_key", key: null, message: what };
}

function invalid(key: string | null, message: string): AuthorSignature {
  return { state: "invalid", key, message };
}

/** The bytes that are signed; null when the text of the signature is not in exactly one place of the files that hold a manifest. */
async function signedText(
  ctx: Pick<Ctx, "db">,
  signature: string,
  files: readonly SignedFile[],
): Promise<Uint8Array | null> {
  const places: { path: string; sha256: string }[] = [];
  for (const { path, sha256 } of files.filter((file) => !file.path.includes("/") && isSkillMarker(file.path))) {
    const bytes = await readRightBytes(ctx, sha256);
    if (bytes === null) return null;
    const parts = Buffer.from(bytes).toString("latin1").split(signature);
    const without = sha256Hex(Buffer.from(parts.join(""), "latin1"));
    for (let count = 1; count < parts.length; count += 1) places.push({ path, sha256: without });
  }
  const [place, more] = places;
  if (place === undefined || more !== undefined) return null;
  const digest = digestFiles(
    files.map((file) => (file.path === place.path ? { ...file, sha256: place.sha256 } : file)),
  );
  return Buffer.from(`${FIRST_LINE}\n${digest}\n`);
}

function readKeys(authorKeys: string) {
  return authorKeys.split(",").flatMap((entry) => {
    const [, name, encoded] = /^([^=]+)=(.+)$/.exec(entry.trim()) ?? [];
    if (name === undefined || encoded === undefined) return [];
    const x = Buffer.from(encoded, "base64").toString("base64url");
    return [{ name, key: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }) }];
  });
}
