import { sha256Hex } from "@/lib/core/hash";
import type { CatalogNote, OperatorIndexEntry } from "../schema";

type Found = { name: string; slug: string; version: string | null; markerPath: string; markerBytes: Uint8Array };

/** In what an entry differs from the source's own index of it; null when it keeps the promise. */
export function checkOperatorIndex(found: Found, promised: OperatorIndexEntry): CatalogNote | null {
  const differ = (what: string) => ({
    code: "index_mismatch",
    reason: `The index of the source does not match: ${what}. Ask those who keep the source to correct it.`,
  });
  if (promised.sha256 !== null && sha256Hex(found.markerBytes) !== promised.sha256) {
    return differ(
      `${found.markerPath} has the SHA-256 ${sha256Hex(found.markerBytes)}, promised is ${promised.sha256}`,
    );
  }
  if (promised.name !== null && promised.name !== found.name && promised.name !== found.slug) {
    return differ(`the skill is named “${found.name}”, promised is “${promised.name}”`);
  }
  if (promised.version !== null && found.version !== null && promised.version !== found.version) {
    return differ(`the skill has version ${found.version}, promised is ${promised.version}`);
  }
  return null;
}
