/** Whether bytes are valid UTF-8 without NUL. Everything else is binary and is never guessed at. */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && decodeText(bytes) !== null;
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

/** The text of UTF-8 bytes without its byte order mark, or null when the bytes are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return DECODER.decode(bytes);
  } catch {
    // TextDecoder has no other way to say that the bytes are malformed.
    return null;
  }
}
