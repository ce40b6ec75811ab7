import { decodeText } from "./is-text";
import type { Diagnostic } from "./schema";

/**
 * The text of a SKILL.md, and what is unusual about its bytes. Bytes that are not UTF-8 and NUL make the skill unusable (a
 * person would review another text than an agent reads) but still give a text to look at. A file whose lines all end with
 * a single CR is read with LF; other line ends stay as they are.
 */
export function decodeSkillText(bytes: Uint8Array, path: string): { text: string; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const add = (code: string, severity: Diagnostic["severity"], message: string, line = 1) =>
    diagnostics.push({ code, severity, path, line, message });
  const decoded = decodeText(bytes);
  const text = decoded ?? new TextDecoder().decode(bytes);
  if (decoded === null) add("not_utf8", "error", "The file is not UTF-8 text.", lineOf(text, text.indexOf("\ufffd")));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    add("has_bom", "info", "The file begins with a byte order mark, which some loaders take for text.");
  }
  const nul = text.indexOf("\0");
  if (nul !== -1) add("has_nul", "error", "The file has NUL characters.", lineOf(text, nul));
  if (!text.includes("\r")) return { text, diagnostics };
  if (!text.includes("\n")) {
    add("line_ends_cr", "info", "The lines end with a single CR.");
    return { text: text.replaceAll("\r", "\n"), diagnostics };
  }
  const crlf = /\r\n/.test(text);
  const lf = /(^|[^\r])\n/.test(text);
  if (crlf && lf) add("line_ends_mixed", "info", "Some lines end with CRLF and others with LF.");
  else if (crlf) add("line_ends_crlf", "info", "The lines end with CRLF.");
  const bare = /\r(?!\n)/.exec(text);
  if (bare !== null) add("has_bare_cr", "info", "The file has single CR characters.", lineOf(text, bare.index));
  return { text, diagnostics };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split("\n").length;
}
