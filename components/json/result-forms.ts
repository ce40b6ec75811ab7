import { imagesOf } from "./image-of";

export type ResultText = { kind: "markdown" | "diff" | "text"; text: string };

export type ResultFile = { name: string; mediaType: string | null; text: string } | ResultBytes;

type ResultBytes = { name: string; mediaType: string | null; base64: string };

const filesAtMost = 200;

/**
 * The text of a result that is one: a string, an object that names it (`markdown`, `diff`, `patch`, or `text` and `content`
 * with a media type), or MCP content of text parts only. Null for other values, and for a string of one plain line.
 */
export function textOf(value: unknown): ResultText | null {
  if (typeof value === "string") return describeText(value, null);
  const parts = partsOf(value);
  if (parts.length > 0 && parts.every((part) => part.type === "text" && typeof part.text === "string")) {
    return describeText(parts.map(({ text }) => text).join("\n\n"), null);
  }
  const object = asRecord(value);
  if (object === null) return null;
  if (typeof object.markdown === "string") return { kind: "markdown", text: object.markdown };
  const diff = object.diff ?? object.patch;
  if (typeof diff === "string" && isDiff(diff)) return { kind: "diff", text: diff };
  const mediaType = mediaTypeOf(object);
  const text = object.text ?? object.content;
  return mediaType !== null && typeof text === "string" && filesOf(value).length === 0
    ? describeText(text, mediaType)
    : null;
}

function describeText(text: string, mediaType: string | null): ResultText | null {
  if (mediaType === "text/x-diff" || mediaType === "text/x-patch" || isDiff(text)) return { kind: "diff", text };
  if (mediaType === "text/markdown" || (mediaType === null && isMarkdown(text))) return { kind: "markdown", text };
  return text.includes("\n") || mediaType !== null ? { kind: "text", text } : null;
}

/** A unified diff, as `git diff` and `diff -u` write it. */
function isDiff(text: string): boolean {
  return /^--- .*\n\+\+\+ .*\n@@ /m.test(text);
}

const marks = [
  /^#{1,6} \S/m,
  /^\s*(?:[-*+]|\d{1,3}\.) \S.*\n\s*(?:[-*+]|\d{1,3}\.) \S/m,
  /\*\*\S[^*\n]*\*\*/,
  /^```/m,
  /\[[^\]\n]+\]\(\S+\)/,
  /^\|.+\|\n\|[ :|-]+\|/m,
];

/** Several lines with at least two kinds of Markdown's marks, or one that other texts hardly have. */
function isMarkdown(text: string): boolean {
  if (!text.includes("\n")) return false;
  const found = marks.filter((mark) => mark.test(text));
  return found.length > 1 || marks.slice(3).some((mark) => mark.test(text)) || /^# \S.*\n\s*\n/.test(text);
}

/**
 * The files of a result: objects with a name (`name`, `filename`, `path`, `uri`) and a content (`content` or `text`, or
 * `data` or `blob` in Base64 with a media type), alone, in a list, as `files`, or as resources of MCP content. Pictures
 * are not files here. At most 200.
 */
export function filesOf(value: unknown): ResultFile[] {
  const own = asRecord(value);
  const files: unknown = own?.files;
  const parts = partsOf(value);
  const isMcp = parts.some(({ type }) => type === "resource");
  const given: unknown[] = isMcp
    ? parts.filter(({ type }) => type === "resource").map(({ resource }) => resource)
    : Array.isArray(files)
      ? files
      : Array.isArray(value)
        ? value
        : [value];
  const found = given.slice(0, filesAtMost).map(readFile);
  return found.every((file) => file !== null) ? found : [];
}

function readFile(value: unknown): ResultFile | null {
  const object = asRecord(value);
  if (object === null || imagesOf(value).images.length > 0) return null;
  const name = [object.filename, object.name, object.path, object.uri].find((one) => typeof one === "string");
  if (typeof name !== "string" || name === "") return null;
  const mediaType = mediaTypeOf(object);
  const base64 = object.data ?? object.blob;
  if (mediaType !== null && typeof base64 === "string" && /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(base64)) {
    return { name, mediaType, base64: base64.replace(/\s+/g, "") };
  }
  const text = object.content ?? object.text;
  return typeof text === "string" ? { name, mediaType, text } : null;
}

function mediaTypeOf({ mimeType, mediaType, contentType }: Record<string, unknown>): string | null {
  const given = [mimeType, mediaType, contentType].find((one) => typeof one === "string");
  return typeof given === "string" ? (given.split(";")[0]?.trim().toLowerCase() ?? null) : null;
}

/** The parts of MCP content: a list of objects with a `type`, alone or as `content`. */
function partsOf(value: unknown): Record<string, unknown>[] {
  const list: unknown = Array.isArray(value) ? value : asRecord(value)?.content;
  if (!Array.isArray(list)) return [];
  const parts = list.map(asRecord);
  return parts.every((part) => part !== null && typeof part.type === "string")
    ? parts.filter((part) => part !== null)
    : [];
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
