import type { Adapter } from "./join-transaction";

const ROLLBACK = { sql: "ROLLBACK", args: [], argTypes: [] };

/** What begins a transaction of the adapter with this statement in it, which waits for the write lock. */
export function lockOnBegin(adapter: Adapter, takeLock: string): Adapter["startTransaction"] {
  const start = adapter.startTransaction.bind(adapter);
  return async (level) => {
    const transaction = await start(level);
    try {
      await transaction.executeRaw({ sql: takeLock, args: [], argTypes: [] });
      return transaction;
    } catch (error) {
      // On a connection that is gone there is nothing to take back.
      await transaction.executeRaw(ROLLBACK).catch(() => {});
      await transaction.rollback();
      throw error;
    }
  };
}
