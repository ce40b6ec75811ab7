const SITE = "http://127.0.0.1:3000";
const MAX_REDIRECTS = 12;

type Call = (
  method: string,
  address: string,
  options?: { headers?: Record<string, string>; body?: BodyInit },
) => Promise<Response>;

/** Browsers for sign-ins: addresses of this site go to the route handlers, others over loopback. */
export function signInBrowsers(call: Call) {
  return () => {
    const jars = new Map<string, Map<string, string>>();

    const cookieOf = (origin: string) => [...jarOf(jars, origin)].map(([name, value]) => `${name}=${value}`).join("; ");
    const keep = (origin: string, response: Response) => {
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
        if (value === "" || /max-age=0/i.test(line)) jarOf(jars, origin).delete(name);
        else jarOf(jars, origin).set(name, value);
      }
      return response;
    };

    const send = async (method: string, path: string, form?: Record<string, string>): Promise<Response> => {
      const cookie = cookieOf(SITE);
      const headers: Record<string, string> = { "sec-fetch-site": "same-origin", ...(cookie ? { cookie } : {}) };
      if (form) headers["content-type"] = "application/x-www-form-urlencoded";
      const body = form ? { body: new URLSearchParams(form).toString() } : {};
      return keep(SITE, await call(method, path, { headers, ...body }));
    };

    const begin = async (provider: string, fields: Record<string, string> = {}): Promise<string> => {
      const { csrfToken } = await (await send("GET", "/api/auth/csrf")).json();
      const response = await send("POST", `/api/auth/signin/${provider}`, { csrfToken, json: "true", ...fields });
      return (await response.json()).url;
    };

    /** Follows the provider's redirects back to this site and returns that address. */
    const follow = async (start: string): Promise<string> => {
      let address = start;
      for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
        const { origin } = new URL(address);
        if (origin === SITE) return address.slice(SITE.length);
        const response = keep(
          origin,
          await fetch(address, { redirect: "manual", headers: { cookie: cookieOf(origin) } }),
        );
        const location = response.headers.get("location");
        if (location === null) throw new Error(`${response.status} ${await response.text()}`);
        address = new URL(location, address).href;
      }
      throw new Error("The provider never sent the browser back.");
    };

    const signIn = async (provider: string, fields?: Record<string, string>): Promise<string> =>
      land(await send("GET", await follow(await begin(provider, fields))));

    const person = async (): Promise<string | null> =>
      (await (await send("GET", "/api/auth/session")).json()).user?.email ?? null;

    return { jar: jarOf(jars, SITE), send, begin, follow, signIn, person };
  };
}

/** Path of this site that an answer redirects to. */
export function land(response: Response): string {
  const { origin, pathname, search } = new URL(response.headers.get("location") ?? "none:", SITE);
  if (response.status !== 302 || origin !== SITE) throw new Error(`${response.status} leads to ${origin}${pathname}`);
  return `${pathname}${search}`;
}

function jarOf(jars: Map<string, Map<string, string>>, origin: string): Map<string, string> {
  const jar = jars.get(origin) ?? new Map<string, string>();
  jars.set(origin, jar);
  return jar;
}
