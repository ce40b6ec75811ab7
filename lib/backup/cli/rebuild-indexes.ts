import { join } from "node:path";
import { parseArgs } from "node:util";
import { CommandEnd, commandEnv, messageOf, runCommand } from "@/lib/core/command-line";
import { lockDataDirectory } from "@/lib/core/lock-data-directory";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { createCtx } from "@/lib/db/context";
import { type DatabaseAddress, existingDatabase } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { checkIndexes, INDEXES, rebuildIndexes } from "../check-indexes";

const USAGE = `usage: npm run rebuild-indexes -- [--check] [--data DIR]

Rebuilds the indexes of the catalog, of the audit log and of agents' offers. Stop the server first. With --check, compares every
entry and event and writes nothing, also beside a running server. Both can take minutes.`;

/** Exit code 0 when every index is correct (now), 1 when one is not, 2 for wrong arguments. */
await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: { check: { type: "boolean" }, data: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) throw new CommandEnd(USAGE, 0);
  const env = commandEnv(values.data, { dotEnv: true });
  const address = existingDatabase(env);
  try {
    if (values.check) return await work(address, false);
    const lock = lockDataDirectory(env.dataDir);
    try {
      await applyMigrations(address, join(process.cwd(), "prisma", "migrations"));
      return await work(address, true);
    } finally {
      lock.close();
    }
  } catch (error) {
    if (error instanceof CommandEnd) throw error;
    throw new CommandEnd(`The indexes were not ${values.check ? "checked" : "rebuilt"}. ${messageOf(error)}`, 1);
  }
});

async function work(address: DatabaseAddress, rebuilds: boolean): Promise<number> {
  const database = await openDatabase(address);
  try {
    const ctx = createCtx({ actor: { kind: "system", name: "Skillgate" }, database });
    if (rebuilds) {
      const known = new Map((await checkIndexes(ctx)).map(({ index, problem }) => [index, problem]));
      const reasons = INDEXES.map((index) => ({ index, problem: known.get(index) ?? null }));
      await rebuildIndexes(ctx, reasons, { wait: true });
      console.log(`Rebuilt: ${INDEXES.join(", ")}.`);
    }
    const misfits = await checkIndexes(ctx, { every: true });
    if (misfits.length === 0) {
      console.log("Every index is correct.");
      return 0;
    }
    const advice = rebuilds ? "Run npm run audit:verify, and restore a backup." : "Run npm run rebuild-indexes.";
    throw new CommandEnd([...misfits.map(({ index, problem }) => `${index}: ${problem}.`), advice].join("\n"), 1);
  } finally {
    await database.close();
  }
}
