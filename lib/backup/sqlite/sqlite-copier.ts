import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { CHAIN_KEY_FILE } from "@/lib/audit/chain/chain-key";
import { verifyFolder } from "@/lib/audit/verify/verify-folder";
import type { DatabaseCopier, DatabaseFacts } from "../database-copier";
import { runApart } from "./run-apart";

const FILE = "skillgate.db";
const Nothing = z.object({});
const Problems = z.object({ problems: z.array(z.string()) });
const Answer = Problems.extend({
  migrations: z.array(z.string()),
  tables: z.record(z.string(), z.number().int()),
  digest: z.string(),
  head: z.object({ seq: z.number().int(), hash: z.string().nullable() }).nullable(),
});

/**
 * By `VACUUM INTO`, which reads everything in one transaction. SQLite's backup interface copies pages in steps and begins
 * anew whenever another connection writes, so that it need not end under load.
 */
export function sqliteCopier(database: string): DatabaseCopier {
  const inspect = (file: string) => runApart({ task: "inspect", file }, Answer);
  return {
    provider: "sqlite",
    file: FILE,
    size: async () => (await sizeOf(database)) + (await sizeOf(`${database}-wal`)),
    copy: async (to) => {
      await runApart({ task: "copy", from: database, to }, Nothing);
      return inspect(to);
    },
    assertFree: async () => {},
    place: inspect,
    checkInUse: async () => (await runApart({ task: "check", file: database, quick: false }, Problems)).problems,
    checkAudit: (folder, facts) => checkAudit(folder, FILE, facts),
  };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0; // There is no log when nobody has the database open.
  }
}

/** What does not hold in the audit of a copied instance; null when all does, or there is no event yet. */
async function checkAudit(
  folder: string,
  databaseFile: string,
  { head }: Pick<DatabaseFacts, "head">,
): Promise<string | null> {
  if (head === null) return null;
  if (!existsSync(join(folder, CHAIN_KEY_FILE))) return `${CHAIN_KEY_FILE} is missing, so nothing can be checked`;
  const { firstBroken } = await verifyFolder(folder, { file: join(folder, databaseFile) }, () => nextTurn());
  return firstBroken?.message ?? null;
}
