import { createHmac } from "node:crypto";
import type { Database } from "@/lib/db/database";
import { chainKeyOf } from "./chain/chain-key";

const FORMAT = "skillgate-arguments-1";

/**
 * The digest of a run's arguments for the audit: HMAC-SHA-256, in hex, under the key of the audit's chain, of this format's
 * name, a line feed and `argsDigest` (SHA-256 of their canonical JSON, in hex). A plain digest would let readers of an
 * exported or forwarded event try out short secrets among the arguments.
 */
export async function digestArguments(database: Database, argsDigest: string): Promise<string> {
  return createHmac("sha256", await chainKeyOf(database))
    .update(`${FORMAT}\n${argsDigest}`, "utf8")
    .digest("hex");
}
