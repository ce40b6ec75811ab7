/** Control, formatting and bidirectional characters, line separators and lone surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Untrusted text as a part of one line of a terminal, where nothing in it can move, hide or reverse what stands beside it. */
export function printable(text: string): string {
  return text.replace(HIDDEN, "\ufffd");
}

/** JSON whose strings hold the same characters in escapes. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
}
