import type { Database } from "@/lib/db/database";
import type { PrismaClient } from "@/lib/db/generated/client";

type Operation = (args?: unknown) => Promise<unknown>;

/**
 * Lets the models of `database.writer` write through the queue. A statement of a test would otherwise join a group of the
 * product that is open at that moment, and end before its commit.
 */
export function queueWrites(database: Database): void {
  const { writer, writes } = database;
  const operation = (model: string, name: string) => (args: unknown) =>
    writes.enter((tx) => (Reflect.get(Reflect.get(tx, model), name) as Operation)(args), { quick: true });
  database.writer = new Proxy<PrismaClient>(writer, {
    get(client, model) {
      const value: unknown = Reflect.get(client, model);
      if (typeof model === "symbol" || /^[$_]/.test(model) || typeof value !== "object" || value === null) return value;
      return new Proxy(value, { get: (_, name) => operation(model, String(name)) });
    },
  });
}
