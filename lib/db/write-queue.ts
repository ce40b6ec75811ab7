import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import type { Prisma, PrismaClient } from "./generated/client";

const MAX_MEMBERS = 64;
// Captured here, since tests replace timers.
const soon = setImmediate;

type Tx = Prisma.TransactionClient;

type Member = {
  isQuick: boolean;
  work(tx: Tx): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
};

export type RawConnection = {
  exec(sql: string): void | Promise<void>;
  isInTransaction(): boolean;
};

type WriteConnection = {
  connection: RawConnection;
  client: PrismaClient;
  /** Begins a transaction with the write lock; `commit` only tells the adapter that it has ended. */
  begin(): Promise<{ commit(): Promise<void> }>;
  /** Resolves once earlier commits are on the disk; omitted where commits wait themselves. */
  sync?(): Promise<void>;
};

export type WriteQueue = {
  /** Runs `work` in a queued transaction and resolves after the commit. Quick transactions may share a commit. */
  enter<T>(work: (tx: Tx) => Promise<T>, options: { quick: boolean }): Promise<T>;
  isGroupOpen(): boolean;
};

/**
 * Serializes the writes of this process. Waiting quick transactions share one commit, each but the first under a
 * savepoint, so a failed one is undone alone. Results and errors are delivered after the commit they depend on.
 */
export function createWriteQueue({ connection, client, begin, sync }: WriteConnection): WriteQueue {
  const waiting: Member[] = [];
  let isDraining = false;
  let isGroupOpen = false;

  async function drain(): Promise<void> {
    for (;;) {
      const [next] = waiting;
      if (next === undefined) break;
      if (next.isQuick) await commitGroup();
      else await commitAlone();
      // Lets new transactions queue up and share the next commit.
      await new Promise<void>((resolve) => soon(resolve));
    }
    isDraining = false;
  }

  async function commitAlone(): Promise<void> {
    const member = waiting.shift() as Member;
    try {
      const value = await client.$transaction((tx) => member.work(tx));
      await sync?.();
      member.resolve(value);
    } catch (error) {
      member.reject(error);
    }
  }

  async function commitGroup(): Promise<void> {
    const members: Member[] = [];
    const answers: (() => void)[] = [];
    let transaction: Awaited<ReturnType<WriteConnection["begin"]>>;
    try {
      transaction = await begin();
    } catch (error) {
      for (const member of waiting.splice(0, quickOnes())) member.reject(error);
      return;
    }
    isGroupOpen = true;
    try {
      while (waiting[0]?.isQuick && members.length < MAX_MEMBERS) {
        const member = waiting.shift() as Member;
        members.push(member);
        answers.push(members.length === 1 ? await performFirst(member) : await perform(member));
      }
      await connection.exec("COMMIT");
      isGroupOpen = false;
      await sync?.();
    } catch (error) {
      await rollBack(connection);
      answers.splice(0, answers.length, ...members.map((member) => () => member.reject(error)));
    } finally {
      isGroupOpen = false;
      await transaction.commit();
    }
    for (const answer of answers) answer();
  }

  /** No other member depends on the transaction yet: a failure undoes all of it. */
  async function performFirst(member: Member): Promise<() => void> {
    const { tx, close } = lend(client);
    try {
      const value = await member.work(tx);
      return () => member.resolve(value);
    } finally {
      close();
    }
  }

  /** Throws only when the whole transaction is lost. */
  async function perform(member: Member): Promise<() => void> {
    await connection.exec("SAVEPOINT member");
    const { tx, close } = lend(client);
    try {
      const value = await member.work(tx);
      await connection.exec("RELEASE SAVEPOINT member");
      return () => member.resolve(value);
    } catch (error) {
      if (!connection.isInTransaction()) throw error;
      await connection.exec("ROLLBACK TO SAVEPOINT member; RELEASE SAVEPOINT member");
      return () => member.reject(error);
    } finally {
      close();
    }
  }

  const quickOnes = () => {
    const end = waiting.findIndex((member) => !member.isQuick);
    return end === -1 ? waiting.length : end;
  };

  return {
    enter: <T>(work: (tx: Tx) => Promise<T>, { quick }: { quick: boolean }) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ isQuick: quick, work, resolve: (value) => resolve(value as T), reject });
        if (isDraining) return;
        isDraining = true;
        soon(() => void drain());
      }),
    isGroupOpen: () => isGroupOpen,
  };
}

/** Never throws, since the members must be notified in any case. */
async function rollBack(connection: RawConnection): Promise<void> {
  try {
    if (connection.isInTransaction()) await connection.exec("ROLLBACK");
  } catch {
    // The connection is broken; the next transaction reports it.
  }
}

/** Presents the client as a transaction until `close`: its queries go to the connection with the open transaction. */
function lend(client: PrismaClient): { tx: Tx; close(): void } {
  let isOver = false;
  const tx = new Proxy(client, {
    get(target, name) {
      if (isOver) throw new Error("a query was sent after the end of its transaction");
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    tx,
    close: () => {
      isOver = true;
    },
  };
}

let joined = 0;

/** Nested transaction by a savepoint, which Prisma needs for calls with several statements. */
export async function joinTransaction(adapter: SqlDriverAdapter, connection: RawConnection): Promise<Transaction> {
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
