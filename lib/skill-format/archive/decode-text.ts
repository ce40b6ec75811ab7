import type { Diagnostic } from "@/lib/skill-format/schema";
import { MAX_AGENT_TEXT_BYTES } from "./limits";

/** Whether bytes are valid UTF-8 without NUL. No other encoding is guessed. */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && decodeText(bytes) !== null;
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

/** Decodes UTF-8 and removes a byte order mark; null when the bytes are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return DECODER.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Decodes a SKILL.md and reports unusual bytes. Invalid UTF-8 and NUL make the skill unusable, because a reviewer would
 * see another text than an agent; a text is returned for display only. Normalizes line ends that hide a frontmatter.
 * The text has no NUL and no lone surrogates, which databases refuse.
 */
export function decodeSkillText(bytes: Uint8Array, path: string): { text: string; diagnostics: Diagnostic[] } {
  const decoded = decodeText(bytes);
  const wide = decoded === null ? utf16Of(bytes) : null;
  const text = decoded ?? new TextDecoder(wide ?? "utf-8").decode(bytes);
  const found: Finding[] = [];
  if (decoded === null) {
    const message =
      wide === null ? "The file is not UTF-8 text. Save it as UTF-8." : "The file is UTF-16. Save it as UTF-8.";
    found.push(["not_utf8", message, text.indexOf("\ufffd")]);
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    found.push(["has_bom", "The file begins with a byte order mark, which some loaders read as text.", 0]);
  }
  const nul = text.indexOf("\0");
  if (nul !== -1) found.push(["has_nul", "The file contains NUL characters.", nul]);
  const isCrOnly = text.includes("\r") && !text.includes("\n");
  if (text.includes("\r")) found.push(...findLineEnds(text, isCrOnly));
  const diagnostics = found.map(([code, message, offset]) => diagnosticOf(code, message, path, lineOf(text, offset)));
  const lines = text.includes("\r") ? normalizeLineEnds(text, isCrOnly) : text;
  return { text: nul === -1 ? lines : lines.replaceAll("\0", "\ufffd"), diagnostics };
}

function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
}

/** Fixes line ends that hide a frontmatter: single CR in the whole file or after the first line, and `CR CR LF`. */
function normalizeLineEnds(text: string, isCrOnly: boolean): string {
  if (isCrOnly) return text.replaceAll("\r", "\n");
  if (/^---[ \t]*\r\r\n/.test(text)) return text.replaceAll("\r\r\n", "\n");
  return /^---[ \t]*\r(?!\n)/.test(text) ? text.replace(/\r(?!\n)/g, "\n") : text;
}

type Finding = [string, string, number];

function findLineEnds(text: string, isCrOnly: boolean): Finding[] {
  if (isCrOnly) return [["line_ends_cr", "The lines end with a single CR.", 0]];
  const found: Finding[] = [];
  const crlf = text.indexOf("\r\n");
  const lf = /(?:^|[^\r])\n/.exec(text);
  if (crlf !== -1 && lf !== null) found.push(["line_ends_mixed", "Some lines end with CRLF and others with LF.", 0]);
  else if (crlf !== -1) found.push(["line_ends_crlf", "The lines end with CRLF.", 0]);
  const bare = /\r(?!\n)/.exec(text);
  if (bare !== null) found.push(["has_bare_cr", "The file contains single CR characters.", bare.index]);
  return found;
}

const ERRORS: ReadonlySet<string> = new Set(["not_utf8", "has_nul"]);

function diagnosticOf(code: string, message: string, path: string, line: number): Diagnostic {
  return { code, severity: ERRORS.has(code) ? "error" : "info", path, line, message };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split("\n").length;
}

/** Whether agents may read a file as text. Larger texts would fill a model's context. */
export function isAgentText(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_AGENT_TEXT_BYTES && isText(bytes);
}
