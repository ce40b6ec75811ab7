import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { afterEach, expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { testDatabase } from "@/lib/testing/test-database";
import { buildServer } from "./build-server";
import {
  allSessions,
  detachSessions,
  evictIdleSession,
  findSession,
  type McpSession,
  ownerKeyOf,
} from "./mcp-sessions";
import { createSessionEvents } from "./session-events";

const { database, person } = await testDatabase();
const owner = await person("user");
const ctx = owner.token(["read"]);
const other = owner.token(["read"]);

afterEach(detachSessions);

function open(change: Partial<McpSession> = {}): McpSession {
  const id = newId();
  const session: McpSession = {
    ...{ id, database, ownerKey: ownerKeyOf(ctx), actor: owner.actor as McpSession["actor"] },
    ...{ server: buildServer(), transport: new WebStandardStreamableHTTPServerTransport() },
    ...{ events: createSessionEvents(), listensOn: null },
    ...{
      level: "info",
      calls: 0,
      isListening: false,
      needsCheck: false,
      lastUsedAt: 0,
      state: "open",
      canConfirm: false,
    },
    listHashes: { tools: "", resources: "", prompts: "" },
    resources: new Map(),
    ...change,
  };
  allSessions().set(id, session);
  return session;
}

test("a session is found by the token that opened it alone", () => {
  const { id } = open();
  expect(findSession(ctx, id)?.id).toBe(id);
  expect(findSession(other, id)).toBeNull();
  expect(findSession(ctx, newId())).toBeNull();
  expect(findSession(ctx, null)).toBeNull();
});

test("the hundred-and-first session of a token evicts the one that is idle longest", async () => {
  const busy = open({ calls: 1, lastUsedAt: 1 });
  const listening = open({ isListening: true, lastUsedAt: 2 });
  const [oldest] = Array.from({ length: 97 }, (_, index) => open({ lastUsedAt: 10 + index }));
  await evictIdleSession(ctx);
  expect(allSessions().size).toBe(99);
  open({ lastUsedAt: 500 });
  await evictIdleSession(ctx);
  const left = [...allSessions().keys()];
  expect(left).toHaveLength(99);
  expect(left).toEqual(expect.arrayContaining([busy.id, listening.id]));
  expect(left).not.toContain(oldest?.id);
});

test("another one is refused while all hundred are in use, and another token’s is not", async () => {
  for (let count = 0; count < 100; count += 1) open({ calls: 1 });
  await expect(evictIdleSession(ctx)).rejects.toMatchObject({ code: "rate_limited" });
  await evictIdleSession(other);
  expect(allSessions().size).toBe(100);
});
