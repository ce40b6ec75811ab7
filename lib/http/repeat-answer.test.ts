import { expect, test, vi } from "vitest";
import { inTransaction } from "@/lib/db/context";
import { agentOf } from "@/lib/testing/agent-of";
import { testDatabase } from "@/lib/testing/test-database";
import { repeatAnswer } from "./repeat-answer";

const { outside, person } = await testDatabase();
const [admin, user] = [await person("admin"), await person("user")];
let made = 0;
const count = async () => {
  made += 1;
  return { text: `answer ${made}`, etag: `"${made}"` };
};
const ask = async (ctx = admin.ctx, path = "/api/me") => (await repeatAnswer(ctx, path, count)).text;

test("the same request of the same caller gets the answer again, also at the same time", async () => {
  const first = await ask();
  expect(await ask()).toBe(first);
  expect(await Promise.all([ask(), ask()])).toEqual([first, first]);
});

test("another caller, address, or form of the address gets an answer of its own", async () => {
  const answers = [
    await ask(),
    await ask(user.ctx),
    await ask({ ...admin.ctx, actor: { kind: "anonymous" } }),
    await ask(admin.ctx, "/api/me?limit=1"),
    await ask(admin.ctx, "/api/me/"),
  ];
  expect(new Set(answers).size).toBe(answers.length);
});

test.each([
  [
    "this process",
    () =>
      inTransaction(admin.ctx, (tx) => tx.setting.create({ data: { key: "a", value: "1", updatedAt: new Date() } })),
  ],
  ["another process", () => outside(`UPDATE "Setting" SET "value" = '2' WHERE "key" = 'a'`)],
])("after a commit of %s the answer is made again", async (_writer, write) => {
  const before = await ask();
  await write();
  const after = await ask();
  expect(after).not.toBe(before);
  expect(await ask()).toBe(after);
});

test("an answer that was being made while something was committed is not repeated", async () => {
  const slow = await repeatAnswer(admin.ctx, "/api/slow", async () => {
    await outside(`UPDATE "User" SET "name" = 'Changed' WHERE "id" = ?`, user.id);
    return count();
  });
  expect(await ask(admin.ctx, "/api/slow")).not.toBe(slow.text);
});

test("an answer is repeated for one second, and never to an agent", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const first = await ask(admin.ctx, "/api/aged");
  vi.setSystemTime(Date.now() + 999);
  expect(await ask(admin.ctx, "/api/aged")).toBe(first);
  vi.setSystemTime(Date.now() + 1);
  expect(await ask(admin.ctx, "/api/aged")).not.toBe(first);
  vi.useRealTimers();
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  expect(await ask(agent.ctx)).not.toBe(await ask(agent.ctx));
});

test("a large answer is repeated as well, and dropped after its second", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const large = async () => ({ text: `${(await count()).text} ${"x".repeat(600_000)}`, etag: '"large"' });
  const first = await repeatAnswer(admin.ctx, "/api/large", large);
  expect((await repeatAnswer(admin.ctx, "/api/large", large)).text).toBe(first.text);
  vi.advanceTimersByTime(1_000);
  expect((await repeatAnswer(admin.ctx, "/api/large", large)).text).not.toBe(first.text);
  vi.useRealTimers();
});
