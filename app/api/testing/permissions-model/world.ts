import { writeFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import type { Role, Scope } from "@/lib/core/actor";
import { browserOf } from "@/lib/testing/browser-of";
import { listeningServer } from "@/lib/testing/listening-server";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "../route-table";

/** One kind of access of a person, or of an agent of theirs. */
export type Caller = {
  name: string;
  userId: string;
  headers: Record<string, string>;
  byAgent: boolean;
  inPerson: boolean;
  /** Scopes of its token; null for a session. */
  scopes: readonly Scope[] | null;
};
export type FakeWorker = { id: string; name: string; headers: Record<string, string> };
export type Answer = { status: number; body: unknown };
export type World = {
  send(method: string, path: string, caller: { headers: Record<string, string> }, body?: unknown): Promise<Answer>;
  callers: Caller[];
  admin: Caller;
  workers: FakeWorker[];
  personaId: string;
  roles: ReadonlyMap<string, Role>;
  /** Writes the operator's file of trusted digests. */
  trust(digests: string[]): void;
};

type Made = { id: string; token: string; worker: { id: string } };
const EVERY: Scope[] = ["read", "run", "write", "review", "admin"];
const PEOPLE = [
  ["Uma", "user"],
  ["Ugo", "user"],
  ["Rhea", "reviewer"],
  ["Rolf", "reviewer"],
  ["Ada", "admin"],
] as const;
/** The tokens: their person and scopes. One under a persona is an agent's. */
const TOKENS = [
  { of: "Uma", name: "Uma’s token", scopes: EVERY, persona: null },
  { of: "Rhea", name: "Rhea’s token", scopes: EVERY, persona: null },
  { of: "Rhea", name: "Rhea’s token without review", scopes: ["read", "run", "write"], persona: null },
  { of: "Uma", name: "an agent of Uma’s", scopes: EVERY, persona: "mutating-with-confirm" },
  { of: "Ada", name: "an agent of Ada’s", scopes: EVERY, persona: "dual-sign-required" },
] as const;
const LIMITS = {
  ...{ importsPerHour: 100_000, requestsPerMinute: 1_000_000, agentRequestsPerMinute: 1_000_000 },
  ...{ runsPerMinute: 1_000_000, agentRunsPerMinute: 1_000_000 },
  ...{ skillsPerPerson: 0, skillMiBPerPerson: 0, importMiBPerDay: 0 },
};

/** Starts a server on loopback, with people, their sessions and tokens, and two workers without a process. */
export async function createWorld(): Promise<World> {
  const { person, database, folder } = await testServer(ROUTE_TABLE);
  const url = new URL(await listeningServer(ROUTE_TABLE));
  const trusted = join(folder, "trusted-digests");
  process.env.SKILLGATE_TRUSTED_DIGESTS = trusted;
  let changes = 0;
  // The server reads the file again when its time or size changed; the growing comment changes the size each time.
  const trust = (digests: string[]) => {
    changes += 1;
    writeFileSync(trusted, `${digests.join("\n")}\n# ${"x".repeat(changes % 500_000)}\n`);
  };
  trust([]);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const send: World["send"] = (method, path, caller, body) => exchange({ agent, url, method, path, caller, body });
  const callers: Caller[] = [];
  const ids = new Map<string, string>();
  for (const [name, role] of PEOPLE) {
    const { id } = await person(role);
    await database.writer.user.update({ where: { id }, data: { name } });
    ids.set(name, id);
    const headers = await browserOf(database, id);
    callers.push({ name, userId: id, headers, byAgent: false, inPerson: true, scopes: null });
  }
  const admin = callers.find(({ name }) => name === "Ada");
  if (!admin) throw new Error("there is no admin");
  const must = async (method: string, path: string, caller: Caller, body: unknown) => {
    const answer = await send(method, path, caller, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body as Made;
  };
  await must("PATCH", "/api/admin/settings", admin, LIMITS);
  let personaId = "";
  for (const { of, name, scopes, persona } of TOKENS) {
    const keeper = callers.find((caller) => caller.name === of) ?? admin;
    const body = { name, permissionMode: persona };
    if (persona !== null) personaId = (await must("POST", "/api/admin/personas", admin, body)).id;
    const { token } = await must("POST", "/api/tokens", keeper, {
      ...{ name, scopes: scopes.filter((scope) => allowedTo(of, scope, persona)) },
      ...(persona === null ? {} : { persona: personaId }),
    });
    const headers = { authorization: `Bearer ${token}` };
    callers.push({ name, userId: keeper.userId, headers, byAgent: persona !== null, inPerson: false, scopes });
  }
  const workers: FakeWorker[] = [];
  for (const name of ["first", "second"]) {
    const { worker, token } = await must("POST", "/api/admin/workers", admin, { name, manager: true });
    workers.push({ id: worker.id, name, headers: { authorization: `Bearer ${token}` } });
  }
  const roles = new Map(PEOPLE.map(([name, role]) => [ids.get(name) ?? "", role]));
  return { send, callers, admin, workers, personaId, roles, trust };
}

/** A token cannot get scopes that it could not use. */
function allowedTo(of: string, scope: Scope, persona: string | null): boolean {
  if (scope !== "review" && scope !== "admin") return true;
  return persona === null && (of === "Ada" || (of === "Rhea" && scope === "review"));
}

type Asked = {
  agent: Agent;
  url: URL;
  method: string;
  path: string;
  caller: { headers: Record<string, string> };
  body: unknown;
};

function exchange({ agent, url, method, path, caller, body }: Asked): Promise<Answer> {
  const isRaw = body instanceof FormData || body instanceof Uint8Array;
  if (isRaw) return exchangeRaw({ url, method, path, caller, body });
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { ...caller.headers, ...(text === undefined ? {} : { "content-type": "application/json" }) };
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ agent, host: url.hostname, port: url.port, method, path, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: parse(Buffer.concat(parts).toString()) }));
    });
    asked.on("error", reject);
    asked.end(text);
  });
}

async function exchangeRaw({ url, method, path, caller, body }: Omit<Asked, "agent">): Promise<Answer> {
  const type: Record<string, string> = body instanceof Uint8Array ? { "content-type": "application/octet-stream" } : {};
  const headers = { ...caller.headers, ...type };
  const answer = await fetch(new URL(path, url), { method, headers, body: body as BodyInit });
  return { status: answer.status, body: parse(await answer.text()) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
