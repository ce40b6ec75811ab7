import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CHAIN_KEY_FILE } from "@/lib/audit/chain/chain-key";
import { verifyFolder } from "@/lib/audit/verify/verify-folder";
import type { DatabaseFacts } from "../database-copier";

/** What does not hold in the audit of a copied instance; null when all does, or there is no event yet. */
export async function checkAudit(
  folder: string,
  databaseFile: string,
  { head }: Pick<DatabaseFacts, "head">,
): Promise<string | null> {
  if (head === null) return null;
  if (!existsSync(join(folder, CHAIN_KEY_FILE))) return `${CHAIN_KEY_FILE} is missing, so nothing can be checked`;
  const { firstBroken } = await verifyFolder(folder, { file: join(folder, databaseFile) }, () => nextTurn());
  return firstBroken?.message ?? null;
}
