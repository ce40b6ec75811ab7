import { storableText } from "@/lib/skill-format/json-values";
import { MAX_EVENT_TEXT } from "@/lib/worker/protocol";

import type { RunEventItem } from "./protocol";

const PARTIAL_LINE_MS = 250;

type LineSplitter = { write(bytes: Uint8Array): void; flush(): void; count(): number };

const MAX_LINES = 20_000;
const MESSAGE_BYTES = 4096;

type StderrStream = {
  write(chunk: Buffer): void;
  end(): { truncated: boolean };
  /** The last 4 KiB, with "…" in front when there was more. */
  tail(): string;
};

/** Streams the first half of stderr (`maxBytes`, 20,000 lines) as lines, and emits the last part of the rest at the end. */
export function streamStderr(maxBytes: number, emit: EmitEvent, maxLines = MAX_LINES): StderrStream {
  const headBytes = Math.ceil(maxBytes / 2);
  const headLines = Math.ceil(maxLines / 2);
  const lines = splitLines((line) => emit("stderr", line));
  const late = createByteRing(Math.max(1, maxBytes - headBytes));
  const last = createByteRing(MESSAGE_BYTES);
  let headUsed = 0;

  function write(chunk: Buffer): void {
    last.push(chunk);
    const rest = late.total() > 0 ? chunk : chunk.subarray(writeHead(chunk));
    if (rest.length > 0) late.push(rest);
  }

  // Line by line, since one chunk may hold more line ends than there are events left.
  function writeHead(chunk: Buffer): number {
    let used = 0;
    while (used < chunk.length && headUsed < headBytes && lines.count() < headLines) {
      const lineEnd = chunk.indexOf(10, used);
      const end = Math.min(lineEnd === -1 ? chunk.length : lineEnd + 1, used + headBytes - headUsed);
      lines.write(chunk.subarray(used, end));
      headUsed += end - used;
      used = end;
    }
    return used;
  }

  function end(): { truncated: boolean } {
    const kept = late.bytes();
    const isWhole = kept.length === late.total();
    const start = findTailStart(kept, isWhole, maxLines - headLines);
    const leftOut = late.total() - kept.length + start;
    if (leftOut > 0) {
      lines.flush();
      emit(
        "system",
        `${leftOut} bytes of stderr are left out here (the limit is ${maxBytes} bytes, ${maxLines} lines).`,
      );
    }
    lines.write(kept.subarray(start));
    lines.flush();
    return { truncated: leftOut > 0 };
  }

  function tail(): string {
    const text = new TextDecoder().decode(last.bytes()).trim();
    return last.total() > MESSAGE_BYTES ? `…${text}` : text;
  }

  return { write, end, tail };
}

/** Index of the first kept byte: not inside a character, and with at most `maxLines` line ends after it. */
function findTailStart(kept: Buffer, isWhole: boolean, maxLines: number): number {
  let start = 0;
  if (!isWhole) while (start < 3 && ((kept[start] ?? 0) & 0xc0) === 0x80) start += 1;
  let lineEnds = 0;
  for (let at = kept.length - 1; at >= start; at -= 1) {
    if (kept[at] === 10 && ++lineEnds > maxLines) return at + 1;
  }
  return start;
}

/** Splits bytes into lines of at most MAX_EVENT_TEXT. An unfinished line is emitted after 250 ms, for prompts. */
function splitLines(onLine: (line: string) => void): LineSplitter {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let partial = "";
  let timer: NodeJS.Timeout | undefined;
  let count = 0;

  function hand(line: string): void {
    count += 1;
    onLine(storableText(line));
  }

  function takeLines(text: string): void {
    const lines = (partial + text).split("\n");
    partial = lines.pop() ?? "";
    if (lines.length > 0) stopTimer();
    for (const line of lines) handInPieces(line.endsWith("\r") ? line.slice(0, -1) : line);
    while (partial.length > MAX_EVENT_TEXT) partial = handPiece(partial);
  }

  function handInPieces(line: string): void {
    let rest = line;
    while (rest.length > MAX_EVENT_TEXT) rest = handPiece(rest);
    hand(rest);
  }

  function handPiece(line: string): string {
    const end = /[\ud800-\udbff]/.test(line.charAt(MAX_EVENT_TEXT - 1)) ? MAX_EVENT_TEXT - 1 : MAX_EVENT_TEXT;
    hand(line.slice(0, end));
    return line.slice(end);
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function handPartial(): void {
    stopTimer();
    if (partial === "") return;
    hand(partial);
    partial = "";
  }

  return {
    write(bytes) {
      takeLines(decoder.decode(bytes, { stream: true }));
      if (partial !== "") timer ??= setTimeout(handPartial, PARTIAL_LINE_MS);
    },
    flush() {
      takeLines(decoder.decode());
      handPartial();
    },
    count: () => count,
  };
}

type ByteRing = { push(chunk: Uint8Array): void; bytes(): Buffer; total(): number };

/** Keeps the last `capacity` bytes of a stream and counts all of them. */
export function createByteRing(capacity: number): ByteRing {
  let buffer: Buffer | null = null;
  let total = 0;

  function push(chunk: Uint8Array): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - capacity));
    const start = (total + chunk.length - kept.length) % capacity;
    buffer ??= Buffer.allocUnsafe(capacity);
    const untilEnd = Math.min(kept.length, capacity - start);
    buffer.set(kept.subarray(0, untilEnd), start);
    buffer.set(kept.subarray(untilEnd), 0);
    total += chunk.length;
  }

  function bytes(): Buffer {
    if (buffer === null) return Buffer.alloc(0);
    if (total <= capacity) return Buffer.from(buffer.subarray(0, total));
    const start = total % capacity;
    return Buffer.concat([buffer.subarray(start), buffer.subarray(0, start)]);
  }

  return { push, bytes, total: () => total };
}

/** Adds one event to the run's log; the text must be at most MAX_EVENT_TEXT long. */
export type EmitEvent = (stream: RunEventItem["stream"], text: string) => void;
