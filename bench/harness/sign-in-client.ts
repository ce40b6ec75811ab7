import { openCaller } from "./call-api";

type Guess = { status: number; retryAfter: number; ms: number; cookie: string | null };
export type SignInClient = {
  guess(email: string, password: string, from: string): Promise<Guess>;
  close(): void;
};

/** Signs in like the page. The server must be started with `SKILLGATE_TRUSTED_PROXIES=127.0.0.1`. */
export async function openSignIn(url: string): Promise<SignInClient> {
  const caller = openCaller(url, null);
  const csrf = await caller.call("GET", "/api/auth/csrf");
  const { csrfToken } = JSON.parse(csrf.text) as { csrfToken: string };
  const cookie = cookiesOf(csrf.headers["set-cookie"]);
  return {
    guess: async (email, password, from) => {
      const startedAt = performance.now();
      const body = new URLSearchParams({ csrfToken, email, password, json: "true" }).toString();
      const answer = await caller.call("POST", "/api/auth/callback/credentials", {
        body,
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          cookie,
          "x-forwarded-for": from,
          origin: url,
          "sec-fetch-site": "same-origin",
        },
      });
      const set = answer.status === 200 ? cookiesOf(answer.headers["set-cookie"]) : null;
      const retryAfter = Number(answer.headers["retry-after"] ?? 0);
      return { status: answer.status, retryAfter, ms: performance.now() - startedAt, cookie: set };
    },
    close: () => caller.close(),
  };
}

function cookiesOf(header: string | string[] | undefined): string {
  return [header ?? []]
    .flat()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}
