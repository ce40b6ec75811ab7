import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CHAIN_KEY_FILE } from "@/lib/audit/chain/chain-key";
import { HEADS_FILE } from "@/lib/audit/chain/heads-file";
import { SEGMENTS_FOLDER } from "@/lib/audit/segments/manifest";
import { SIGNING_KEY_FILE } from "@/lib/core/signing-key";

/**
 * What of a data directory a backup holds besides the database, where it is there. Left out on purpose: `instance.lock`,
 * `git-snapshots` and `door-archives` (made again when asked for), `audit-forward` (copies of events, for others) and files that no list names.
 * The heads come before the database: an older database beside newer heads would count as one whose end was cut off.
 */
export const FILES_BEFORE = ["auth.secret", SIGNING_KEY_FILE, "secrets.key", CHAIN_KEY_FILE, HEADS_FILE] as const;

/** Sealed segments, as paths below the folder of the keys. After the database: it names only those that are complete. */
export async function listSegments(keyDir: string): Promise<string[]> {
  const names = await readdir(join(keyDir, SEGMENTS_FOLDER)).catch(() => []);
  return names
    .filter((name) => /^\d+-\d+\.(?:ndjson\.gz|manifest\.json)$/.test(name))
    .sort()
    .map((name) => `${SEGMENTS_FOLDER}/${name}`);
}
