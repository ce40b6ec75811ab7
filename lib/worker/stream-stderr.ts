import { createByteRing } from "./create-byte-ring";
import type { EmitEvent } from "./emit-event";
import { splitLines } from "./split-lines";

const MAX_LINES = 20_000;
const MESSAGE_BYTES = 4096;

export type StderrStream = {
  write(chunk: Buffer): void;
  /** Hands out what is still held back. Returns whether anything was left out. */
  end(): { truncated: boolean };
  /** The last 4 KiB, with dots in front when there was more. */
  tail(): string;
};

/**
 * Streams stderr line by line while it stays within the first half of its limits (`maxBytes`, and 20,000 lines). Of what
 * follows the last half is kept and handed out at the end, after an event that says how much is missing between them.
 */
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

/** Where the kept bytes begin to count: after the middle of a character, and with at most `maxLines` line ends behind. */
function findTailStart(kept: Buffer, isWhole: boolean, maxLines: number): number {
  let start = 0;
  if (!isWhole) while (start < 3 && ((kept[start] ?? 0) & 0xc0) === 0x80) start += 1;
  let lineEnds = 0;
  for (let at = kept.length - 1; at >= start; at -= 1) {
    if (kept[at] === 10 && ++lineEnds > maxLines) return at + 1;
  }
  return start;
}
