import { indexAllEvents } from "@/lib/audit/index/index-events";
import { createCtx } from "@/lib/db/context";
import type { DatabaseAddress } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { checkIndexes } from "../indexes/fit-indexes";
import { compareAnswers } from "./compare-answers";

/**
 * Builds what a moved database derives from its rows, and asks both databases what people and agents ask. Answers what is
 * different, as sentences; nothing when the new one answers as the old one does. Of the old one, only the index of the audit
 * is written.
 */
export async function buildIndexes(from: DatabaseAddress, to: DatabaseAddress, at: Date): Promise<string[]> {
  const actor = { kind: "system", name: "Skillgate" } as const;
  const source = await openDatabase(from);
  try {
    const target = await openDatabase(to);
    try {
      await indexAllEvents(createCtx({ actor, database: source }));
      const ctx = createCtx({ actor, database: target });
      await indexAllEvents(ctx);
      const misfits = await checkIndexes(ctx, { every: true });
      const different = await compareAnswers(source, target, at);
      return [
        ...misfits.map(({ problem }) => `In the new database, ${problem}.`),
        ...different.map((text) => `The new database answers differently: ${text}.`),
      ];
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
