import type { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type Sqlite from "better-sqlite3";

type Adapter = Awaited<ReturnType<PrismaBetterSqlite3["connect"]>>;
type Transaction = Awaited<ReturnType<Adapter["startTransaction"]>>;

let joined = 0;

/**
 * A transaction inside the one that is open on the connection: a savepoint. Prisma asks for one when a single call takes
 * several statements.
 */
export async function joinTransaction(adapter: Adapter, raw: Sqlite.Database): Promise<Transaction> {
  joined += 1;
  const name = `joined_${joined}`;
  raw.exec(`SAVEPOINT ${name}`);
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    options: { usePhantomQuery: true },
    queryRaw: (query) => adapter.queryRaw(query),
    executeRaw: (query) => adapter.executeRaw(query),
    commit: async () => void raw.exec(`RELEASE ${name}`),
    rollback: async () => void raw.exec(`ROLLBACK TO ${name}; RELEASE ${name}`),
  };
}
