import Sqlite from "better-sqlite3";
import { afterEach, expect, test, vi } from "vitest";
import { wake } from "@/lib/core/wake-bus";
import { shutdownSignal } from "@/lib/http/shutdown";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const [owner, reviewer] = [await person("user"), await person("reviewer")];
const STREAMS = 50;

async function ask(method: string, address: string, token: string, json?: unknown) {
  const response = await call(method, address, { token, ...(json === undefined ? {} : { json }) });
  if (!response.ok) throw new Error(`${method} ${address} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

const run = await (async () => {
  const { filename, bytes } = await zipUpload("pack", packFiles({ name: "talking_pack" }));
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  const imported = await call("POST", "/api/skills/import", { token: owner.token, body: form });
  const [skill] = (await imported.json()).skills;
  const decision = { decision: "approve", comment: "Read." };
  await ask(
    "POST",
    `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}/decisions`,
    reviewer.token,
    decision,
  );
  await ask("PATCH", `/api/skills/${skill.id}`, owner.token, { enabled: true });
  return (await ask("POST", `/api/skills/${skill.id}/runs`, owner.token, { args: { text: "x" } })).id as string;
})();

afterEach(() => void vi.restoreAllMocks());

/** Returns the statements that are sent to the database during `work`, by our prepared statements and by Prisma. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const spies = [
    vi.spyOn(database.readSql, "get"),
    vi.spyOn(database.readSql, "all"),
    vi.spyOn(database.writeSql, "run"),
    vi.spyOn(Sqlite.prototype, "prepare"),
  ];
  await work();
  return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
}

type Stream = { next: () => Promise<string>; cancel: () => Promise<void> };

async function open(): Promise<Stream> {
  const response = await call("GET", `/api/runs/${run}/events`, { token: owner.token });
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("no stream");
  return {
    next: async () => Buffer.from((await reader.read()).value ?? new Uint8Array()).toString(),
    cancel: () => reader.cancel(),
  };
}

const say = (seq: number, text: string) =>
  database.writer.runEvent.create({ data: { runId: run, seq, at: new Date(), stream: "stderr", text } });

/** Waits until background work has ended. */
const rest = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test("opening a stream takes a handful of statements, and none of the client's", async () => {
  // The first stream prepares the statements that the others reuse.
  const first = await open();
  await first.next();
  await rest();
  await first.cancel();
  const client = vi.spyOn(Sqlite.prototype, "prepare");
  const streams: Stream[] = [];
  const statements = await statementsOf(async () => {
    for (let count = 0; count < STREAMS; count += 1) streams.push(await open());
    await Promise.all(streams.map((stream) => stream.next()));
    await rest();
  });
  expect(client).not.toHaveBeenCalled();
  // One statement each for the caller, the run and its events so far.
  expect(statements / STREAMS).toBeLessThanOrEqual(4);
  await Promise.all(streams.map((stream) => stream.cancel()));
});

test("what a run says is read once for all who follow it from the same place, and each is told in order", async () => {
  const streams = await Promise.all(Array.from({ length: STREAMS }, open));
  await Promise.all(streams.map((stream) => stream.next()));
  const told = streams.map((stream) => stream.next());
  await rest();
  await say(1, "first");
  const statements = await statementsOf(async () => {
    wake(`run:${run}`);
    // The wake-up is also sent as a comment, and may come first.
    const texts = await Promise.all(
      streams.map(async (stream, index) => {
        let text = (await told[index]) ?? "";
        while (!text.includes("first")) text += await stream.next();
        return text;
      }),
    );
    expect(texts.every((text) => text.includes('"seq":1'))).toBe(true);
    await rest();
  });
  expect(statements).toBeLessThanOrEqual(6);
  await Promise.all(streams.map((stream) => stream.cancel()));
});

test("a change that comes while the run is being read is read as well", async () => {
  const streams = await Promise.all([open(), open()]);
  const texts = ["", ""];
  const following = streams.map(async (stream, index) => {
    while (!texts[index]?.includes('"seq":5')) texts[index] += await stream.next();
  });
  for (const seq of [2, 3, 4, 5]) {
    await say(seq, `line ${seq}`);
    wake(`run:${run}`);
  }
  await Promise.all(following);
  for (const text of texts) {
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))).toEqual([1, 2, 3, 4, 5]);
  }
  await Promise.all(streams.map((stream) => stream.cancel()));
});

test("a stream that ended leaves no listener behind", async () => {
  const added = vi.spyOn(shutdownSignal(), "addEventListener");
  const removed = vi.spyOn(shutdownSignal(), "removeEventListener");
  const any = vi.spyOn(AbortSignal, "any");
  for (let count = 0; count < 5; count += 1) {
    const stream = await open();
    await stream.next();
    await stream.cancel();
  }
  await rest();
  expect(any).not.toHaveBeenCalled();
  expect(added.mock.calls.length).toBe(5);
  expect(removed.mock.calls.length).toBe(5);
});
