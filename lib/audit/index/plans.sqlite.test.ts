import { expect, test } from "vitest";
import { query } from "@/lib/db/sql";
import { testDatabase } from "@/lib/testing/test-database";
import { HOURS } from "../read-histogram";
import {
  EVENTS_AT,
  EVENTS_FROM,
  EVENTS_NEWER,
  EVENTS_OLDER,
  EVENTS_TO,
  HOURS_SPAN,
  POSTINGS_NEWER,
  POSTINGS_OLDER,
} from "./search-events";

const { database } = await testDatabase();

const PLANS = {
  ...{ EVENTS_AT, EVENTS_FROM, EVENTS_TO, EVENTS_NEWER, EVENTS_OLDER },
  ...{ HOURS, HOURS_SPAN, POSTINGS_NEWER, POSTINGS_OLDER },
};

test.each(Object.entries(PLANS))("%s searches by an index and sorts nothing", async (_, { text: { sqlite: text } }) => {
  const values = text.match(/\?/g)?.map(() => 1) ?? [];
  const steps = await database.readSql.all(query<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`), ...values);
  const plan = steps.map(({ detail }) => detail).join("\n");
  expect(plan).toMatch(/SEARCH/);
  expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  expect(text).not.toMatch(/OFFSET|COUNT\(/i);
});

test("a plan without an index is told from one with", async () => {
  const text = `EXPLAIN QUERY PLAN SELECT "seq" FROM "AuditEvent" WHERE "device" = ? ORDER BY "at" DESC`;
  const steps = await database.readSql.all(query<{ detail: string }>(text), "desk");
  expect(steps.map(({ detail }) => detail).join("\n")).toMatch(/SCAN/);
});
