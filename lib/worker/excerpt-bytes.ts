import { storableText } from "@/lib/skill-format/storable-text";

const HALF_BYTES = 32_000;

/** Bytes as text for a person: all of it, or head and tail (64 KiB together) around a note of what is left out. */
export function excerptBytes(bytes: Buffer): string {
  const leftOut = bytes.length - 2 * HALF_BYTES;
  if (leftOut <= 0) return decode(bytes);
  return `${decode(bytes.subarray(0, HALF_BYTES))}\n… ${leftOut} bytes left out …\n${decode(bytes.subarray(-HALF_BYTES))}`;
}

function decode(bytes: Buffer): string {
  return storableText(bytes.toString("utf8"));
}
