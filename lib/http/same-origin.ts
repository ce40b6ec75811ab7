import { AppError } from "@/lib/core/errors";

/**
 * Refuses cookie-authenticated writes from other sites. Browsers send `Sec-Fetch-Site`; without it `Origin` must be
 * this server's. `Origin: null`, or neither header, is refused.
 */
export function assertSameOrigin(request: Request, publicUrl: string): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = request.headers.get("origin");
  if (site === null && origin !== null && allowedOrigins(request, publicUrl).includes(origin)) return;
  throw new AppError("cross_origin", "This change came from another site. Use the pages of this server.");
}

function allowedOrigins(request: Request, publicUrl: string): string[] {
  const host = request.headers.get("host");
  const own = new URL(publicUrl).origin;
  return host === null ? [own] : [own, `${new URL(publicUrl).protocol}//${host}`];
}
