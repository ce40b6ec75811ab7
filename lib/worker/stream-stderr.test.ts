import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_EVENT_TEXT } from "./protocol";
import { createByteRing, streamStderr } from "./stream-stderr";

function open(maxBytes: number, maxLines?: number) {
  const events: { stream: string; text: string }[] = [];
  const stream = streamStderr(maxBytes, (name, text) => events.push({ stream: name, text }), maxLines);
  return { stream, texts: () => events.map((event) => event.text), events };
}

describe("streamStderr", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("hands out each line when it ends and a partial one after 250 ms", () => {
    const { stream, texts } = open(1000);
    stream.write(Buffer.from("one\r\ntwo\n50"));
    expect(texts()).toEqual(["one", "two"]);
    vi.advanceTimersByTime(249);
    stream.write(Buffer.from(" %"));
    expect(texts()).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(texts()).toEqual(["one", "two", "50 %"]);
  });

  it("puts a character together that comes in two chunks, and replaces what is none", () => {
    const { stream, texts } = open(1000);
    const bytes = Buffer.from("größe\n");
    stream.write(bytes.subarray(0, 3));
    stream.write(bytes.subarray(3));
    stream.write(Buffer.from([0xff, 0x00, 0x0a]));
    expect(texts()).toEqual(["größe", "\ufffd\ufffd"]);
  });

  it("splits a long line without breaking a surrogate pair", () => {
    const { stream, texts } = open(100_000);
    stream.write(Buffer.from(`${"x".repeat(MAX_EVENT_TEXT - 1)}😀end\n`));
    expect(texts()).toEqual(["x".repeat(MAX_EVENT_TEXT - 1), "😀end"]);
  });

  it("leaves nothing out at exactly the limit", () => {
    const { stream, texts } = open(8);
    stream.write(Buffer.from("abcdefgh"));
    expect(stream.end()).toEqual({ truncated: false });
    expect(texts().join("")).toBe("abcdefgh");
  });

  it("says how many bytes are missing between head and tail", () => {
    const { stream, events } = open(8);
    stream.write(Buffer.from("abcd__efgh"));
    expect(stream.end()).toEqual({ truncated: true });
    expect(events.map(({ text }) => text)).toEqual(["abcd", expect.stringContaining("2 bytes of stderr"), "efgh"]);
    expect(events[1]?.stream).toBe("system");
  });

  it("limits the number of lines in the same manner", () => {
    const { stream, texts } = open(1000, 4);
    stream.write(Buffer.from("1\n2\n3\n4\n5\n6\n"));
    expect(stream.end()).toEqual({ truncated: true });
    expect(texts()).toEqual(["1", "2", expect.stringContaining("4 bytes of stderr"), "5", "6"]);
  });

  it("keeps the last 4 KiB for messages, with dots in front when there was more", () => {
    const { stream } = open(100);
    stream.write(Buffer.from(`${"a".repeat(5000)}end\n`));
    expect(stream.tail()).toMatch(/^…a{4092}end$/);
  });
});

describe("createByteRing", () => {
  it("always holds the last bytes, however they came", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.uint8Array({ maxLength: 50 })), (capacity, chunks) => {
        const ring = createByteRing(capacity);
        for (const chunk of chunks) ring.push(chunk);
        const all = Buffer.concat(chunks);
        expect(ring.total()).toBe(all.length);
        expect(ring.bytes()).toEqual(all.subarray(Math.max(0, all.length - capacity)));
      }),
    );
  });
});
