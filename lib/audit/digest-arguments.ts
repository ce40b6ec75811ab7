import { createHmac } from "node:crypto";
import type { Database } from "@/lib/db/database";
import { chainKeyOf } from "./chain/chain-key";

const FORMAT = "skillgate-arguments-2";

/** Whose run it is, by the id of the user, and of which skill: its id, or the name that was asked for where there is none. */
type DigestedRun = { callerId: string; skill: string };

/**
 * The digest of a run's arguments for the audit: HMAC-SHA-256, in hex, under the key of the audit's chain, of the JSON list of
 * this format's name, the caller, the skill, and `argsDigest` (SHA-256 of their canonical JSON, in hex). A plain digest would
 * let readers of an exported or forwarded event try out short secrets among the arguments; one that is not bound to caller
 * and skill would let each account try them out with requests of its own.
 */
export async function digestArguments(
  database: Database,
  argsDigest: string,
  { callerId, skill }: DigestedRun,
): Promise<string> {
  return createHmac("sha256", await chainKeyOf(database))
    .update(JSON.stringify([FORMAT, callerId, skill, argsDigest]), "utf8")
    .digest("hex");
}
