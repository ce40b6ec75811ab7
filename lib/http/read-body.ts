import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { fieldErrors } from "@/lib/core/field-errors";
import { MAX_PACKED_BYTES } from "@/lib/skill-format/archive/limits";
import { untilTooSlow } from "./observe/observe-request";

/**
 * Reads a request body and stops at `maxBytes` with `too_large`, whatever the length header says. `request_timeout` when it
 * arrives too slowly, `malformed` when the client hangs up before its end.
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // Node takes no more off the connection than was announced, so that this body needs no watching.
  const reading = declared === null ? collect(request, maxBytes) : request.arrayBuffer();
  const work = reading.catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    throw new AppError("malformed", "The connection was closed before the whole body had arrived.", { cause });
  });
  const bytes = new Uint8Array(await untilTooSlow(request.headers, work, tooSlow));
  if (Number(declared ?? 0) > 0 && bytes.length !== Number(declared)) {
    throw new AppError("malformed", `The body has ${bytes.length} bytes, ${declared} were announced.`);
  }
  return bytes;
}

/** Leaving the loop early must not cut the connection: the answer is still to come. */
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

/** The body as JSON; `unsupported_type` unless it is announced as such, `malformed` when it is not. An empty body is `{}`. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  if (type !== "application/json") {
    throw new AppError("unsupported_type", `Send application/json, not ${type ?? "a body without a content type"}.`);
  }
  try {
    return JSON.parse(decode(bytes));
  } catch (cause) {
    throw new AppError("malformed", "The body is not valid JSON in UTF-8.", { cause });
  }
}

/** A byte order mark at the beginning is left out. */
function decode(bytes: Uint8Array<ArrayBuffer>): string {
  if (!isUtf8(bytes)) throw new TypeError("not UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
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
  const others = errors.length === 1 ? "" : ` ${errors.length - 1} more fields do not fit.`;
  throw new AppError(code, `${errors[0]?.message}${others}`, { errors });
}

function tooSlow(): AppError {
  return new AppError(
    "request_timeout",
    "The body arrived more slowly than 512 bytes a second. Send it again over a faster link.",
    // What is left of the body would otherwise be taken for the next request.
    { headers: { connection: "close" } },
  );
}

function tooLarge(maxBytes: number): AppError {
  const limit =
    maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MiB` : `${Math.floor(maxBytes / 1024)} KiB`;
  return new AppError("too_large", `The body is larger than ${limit}, the limit here.`);
}

/**
 * The one file of a multipart/form-data body (RFC 7578), in the field `file`; at most 20 MiB.
 */
export async function readUploadedFile(
  request: Request,
  body: Uint8Array<ArrayBuffer>,
): Promise<{ filename: string; bytes: Uint8Array }> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new AppError("unsupported_type", "Send multipart/form-data with the archive in the field “file”.");
  }
  const form = await new Response(body, { headers: { "content-type": contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError("malformed", "The multipart body is broken or cut short.", { cause });
    });
  const files = form.getAll("file");
  const [file] = files;
  if (files.length !== 1 || !(file instanceof File)) {
    throw new AppError("invalid", "Send exactly one file, in the field “file”.", {
      errors: [{ path: "file", message: "one file is required" }],
    });
  }
  if (file.size > MAX_PACKED_BYTES) {
    throw new AppError(
      "too_large",
      `The file has ${file.size} bytes; the limit is ${MAX_PACKED_BYTES / 1024 / 1024} MiB.`,
    );
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { filename: file.name || "upload", bytes };
}
