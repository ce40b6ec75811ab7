/** The address of a page of this site to go to after signing in or out; its first page for anything else. */
export function pageAddress(url: string, baseUrl: string): string {
  if (!URL.canParse(url, baseUrl)) return baseUrl;
  const { origin, pathname, search, hash } = new URL(url, baseUrl);
  const isPage = origin === new URL(baseUrl).origin && !pathname.startsWith("//") && !/^\/api(\/|$)/.test(pathname);
  return isPage ? `${origin}${pathname}${search}${hash}` : baseUrl;
}
