import { expect, test } from "vitest";
import { diffTexts } from "@/lib/skills/versions/diff-versions";
import { turnsDuring } from "@/lib/testing/turns-during";
import { runTask } from "./run-task";
import { TASKS } from "./tasks";

const encode = (text: string) => new TextEncoder().encode(text);
const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, i) => line(i));

test("a large comparison lets the event loop turn, and has the same hunks as one in this thread", async () => {
  const before = lines(1_500, (index) => `line ${index}\n`).join("");
  const after = lines(1_500, (index) => `line ${(index * 7) % 1_500}\n`).join("");
  let hunks: unknown = null;
  const turns = await turnsDuring(async () => {
    hunks = await diffTexts(before, after);
  });
  expect(turns).toBeGreaterThan(1);
  expect(hunks).toEqual(await TASKS.diff({ before, after, timeoutMs: 60_000 }));
  expect(await diffTexts("a\nb\n", "a\nc\n")).toMatchObject([{ lines: [" a", "-b", "+c"] }]);
});

test("JSON is parsed as in this thread, and the thread takes the bytes over", async () => {
  const bytes = encode(`\ufeff${JSON.stringify({ text: "x".repeat(10_000), list: [1, null, "é"] })}`);
  expect(await runTask("json", { bytes })).toEqual({ value: { text: "x".repeat(10_000), list: [1, null, "é"] } });
  expect(bytes.byteLength).toBe(0);
  expect(await runTask("json", { bytes: encode("{") })).toEqual({ problem: "malformed" });
  expect(await runTask("json", { bytes: Uint8Array.of(0x22, 0xff, 0x22) })).toEqual({ problem: "malformed" });
});

test("JSON of more than 200,000 values or 1,000 levels is refused in the thread before it is parsed", async () => {
  const list = (count: number) => encode(`[${"0,".repeat(count - 1)}0]`);
  expect(await runTask("json", { bytes: list(199_999) })).toHaveProperty("value.length", 199_999);
  expect(await runTask("json", { bytes: list(200_000) })).toEqual({ problem: "too_complex" });
  expect(await runTask("json", { bytes: list(20_000_000) })).toEqual({ problem: "too_complex" });
  const keys = Array.from({ length: 200_000 }, (_, index) => `"${index}":0`);
  expect(await runTask("json", { bytes: encode(`{${keys.join()}}`) })).toEqual({ problem: "too_complex" });
  const nested = (levels: number) => encode("[".repeat(levels) + "]".repeat(levels));
  expect(await runTask("json", { bytes: nested(1_000) })).toHaveProperty("value");
  expect(await runTask("json", { bytes: nested(1_001) })).toEqual({ problem: "too_complex" });
  const text = JSON.stringify({ text: `,[{"\\${",".repeat(300_000)}` });
  expect(await runTask("json", { bytes: encode(text) })).toEqual({ value: JSON.parse(text) });
});

test("a form is read with its files, and a broken one is null", async () => {
  const form = new FormData();
  form.set("file", new File([encode("bytes of it")], "a.zip"));
  form.set("note", "text");
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type") ?? "";
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const broken = bytes.slice(0, bytes.length - 10);
  expect(await runTask("form", { bytes, contentType })).toEqual([
    { field: "file", file: { name: "a.zip", bytes: encode("bytes of it") } },
    { field: "note", file: null },
  ]);
  expect(await runTask("form", { bytes: broken, contentType })).toBeNull();
});

test("a thread that takes too long is an error, and the next task gets another thread", async () => {
  const slow = { before: lines(20_000, (i) => `a${i}\n`).join(""), after: lines(20_000, (i) => `b${i}\n`).join("") };
  await expect(runTask("diff", { ...slow, timeoutMs: 600_000 }, { afterMs: 1 })).rejects.toMatchObject({
    code: "unavailable",
    retryAfterSeconds: 5,
  });
  expect(await runTask("json", { bytes: encode("1") })).toEqual({ value: 1 });
});

test("more tasks than may wait are refused, and all others are done", async () => {
  const asked = await Promise.allSettled(
    lines(60, (index) => index.toString()).map((text) => runTask("json", { bytes: encode(text) })),
  );
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(52);
  const refused = asked.find(({ status }) => status === "rejected");
  expect(refused).toMatchObject({ reason: { code: "unavailable" } });
});

test("a task whose caller has left gives up its place in the queue", async () => {
  const slow = { before: lines(3_000, (i) => `a${i}\n`).join(""), after: lines(3_000, (i) => `b${i}\n`).join("") };
  const running = [1, 2].map(() => runTask("diff", { ...slow, timeoutMs: 60_000 }));
  const left = Array.from({ length: 50 }, () => new AbortController());
  const abandoned = left.map(({ signal }) =>
    runTask("json", { bytes: encode("0") }, { signal }).catch((error: unknown) => error),
  );
  for (const caller of left) caller.abort();
  for (const error of await Promise.all(abandoned)) expect(error).toMatchObject({ code: "unavailable" });
  expect(await runTask("json", { bytes: encode("2") })).toEqual({ value: 2 });
  await Promise.all(running);
});
