import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import { metrics } from "@/lib/core/metrics";
import type { Prisma, PrismaClient } from "./generated/client";

const MAX_MEMBERS = 64;
/** Attempts beside the transactions of other processes. Later ones lock these out, and so cannot fail for them. */
const SHARED_ATTEMPTS = 3;
const MAX_ATTEMPTS = 6;

/** SQLSTATE of transactions that have to be repeated: serialization_failure and deadlock_detected. */
const CONFLICTS = new Set<unknown>(["40001", "40P01"]);
/** Codes of PostgreSQL and Prisma for a row that exists. Another process may have added it after the snapshot was taken. */
const EXISTS = new Set<unknown>(["23505", "P2002"]);
// Captured here, since tests replace timers.
const soon = setImmediate;

type Tx = Prisma.TransactionClient;

type Member = {
  isQuick: boolean;
  attempts: number;
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
  /** Where other processes write as well. */
  others?: OtherWriters;
};

type OtherWriters = {
  /** SQLSTATEs of the statements that failed since the last call. */
  takeFailures(): ReadonlySet<string>;
  /** Waits until no other process has a transaction open and lets none begin until the returned function is called. */
  lockOut(): Promise<() => Promise<void>>;
};

export type WriteQueue = {
  /** Runs `work` in a queued transaction and resolves after the commit. Quick transactions may share a commit. */
  enter<T>(work: (tx: Tx) => Promise<T>, options: { quick: boolean }): Promise<T>;
  isGroupOpen(): boolean;
};

/**
 * Serializes the writes of this process. Waiting quick transactions share one commit, each but the first under a
 * savepoint, so a failed one is undone alone. Results and errors are delivered after the commit they depend on. A
 * transaction that cannot be serialized with those of other processes is undone and its work called again, up to six
 * times in all, so work may have effects only through its transaction and its result.
 */
export function createWriteQueue({ connection, client, begin, sync, others }: WriteConnection): WriteQueue {
  const waiting: Member[] = [];
  let isDraining = false;
  let isGroupOpen = false;

  async function drain(): Promise<void> {
    for (;;) {
      const [next] = waiting;
      if (next === undefined) break;
      const release = await lockOutFor(next);
      others?.takeFailures();
      if (next.isQuick) await commitGroup();
      else await commitAlone();
      await release?.();
      // Lets new transactions queue up and share the next commit.
      await new Promise<void>((resolve) => soon(resolve));
    }
    isDraining = false;
  }

  async function lockOutFor({ attempts }: Member): Promise<(() => Promise<void>) | undefined> {
    // When the lock is not granted in time, the transaction itself reports what is wrong.
    return attempts < SHARED_ATTEMPTS ? undefined : others?.lockOut().catch(() => undefined);
  }

  /** Throws when a statement failed for what other processes wrote, also when the work caught that: nothing may commit. */
  function assertNoConflict(): void {
    for (const code of others?.takeFailures() ?? []) {
      if (CONFLICTS.has(code)) throw Object.assign(new Error("the transaction could not be serialized"), { code });
    }
  }

  /** Lets the members of an undone transaction wait again if it failed for what other processes wrote. */
  function waitAgain(members: readonly Member[], error: unknown): boolean {
    const isConflict =
      CONFLICTS.has(codeOf(error)) || [...(others?.takeFailures() ?? [])].some((code) => CONFLICTS.has(code));
    if (others === undefined || !isConflict) return false;
    for (const member of members) member.attempts += 1;
    if (members.some(({ attempts }) => attempts >= MAX_ATTEMPTS)) return false;
    waiting.unshift(...members);
    return true;
  }

  /** Whether the work is called once more, since its row may exist only since its snapshot was taken. */
  function mayFindRow(member: Member, error: unknown): boolean {
    return others !== undefined && member.attempts === 0 && EXISTS.has(codeOf(error));
  }

  async function commitAlone(): Promise<void> {
    const member = waiting.shift() as Member;
    try {
      const value = await client.$transaction(async (tx) => {
        const result = await member.work(tx);
        assertNoConflict();
        return result;
      });
      await sync?.();
      member.resolve(value);
    } catch (error) {
      if (waitAgain([member], error)) return;
      if (!mayFindRow(member, error)) return member.reject(error);
      member.attempts += 1;
      waiting.unshift(member);
    }
  }

  async function commitGroup(): Promise<void> {
    const members: Member[] = [];
    const again: Member[] = [];
    let lost: unknown;
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
        answers.push(members.length === 1 ? await performFirst(member) : await perform(member, fail));
        assertNoConflict();
      }
      await connection.exec("COMMIT");
      isGroupOpen = false;
      await sync?.();
    } catch (error) {
      lost = error;
      await rollBack(connection);
      answers.splice(0, answers.length, ...members.map((member) => () => fail(member, error)));
    } finally {
      isGroupOpen = false;
      await transaction.commit();
    }
    if (lost !== undefined && waitAgain(members, lost)) return;
    for (const answer of answers) answer();
    waiting.unshift(...again);

    function fail(member: Member, error: unknown): void {
      if (!mayFindRow(member, error)) {
        member.reject(error);
        return;
      }
      member.attempts += 1;
      again.push(member);
    }
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
  async function perform(member: Member, fail: (member: Member, error: unknown) => void): Promise<() => void> {
    await connection.exec("SAVEPOINT member");
    const { tx, close } = lend(client);
    try {
      const value = await member.work(tx);
      await connection.exec("RELEASE SAVEPOINT member");
      return () => member.resolve(value);
    } catch (error) {
      if (!connection.isInTransaction()) throw error;
      await connection.exec("ROLLBACK TO SAVEPOINT member; RELEASE SAVEPOINT member");
      return () => fail(member, error);
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
        waiting.push({ isQuick: quick, attempts: 0, work, resolve: (value) => resolve(value as T), reject });
        if (isDraining) return;
        isDraining = true;
        soon(() => void drain());
      }),
    isGroupOpen: () => isGroupOpen,
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
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

/** Adds metrics to the write queue of a database. */
export function observeWrites({ writes }: { writes: WriteQueue }): void {
  const enter = writes.enter.bind(writes);
  let together = 0;
  const settled = () => {
    // Transactions of one commit settle in the same turn, before any microtask.
    if (together === 0) {
      queueMicrotask(() => {
        metrics().commitSize.observe(together);
        together = 0;
      });
    }
    together += 1;
  };
  writes.enter = (work, options) => {
    const { writesWaiting, writeSeconds } = metrics();
    const clock = performance.now();
    writesWaiting.inc();
    const done = enter(work, options);
    const end = () => {
      writesWaiting.dec();
      writeSeconds.observe({ kind: options.quick ? "quick" : "alone" }, (performance.now() - clock) / 1000);
      settled();
    };
    done.then(end, end);
    return done;
  };
}
