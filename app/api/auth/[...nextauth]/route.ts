import { z } from "zod";
import { runNextAuth } from "@/lib/auth/sessions/run-next-auth";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import { createRequestCtx } from "@/lib/http/admit-request";
import { problemResponse, toAppError } from "@/lib/http/problem";
import { parseWith, readBytes } from "@/lib/http/read-body";
import { signInRules } from "@/lib/http/sign-in-rules";
import { JsonObject } from "@/lib/skill-format/schema";

const Fields = z.record(z.string(), z.string());

const MAX_BODY_BYTES = 16 * 1024;

type Context = { params: Promise<{ nextauth: string[] }> };

async function handle(request: Request, context: Context): Promise<Response> {
  const requestId = request.headers.get("x-request-id") ?? newId();
  try {
    const ctx = await createRequestCtx(request, requestId);
    const fields = request.method === "POST" ? await readForm(request, MAX_BODY_BYTES) : {};
    const response = await runNextAuth(ctx, {
      request,
      path: (await context.params).nextauth,
      fields,
      rules: await signInRules(ctx),
    });
    response.headers.set("x-request-id", requestId);
    return response;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.status >= 500) logger.error({ requestId, err: error.cause ?? thrown }, "a sign-in request failed");
    return problemResponse(error, requestId);
  }
}

/** next-auth answers itself, so this is not a `route()`; the definition still declares its access. */
const definition = {
  access: "public",
  summary: "Sign-in and sign-out (next-auth)",
  params: z.object({ nextauth: z.string().describe("`csrf`, `session`, `callback/credentials` and others.") }),
  answer: JsonObject,
  media: ["text/html"],
} as const;
export const GET = Object.assign((request: Request, context: Context) => handle(request, context), { definition });
export const POST = Object.assign((request: Request, context: Context) => handle(request, context), {
  definition: { ...definition, maxBodyBytes: MAX_BODY_BYTES },
});

/** Fields of a form body, or of a JSON body with string values. */
async function readForm(request: Request, maxBytes: number): Promise<Record<string, string>> {
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
