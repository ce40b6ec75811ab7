import { isUtf8 } from "node:buffer";
import { type StructuredPatchHunk, structuredPatch } from "diff";

/** Bytes to work on, which the task takes over: the caller's view of them is empty afterwards. */
type Taken = Uint8Array<ArrayBuffer>;

/** `file` is null for a field of text. */
export type FormField = { field: string; file: { name: string; bytes: Uint8Array<ArrayBuffer> } | null };

type Parsed = { value: unknown } | { problem: "malformed" | "too_complex" };

/** Input and output of each task that a thread does. */
export type Tasks = {
  /** Parses JSON in UTF-8, at most 200,000 values and 1,000 levels. */
  json: { input: { bytes: Taken }; output: Parsed };
  /** The fields of a multipart/form-data body (RFC 7578); null for a broken one. */
  form: { input: { bytes: Taken; contentType: string }; output: FormField[] | null };
  /** Hunks with three lines around each change; null after `timeoutMs` milliseconds. */
  diff: { input: { before: string; after: string; timeoutMs: number }; output: StructuredPatchHunk[] | null };
};

/** The event loop receives this many values in about a tenth of a second. */
const MAX_VALUES = 200_000;
const MAX_DEPTH = 1_000;

export const TASKS: { [Name in keyof Tasks]: (input: Tasks[Name]["input"]) => Promise<Tasks[Name]["output"]> } = {
  json: async ({ bytes }) => (isTooComplex(bytes) ? { problem: "too_complex" } : parseJsonBytes(bytes)),
  form: ({ bytes, contentType }) => readForm(bytes, contentType),
  diff: async ({ before, after, timeoutMs }) =>
    structuredPatch("a", "b", before, after, "", "", { context: 3, timeout: timeoutMs })?.hunks ?? null,
};

/** Drops a leading byte order mark. */
export function parseJsonBytes(bytes: Uint8Array<ArrayBuffer>): Parsed {
  if (!isUtf8(bytes)) return { problem: "malformed" };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  try {
    return { value: JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text) };
  } catch {
    return { problem: "malformed" };
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts before parsing, because a body of a few megabytes can have more values than the thread has memory for. */
function isTooComplex(bytes: Uint8Array): boolean {
  let [values, depth, inString] = [1, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return true;
  }
  return false;
}

async function readForm(bytes: Taken, contentType: string): Promise<FormField[] | null> {
  const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData().catch(() => null);
  if (form === null) return null;
  const fields: FormField[] = [];
  for (const [field, value] of form) {
    const isFile = value instanceof File;
    fields.push({
      field,
      file: isFile ? { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) } : null,
    });
  }
  return fields;
}

/** The buffers of the byte arrays in a task's input or output, down to two levels; posting moves them instead of copying. */
export function buffersOf(value: unknown, levels = 3): ArrayBuffer[] {
  if (value instanceof Uint8Array) {
    const { buffer } = value;
    return buffer instanceof ArrayBuffer && buffer.byteLength === value.byteLength ? [buffer] : [];
  }
  if (levels === 0 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner) => buffersOf(inner, levels - 1));
}
