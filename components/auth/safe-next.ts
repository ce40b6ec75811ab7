const home = "/skills";
const anyOrigin = "http://skillgate.invalid";

/** The page to go to after sign-in: a path of this server, or the home page for anything else. */
export function safeNext(next: string | null | undefined): string {
  if (!next?.startsWith("/")) return home;
  let url: URL;
  try {
    url = new URL(next, anyOrigin);
  } catch {
    return home;
  }
  // Browsers read `//host` and `/\host` as other origins.
  if (url.origin !== anyOrigin || url.pathname.startsWith("//")) return home;
  if (/^\/(api|sign-in)(\/|$)/.test(url.pathname)) return home;
  return url.pathname + url.search + url.hash;
}
