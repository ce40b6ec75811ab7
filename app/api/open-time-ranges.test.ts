import { expect, test } from "vitest";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { newId } from "@/lib/core/ids";
import { createCtx, inTransaction } from "@/lib/db/context";
import type { RouteHandler } from "@/lib/http/route";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const admin = await person("admin");
const hour = (ago: number) => new Date(Date.now() - ago * 3_600_000);
const TIMES = [hour(3), hour(2)];
await seed();

const Items = z.object({ items: z.array(z.unknown()) });
const Figures = z.array(z.object({ uses: z.number() }));
const Total = z.object({ total: z.number() });
const listed = (json: unknown) => Items.parse(json).items.length;
const total = (json: unknown) => Total.parse(json).total;

/** Each route that takes a time range, and a function that counts how many of the objects written at `TIMES` it returns. */
const COUNTED: Record<string, { query: string; count(text: string): number }> = {
  "/api/agent/sessions": { query: "", count: (text) => listed(JSON.parse(text)) },
  "/api/audit": { query: "action=try.note", count: (text) => listed(JSON.parse(text)) },
  "/api/audit/export": { query: "action=try.note", count: (text) => text.split("\n").length - 1 },
  "/api/audit/histogram": { query: "action=try.note&q=tried", count: (text) => total(JSON.parse(text)) },
  "/api/runs": { query: "", count: (text) => listed(JSON.parse(text)) },
  "/api/runs/summary": { query: "", count: (text) => total(JSON.parse(text)) },
  "/api/traces": { query: "", count: (text) => listed(JSON.parse(text)) },
  "/api/traces/figures": {
    query: "",
    count: (text) => Figures.parse(Items.parse(JSON.parse(text)).items).reduce((sum, { uses }) => sum + uses, 0),
  },
};

test("every route that takes a stretch of time is tried here", () => {
  const taking = ROUTE_TABLE.flatMap(([path, module]) => {
    const query = ((module as Record<string, unknown>).GET as RouteHandler | undefined)?.definition.query;
    const names = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
    return ["from", "to", "since", "until"].some((name) => names.includes(name)) ? [path] : [];
  });
  expect(taking.sort()).toEqual(Object.keys(COUNTED).sort());
});

const FAR = [
  ["", 2],
  [`from=${hour(4).toISOString()}`, 2],
  [`from=${hour(2.5).toISOString()}`, 1],
  [`to=${hour(0).toISOString()}`, 2],
  [`to=${hour(2.5).toISOString()}`, 1],
  [`to=${hour(4).toISOString()}`, 0],
  [`from=${hour(4).toISOString()}&to=${hour(0).toISOString()}`, 2],
  ["to=9999-12-31T23:59:59.999Z", 2],
  ["from=1970-01-01T00:00:00Z", 2],
  ["from=0001-01-01T00:00:00Z", 2],
  ["from=0000-01-01T00:00:00Z", 400], // PostgreSQL has no year 0.
] as const;

test.each(Object.entries(COUNTED))(
  "%s: an end that is left open, or far away, leaves nothing out",
  async (path, { query, count }) => {
    const found: [string, number][] = [];
    for (const [times] of FAR) {
      const response = await call("GET", `${path}?${[query, times].filter(Boolean).join("&")}`, { token: admin.token });
      const text = await response.text();
      found.push([times, response.status === 200 ? count(text) : response.status]);
    }
    expect(found).toEqual(FAR);
  },
);

async function seed() {
  const skill = {
    ...{ id: newId(), ownerKey: admin.id, ownerId: admin.id, name: "tidy", slug: "tidy", toolName: "tidy" },
    ...{ description: "Tidies.", class: "safe", scope: "manager", category: "other", source: "authored" },
    ...{ always: false, userInvocable: true, contextFork: false, runnable: true, enabled: true, pinned: false },
    ...{ tags: "[]", depends: "[]", requires: "{}", meta: "{}", visibility: "private", liveSlug: "tidy" },
  };
  const [first] = TIMES as [Date, Date];
  await database.writer.skill.create({ data: { ...skill, createdAt: first, updatedAt: first } });
  const version = await database.writer.version.create({
    data: {
      ...{ id: newId(), skillId: skill.id, number: 1, digest: "d", state: "approved", manifest: "{}" },
      ...{ diagnostics: "[]", provenance: "{}", createdAt: first, createdById: admin.id, createdByName: "Ada" },
    },
  });
  for (const at of TIMES) {
    const ctx = createCtx({ actor: { kind: "system", name: "test" }, database, now: () => at });
    await inTransaction(ctx, (tx, txCtx) => recordEvent(tx, txCtx, { action: "try.note", summary: "tried it" }));
    await database.writer.run.create({
      data: {
        ...{ id: newId(), skillId: skill.id, versionId: version.id, versionDigest: "d", subject: "s", class: "safe" },
        ...{ scope: "manager", state: "succeeded", args: "{}", argsDigest: "d", env: "[]" },
        limits: JSON.stringify({ timeoutMs: 1000, stdoutBytes: 1, stderrBytes: 1 }),
        ...{ callerId: admin.id, callerName: "Ada", callerKind: "user", queuedAt: at },
      },
    });
    await database.writer.agentSession.create({
      data: { id: newId(), userId: admin.id, client: "agent 1", startedAt: at, lastSeenAt: at },
    });
  }
}
