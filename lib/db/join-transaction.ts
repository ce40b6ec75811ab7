import type { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { RawConnection } from "./write-queue";

/** What the adapters of both databases are to Prisma. */
export type Adapter = Awaited<ReturnType<PrismaBetterSqlite3["connect"]>>;
type Transaction = Awaited<ReturnType<Adapter["startTransaction"]>>;

let joined = 0;

/**
 * A transaction inside the one that is open on the connection: a savepoint. Prisma asks for one when a single call takes
 * several statements.
 */
export async function joinTransaction(adapter: Adapter, connection: RawConnection): Promise<Transaction> {
  joined += 1;
  const name = `joined_${joined}`;
  await connection.exec(`SAVEPOINT ${name}`);
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    options: { usePhantomQuery: true },
    queryRaw: (query) => adapter.queryRaw(query),
    executeRaw: (query) => adapter.executeRaw(query),
    commit: async () => connection.exec(`RELEASE SAVEPOINT ${name}`),
    rollback: async () => connection.exec(`ROLLBACK TO SAVEPOINT ${name}; RELEASE SAVEPOINT ${name}`),
  };
}
