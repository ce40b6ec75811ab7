import type pg from "pg";

/** Advisory locks (class, chain): owned by a session, and held by each transaction that may extend the chain. */
const OWNED = 0x534b4758;
const EXTENDED = 0x534b4759;
/** As an instance's processes: each claims the lowest free number, so chains are continued after restarts. */
const MAX_CHAINS = 64;

/** Locks for the rest of the transaction a chain that this session owns, so that readers can wait for the transaction. */
export const HOLD_CHAIN = (chain: number) => `pg_advisory_xact_lock(${EXTENDED}, ${chain})`;

/** Waits for each open transaction that may extend a chain, one after the other, without holding any of them up. */
export const WAIT_FOR_CHAINS = `SELECT pg_advisory_lock_shared(${EXTENDED}, c), pg_advisory_unlock_shared(${EXTENDED}, c)
  FROM generate_series(1, ${MAX_CHAINS}) c`;

/** Numbers that exist already would be refused, for instance after a restore without the sequence. */
const NEXT_AFTER_NEWEST = `SELECT setval('"AuditEvent_seq_seq"', n."seq") FROM (SELECT MAX("seq") AS "seq" FROM "AuditEvent") n
  WHERE n."seq" > (SELECT last_value FROM "AuditEvent_seq_seq")`;

/**
 * Claims the lowest free chain of the audit log, for as long as the connection lives. Outside a transaction: what the
 * owner before wrote is then visible to the next one. Throws when 64 processes own one each.
 */
export async function claimChain(client: pg.Client): Promise<number> {
  for (let chain = 1; chain <= MAX_CHAINS; chain++) {
    const { rows } = await client.query<{ isOwn: boolean }>(
      `SELECT pg_try_advisory_lock(${OWNED}, ${chain}) AS "isOwn"`,
    );
    if (rows[0]?.isOwn !== true) continue;
    await client.query(NEXT_AFTER_NEWEST);
    return chain;
  }
  throw new Error(`${MAX_CHAINS} processes write to this database already. End one of them.`);
}
