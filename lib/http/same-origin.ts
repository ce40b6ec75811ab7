import { AppError } from "@/lib/core/errors";

/**
 * Refuses a cookie-authenticated write that another site caused. Browsers send `Sec-Fetch-Site`; without it, `Origin`
 * must be this server's own. `Origin: null` is foreign, and a write with neither header is too.
 */
export function assertSameOrigin(request: Request, publicUrl: string): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = request.headers.get("origin");
  if (site === null && origin !== null && allowedOrigins(request, publicUrl).includes(origin)) return;
  throw new AppError("cross_origin", "A signed-in browser may change things only from this site’s own pages.");
}

function allowedOrigins(request: Request, publicUrl: string): string[] {
  const host = request.headers.get("host");
  const own = new URL(publicUrl).origin;
  return host === null ? [own] : [own, `${new URL(publicUrl).protocol}//${host}`];
}
