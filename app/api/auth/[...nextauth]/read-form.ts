import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { parseWith, readBytes } from "@/lib/http/read-body";

const Fields = z.record(z.string(), z.string());

/** The fields of a form body, or of a JSON body that holds texts only. */
export async function readForm(request: Request, maxBytes: number): Promise<Record<string, string>> {
  const text = new TextDecoder().decode(await readBytes(request, maxBytes));
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") return Object.fromEntries(new URLSearchParams(text));
  if (type === "application/json") return parseWith(Fields, parseJson(text), "invalid", "body");
  if (text === "") return {};
  throw new AppError("unsupported_type", "Send application/x-www-form-urlencoded or application/json.");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("malformed", "The body is not valid JSON.", { cause });
  }
}
