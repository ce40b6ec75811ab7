import type { Database } from "@/lib/db/database";

const UNDONE = new Error("this attempt is undone, so that the work is repeated");

/**
 * Undoes the first attempt of every transaction and performs its work again, as PostgreSQL may demand: with
 * `TEST_REPEAT_TRANSACTIONS=1` all tests show whether work has effects outside its transaction.
 */
export function repeatTransactions(database: Database): void {
  if (process.env.TEST_REPEAT_TRANSACTIONS === undefined) return;
  const { writes } = database;
  database.writes = {
    ...writes,
    enter: async (work, options) => {
      const undone = async (tx: Parameters<typeof work>[0]) => {
        await work(tx);
        throw UNDONE;
      };
      await writes.enter(undone, { quick: false }).catch((error: unknown) => {
        if (error !== UNDONE) throw error;
      });
      return writes.enter(work, options);
    },
  };
}
