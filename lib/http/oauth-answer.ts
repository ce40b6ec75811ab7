import { recordRefusal } from "@/lib/audit/record-refusal";
import { OAuthError } from "@/lib/auth/oauth/describe-oauth";
import type { Ctx } from "@/lib/db/context";

/**
 * Answers in OAuth's format: the result of `work`, or an error of RFC 6749, section 5.2, with status 400, which is
 * recorded like every refusal. Not cacheable.
 */
export async function oauthAnswer(
  { ctx, request }: { ctx: Ctx; request: Request },
  status: number,
  work: () => Promise<object>,
): Promise<Response> {
  const headers = { "cache-control": "no-store" };
  try {
    return Response.json(await work(), { status, headers });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    await recordRefusal(ctx, { method: request.method, path: new URL(request.url).pathname, error });
    return Response.json({ error: error.oauthCode, error_description: error.message }, { status: 400, headers });
  }
}
