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

export type ImageData = { mediaType: string; base64: string };
/** Images, and an SVG that is only shown as source. */
export type ImagesOf = { images: readonly ImageData[]; svg: string | null };

const none: ImagesOf = { images: [], svg: null };
const imagesAtMost = 20;

/** Base64 magic bytes per type, since declared types are not trusted. */
const beginnings: Record<string, RegExp> = {
  "image/png": /^iVBORw0KGg/,
  "image/jpeg": /^\/9j\//,
  "image/gif": /^R0lGOD[dl]/,
  "image/webp": /^UklGR/,
};

/**
 * Finds images in a value: a `data:` URL, `{mimeType | mediaType, data}` with base64, or MCP content (a list of such parts,
 * alone or as `content`). PNG, JPEG, GIF and WebP are checked by magic bytes; SVG can contain scripts and is returned as text.
 */
export function imagesOf(value: unknown): ImagesOf {
  const found = candidatesOf(value).slice(0, imagesAtMost).map(readCandidate);
  const images = found.flatMap((one) => one.images);
  const svg = found.find((one) => one.svg !== null)?.svg ?? null;
  return images.length === 0 && svg === null ? none : { images, svg };
}

function candidatesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const content = (value as { content?: unknown } | null)?.content;
  return Array.isArray(content) ? content : [value];
}

function readCandidate(value: unknown): ImagesOf {
  if (typeof value === "string") {
    const match = /^data:(image\/[a-z0-9.+-]+)(;base64)?,/i.exec(value);
    if (!match?.[1]) return none;
    const data = value.slice(match[0].length);
    return match[2] ? readImage(match[1], data) : readPlain(match[1], data);
  }
  if (typeof value !== "object" || value === null) return none;
  const { mimeType, mediaType, data } = value as Record<string, unknown>;
  const type = typeof mimeType === "string" ? mimeType : mediaType;
  if (typeof type !== "string" || typeof data !== "string") return none;
  return data.startsWith("data:") ? readCandidate(data) : readImage(type, data);
}

function readImage(type: string, data: string): ImagesOf {
  const mediaType = type.toLowerCase().replace("image/jpg", "image/jpeg");
  const base64 = data.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return none;
  if (mediaType === "image/svg+xml") return { images: [], svg: decodeText(base64) };
  return beginnings[mediaType]?.test(base64) ? { images: [{ mediaType, base64 }], svg: null } : none;
}

function readPlain(type: string, data: string): ImagesOf {
  if (type.toLowerCase() !== "image/svg+xml") return none;
  try {
    return { images: [], svg: decodeURIComponent(data) };
  } catch {
    return { images: [], svg: data };
  }
}

function decodeText(base64: string): string | null {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return null;
  }
}
