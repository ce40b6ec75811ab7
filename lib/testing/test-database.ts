import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Actor, Role, Scope } from "@/lib/core/actor";
import { newId } from "@/lib/core/ids";
import { type Ctx, createCtx } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { freshDatabase } from "./fresh-database";
import { outsideOf } from "./outside";
import { queueWrites } from "./queue-writes";
import { repeatTransactions } from "./repeat-transactions";

/** Creates a migrated database for a test file and removes it afterwards. */
export async function testDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-test-"));
  const { address, drop } = await freshDatabase(folder);
  const database = await openDatabase(address);
  queueWrites(database);
  repeatTransactions(database);
  afterAll(async () => {
    await database.close();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const as = (actor: Actor, now?: () => Date): Ctx => createCtx({ actor, database, ...(now ? { now } : {}) });

  const person = async (role: Role = "user", name = `Test ${role}`) => {
    const id = newId();
    const at = new Date();
    const email = `${id}@example.test`;
    await database.writer.user.create({
      data: { id, email, name, role, state: "active", createdAt: at, updatedAt: at },
    });
    const actor: Actor = { kind: "user", userId: id, name, email, role, sessionId: newId() };
    return {
      id,
      actor,
      ctx: as(actor),
      token: (scopes: Scope[], personaId: string | null = null) => as(tokenOf(actor, scopes, personaId)),
    };
  };

  return {
    database,
    address,
    folder,
    outside: outsideOf(address),
    as,
    person,
    system: as({ kind: "system", name: "test" }),
  };
}

function tokenOf(actor: Extract<Actor, { kind: "user" }>, scopes: Scope[], personaId: string | null): Actor {
  const { userId, name, email, role } = actor;
  return { kind: "token", userId, name, email, role, tokenId: newId(), tokenName: "test token", scopes, personaId };
}
