import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { testDatabase } from "@/lib/testing/test-database";
import { chainKeyOf } from "./chain/chain-key";
import { csvCell, EXPORT_COLUMNS, exportEvents } from "./export-events";
import { recordEvent } from "./record-event";
import { ExportAuditQuery } from "./schema";
import { readEventLines } from "./segments";
import { verifyExport } from "./verify-folder";

const { database, person } = await testDatabase();
const [admin, user] = [await person("admin"), await person("user")];

const note = (ctx: Ctx, n: number) =>
  inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, { action: n % 2 ? "odd.note" : "even.note", summary: `=note ${n}`, durationMs: n / 3 }),
  );
for (let n = 1; n <= 1_200; n++) await note(n % 100 === 0 ? user.ctx : admin.ctx, n);

async function textOf(ctx: Ctx, query: Record<string, string> = {}): Promise<string> {
  let text = "";
  for await (const piece of await exportEvents(ctx, ExportAuditQuery.parse(query))) text += piece;
  return text;
}

test("an admin’s export contains every stored column, and its chain is valid with the key alone", async () => {
  const text = await textOf(admin.ctx);
  expect(text.trimEnd().split("\n").length).toBeGreaterThanOrEqual(1_200);
  const key = await chainKeyOf(database);
  const check = (lines: string) => verifyExport(key, readEventLines(Readable.from([lines])));
  expect((await check(text)).firstBroken).toBeNull();
  expect((await check(text.split("\n").slice(600).join("\n"))).firstBroken).toBeNull();
  expect((await check(text.replace("=note 700", "=note 701"))).firstBroken).toMatchObject({
    seq: 700,
    problem: "edited",
  });
  const without = text.split("\n").filter((_, index) => index !== 9);
  expect((await check(without.join("\n"))).firstBroken).toMatchObject({ seq: 10, problem: "missing" });
});

test("filters hold, others see their own only, and the export itself is an event", async () => {
  const odd = (await textOf(admin.ctx, { action: "odd" })).trimEnd().split("\n");
  expect(odd.length).toBe(600);
  const own = (await textOf(user.ctx))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(own.filter(({ action }) => action === "even.note").length).toBe(12);
  expect(own.every(({ actorId }) => actorId === user.id)).toBe(true);
  const last = await database.reader.auditEvent.findFirst({ orderBy: { seq: "desc" } });
  expect(last).toMatchObject({ action: "audit.export", actorId: user.id });
});

test("a spreadsheet gets no formula", async () => {
  const [head, ...rows] = (await textOf(admin.ctx, { format: "csv", action: "even" })).trimEnd().split("\r\n");
  expect(head).toBe(EXPORT_COLUMNS.join(","));
  expect(rows.length).toBe(600);
  expect(rows[0]).toContain(",'=note 2,");
  expect(["=1+1", "+1", "-1", "@x", "\t=1", " =1", "\uff1d1"].map(csvCell).every((cell) => /^"?'/.test(cell))).toBe(
    true,
  );
  expect([csvCell(-1), csvCell(null), csvCell('a"b,c'), csvCell("a\nb")]).toEqual(["-1", "", '"a""b,c"', '"a\nb"']);
});
