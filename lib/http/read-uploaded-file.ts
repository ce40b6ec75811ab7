import { AppError } from "@/lib/core/errors";
import { MAX_PACKED_BYTES } from "@/lib/skill-format/archive/limits";

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
