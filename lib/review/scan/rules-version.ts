import { sha256Hex } from "@/lib/core/hash";
import { ALL_RULES } from "../rules/all-rules";

/** Raised when the card of capabilities, which a scan makes too, says more of the same files, or a scan finds more that they carry. */
const CARD = "card@3";

/** The identity of the rules: SHA-256 over all ids and versions, in order of id, and the version of the card. */
export function rulesVersion(): string {
  return sha256Hex([...ALL_RULES.map(({ id, version }) => `${id}@${version}`), CARD].sort().join("\n"));
}
