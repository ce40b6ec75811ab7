import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Role, Scope } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { getDatabase } from "@/lib/db/open-database";
import type { RouteHandler } from "@/lib/http/route";
import { freshDatabase } from "./fresh-database";
import { outsideOf } from "./outside";
import { queueWrites } from "./queue-writes";
import { repeatTransactions } from "./repeat-transactions";

type Table = [path: string, module: Record<string, unknown>][];
type CallOptions = { token?: string; json?: unknown; body?: BodyInit; headers?: Record<string, string> };

const ORIGIN = "http://127.0.0.1:3000";

/** Calls the route handlers directly, with a real database. */
export async function testServer(table: Table) {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-http-"));
  process.env.SKILLGATE_DATA = folder;
  process.env.SKILLGATE_LOG_LEVEL = "silent";
  process.env.NEXTAUTH_SECRET = "a secret for tests only, long enough";
  const { address, drop } = await freshDatabase(folder, "skillgate.db");
  if ("url" in address) process.env.DATABASE_URL = address.url;
  const database = await getDatabase();
  queueWrites(database);
  repeatTransactions(database);
  afterAll(async () => {
    await database.close();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (method: string, address: string, options: CallOptions = {}): Promise<Response> => {
    const url = new URL(address, ORIGIN);
    const found = match(table, url.pathname);
    const handler = found?.module[method] as RouteHandler | undefined;
    if (!found || !handler) throw new Error(`no route for ${method} ${url.pathname}`);
    const headers = new Headers(options.headers);
    if (options.token) headers.set("authorization", `Bearer ${options.token}`);
    if (options.json !== undefined) headers.set("content-type", "application/json");
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
    return handler(request, { params: Promise.resolve(found.params) });
  };

  const person = async (
    role: Role,
    scopes: Scope[] = ["read", "run", "write", "review", "admin"],
    state = "active",
  ) => {
    const id = newId();
    const secret = `sgt_${sha256Hex(id)}`;
    const at = new Date();
    const name = `Test ${role}`;
    await database.writer.user.create({
      data: { id, email: `${id}@example.test`, name, role, state, createdAt: at, updatedAt: at },
    });
    const token = {
      id: newId(),
      userId: id,
      createdBy: id,
      name: "t",
      secretHash: sha256Hex(secret),
      scopes: JSON.stringify(scopes),
      createdAt: at,
    };
    await database.writer.apiToken.create({ data: token });
    return { id, token: secret };
  };

  const worker = async () => {
    const id = newId();
    const secret = `sgw_${sha256Hex(id)}`;
    const row = {
      id,
      name: id,
      secretHash: sha256Hex(secret),
      manager: true,
      slots: 1,
      inventory: "[]",
      createdAt: new Date(),
    };
    await database.writer.worker.create({ data: row });
    return { id, token: secret };
  };

  return { call, person, worker, database, folder, outside: outsideOf(address) };
}

function match(table: Table, pathname: string) {
  const wanted = pathname.split("/");
  const candidates = table.flatMap(([path, module]) => {
    const params: Record<string, string | string[]> = {};
    const parts = path.split("/");
    for (const [index, part] of parts.entries()) {
      if (part.startsWith("[...")) {
        if (wanted.length === index) return [];
        params[part.slice(4, -1)] = wanted.slice(index);
        return [{ module, params, literal: literalCount(parts) }];
      }
      const given = wanted[index];
      if (part.startsWith("[") && given) params[part.slice(1, -1)] = given;
      else if (part !== given) return [];
    }
    return parts.length === wanted.length ? [{ module, params, literal: literalCount(parts) }] : [];
  });
  // As in Next.js, the route with the most literal parts wins.
  return candidates.sort((a, b) => b.literal - a.literal)[0];
}

function literalCount(parts: string[]): number {
  return parts.filter((part) => !part.startsWith("[")).length;
}
