import { sha256Hex } from "@/lib/core/hash";
import { ALL_RULES } from "../rules/all-rules";

/** The identity of the rules: SHA-256 over all ids and versions, in order of id. */
export function rulesVersion(): string {
  return sha256Hex(
    ALL_RULES.map(({ id, version }) => `${id}@${version}`)
      .sort()
      .join("\n"),
  );
}
