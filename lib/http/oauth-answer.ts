import { recordRefusal } from "@/lib/audit/record-refusal";
import { OAuthError } from "@/lib/auth/oauth/describe-oauth";
import type { Ctx } from "@/lib/db/context";

/**
 * Answers a program in OAuth's own words: what `work` gives, or the error of RFC 6749 section 5.2 with status 400, which is
 * recorded like every refusal. Nothing of it may be kept by a cache.
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
