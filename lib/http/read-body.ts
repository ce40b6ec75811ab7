import type { z } from "zod";
import { AppError, type FieldError } from "@/lib/core/errors";

/** Reads a request body and stops at `maxBytes` with `too_large`, whatever the length header says. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  if (declared > 0 && size !== declared)
    throw new AppError("malformed", `The body has ${size} bytes, ${declared} were announced.`);
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
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
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("malformed", "The body is not valid JSON in UTF-8.", { cause });
  }
}

/** Parses with a schema; `code` says which status a mismatch answers with (`invalid` for bodies, `malformed` for queries). */
export function parseWith<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: "invalid" | "malformed",
  what: string,
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors: FieldError[] = parsed.error.issues.map((issue) => ({
    path: issue.path.join("."),
    message: issue.message,
  }));
  const first = errors[0];
  throw new AppError(
    code,
    `The ${what} is not valid${first ? `: ${first.path ? `${first.path} ` : ""}${first.message}` : ""}.`,
    { errors },
  );
}

function tooLarge(maxBytes: number): AppError {
  const limit =
    maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MiB` : `${Math.floor(maxBytes / 1024)} KiB`;
  return new AppError("too_large", `The body is larger than ${limit}, the limit here.`);
}
