import type { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { fieldErrors } from "@/lib/core/field-errors";
import { storeOf } from "@/lib/core/process-store";
import { runTask } from "@/lib/core/threads/run-task";
import { type FormField, parseJsonBytes, TASKS } from "@/lib/core/threads/tasks";
import { MAX_PACKED_BYTES } from "@/lib/skill-format/archive/limits";
import { untilTooSlow } from "./observe/observe-request";

/** Larger bodies are parsed in a thread. */
const MAX_INLINE_BYTES = 1024 * 1024;

/**
 * Reads a request body of at most `maxBytes`, ignoring a false length header. Throws `too_large`, `request_timeout` when it
 * arrives too slowly, `malformed` when the client disconnects early.
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // Node reads no more than the announced length.
  const reading = declared === null ? collect(request, maxBytes) : request.arrayBuffer();
  const work = reading.catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    throw new AppError("malformed", "The connection was closed before the whole body had arrived.", { cause });
  });
  const bytes = new Uint8Array(await untilTooSlow(request.headers, work, tooSlow));
  if (Number(declared ?? 0) > 0 && bytes.length !== Number(declared)) {
    throw new AppError("malformed", `The body has ${bytes.length} bytes, but Content-Length is ${declared}.`);
  }
  return bytes;
}

/** Leaving the loop early must not close the connection before the answer. */
async function collect(request: Request, maxBytes: number): Promise<ArrayBuffer> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return new Blob(chunks).arrayBuffer();
}

/**
 * Reads a JSON body. Throws `unsupported_type` without the content type, `malformed` for invalid JSON. An empty body is
 * `{}`.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  if (type !== "application/json") {
    throw new AppError("unsupported_type", `Send application/json, not ${type ?? "a body without a content type"}.`);
  }
  const parsed =
    bytes.length > MAX_INLINE_BYTES
      ? await runTask("json", { bytes }, { signal: request.signal })
      : parseJsonBytes(bytes);
  if ("value" in parsed) return parsed.value;
  if (parsed.problem === "malformed") throw new AppError("malformed", "The body is not valid JSON in UTF-8.");
  throw new AppError("too_large", "The body has more than 200,000 values or 1,000 levels. Send it in parts.");
}

/** Parses with a schema; `code` says how a mismatch answers (`invalid` for bodies, `malformed` for queries). */
export function parseWith<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: "invalid" | "malformed",
  what: "address" | "query" | "body",
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error, `The ${what}`);
  const others = errors.length === 1 ? "" : ` ${errors.length - 1} more fields are invalid.`;
  throw new AppError(code, `${errors[0]?.message}${others}`, { errors });
}

function tooSlow(): AppError {
  return new AppError(
    "request_timeout",
    "The body arrived more slowly than 512 bytes per second. Send it again over a faster connection.",
    // The rest of the body would be parsed as the next request.
    { headers: { connection: "close" } },
  );
}

function tooLarge(maxBytes: number): AppError {
  const limit =
    maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MiB` : `${Math.floor(maxBytes / 1024)} KiB`;
  return new AppError("too_large", `The body is larger than the limit of ${limit}.`);
}

/**
 * Returns the file of a multipart/form-data body (RFC 7578) in the field `file`, at most 20 MiB. May be called again for the
 * same body, which a thread has taken over.
 */
export async function readUploadedFile(
  request: Request,
  body: Uint8Array<ArrayBuffer>,
): Promise<{ filename: string; bytes: Uint8Array }> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new AppError("unsupported_type", "Send multipart/form-data with the archive in the field “file”.");
  }
  const form = await storeOf(body, "form-fields", () => readForm(request, body, contentType));
  if (form === null) throw new AppError("malformed", "The multipart body is broken or cut short.");
  const [found, ...others] = form.filter(({ field }) => field === "file");
  if (!found?.file || others.length > 0) {
    throw new AppError("invalid", "Send exactly one file in the field “file”.", {
      errors: [{ path: "file", message: "must be exactly one file" }],
    });
  }
  const { name, bytes } = found.file;
  if (bytes.length > MAX_PACKED_BYTES) {
    throw new AppError(
      "too_large",
      `The file has ${bytes.length} bytes; the limit is ${MAX_PACKED_BYTES / 1024 / 1024} MiB.`,
    );
  }
  return { filename: name || "upload", bytes };
}

function readForm(
  { signal }: Request,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<FormField[] | null> {
  const input = { bytes, contentType };
  return bytes.length > MAX_INLINE_BYTES ? runTask("form", input, { signal }) : TASKS.form(input);
}
