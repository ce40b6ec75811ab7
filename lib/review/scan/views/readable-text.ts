import { decodeText } from "@/lib/skill-format/archive/is-text";

/** Decoded bytes as text when they are text that people or shells read; null for everything else. */
export function readableText(bytes: Uint8Array): string | null {
  const text = isWide(bytes) ? new TextDecoder("utf-16le").decode(bytes) : decodeText(bytes);
  if (text === null || text.length < 6) return null;
  let readable = 0;
  for (const char of text) if (/[\t\n\r -~]/.test(char)) readable += 1;
  return readable / text.length >= 0.9 ? text : null;
}

/** Every second byte is zero, as in the text that PowerShell's -EncodedCommand takes. */
function isWide(bytes: Uint8Array): boolean {
  if (bytes.length < 8 || bytes.length % 2 !== 0) return false;
  for (let at = 1; at < bytes.length; at += 2) if (bytes[at] !== 0) return false;
  return true;
}
