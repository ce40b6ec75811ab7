import { storableText } from "@/lib/skill-format/storable-text";
import { MAX_EVENT_TEXT } from "./protocol";

const PARTIAL_LINE_MS = 250;

export type LineSplitter = { write(bytes: Uint8Array): void; flush(): void; count(): number };

/**
 * Turns bytes into lines of at most MAX_EVENT_TEXT, UTF-8 with replacement. A line without an end is handed out after
 * 250 ms, so that prompts and progress bars are seen.
 */
export function splitLines(onLine: (line: string) => void): LineSplitter {
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
    // Half of a surrogate pair on each side would be lost.
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
