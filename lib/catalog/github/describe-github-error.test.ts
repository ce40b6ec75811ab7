import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { z } from "zod";
import { atFileEnd } from "@/lib/testing/at-file-end";
import { listenLocally } from "@/lib/testing/providers/listen-locally";
import { createGitHubApi } from "./create-api";
import { createRawReader } from "./create-raw-reader";
import { describeErrorStatus, describeNetworkError } from "./describe-github-error";
import { createRateLimitGuard } from "./rate-limit";

async function serve(listener: RequestListener): Promise<string> {
  const server = await listenLocally();
  server.handle(listener);
  atFileEnd(server.close);
  return server.url;
}

async function closedPort(): Promise<string> {
  const server = await listenLocally();
  server.close();
  return server.url;
}

/** Requests a repository from `apiUrl` and a file from `rawUrl`, as the operator's addresses, and returns both errors. */
async function errorsOf(url: string, token: string | null = null) {
  process.env.GITHUB_API_URL = url;
  process.env.GITHUB_RAW_URL = url;
  const options = {
    hosts: { apiUrl: url, rawUrl: url, webUrl: url },
    token,
    rateLimitGuard: createRateLimitGuard(),
    timeoutMs: 300,
    retryDelayMs: 1,
  };
  const what = "the repository acme/skills";
  const api = createGitHubApi(options).get({ what, path: "/repos/acme/skills", values: {}, schema: z.unknown() });
  const file = { owner: "acme", repo: "skills", commit: "c".repeat(40), path: "SKILL.md", isPrivate: false };
  const raw = createRawReader(options, 1_000).read(file);
  const [first, second] = await Promise.allSettled([api, raw]);
  if (first.status !== "rejected" || second.status !== "rejected") throw new Error("expected two errors");
  return { host: new URL(url).host, api: first.reason, raw: second.reason };
}

test("a name that does not resolve", async () => {
  const { api, raw } = await errorsOf("https://github.invalid");
  expect(api).toMatchObject({
    code: "connection",
    message:
      "GitHub could not be reached (github.invalid: name not found). Check the server’s network or set GITHUB_API_URL.",
  });
  expect(raw.message).toBe(
    "GitHub could not be reached (github.invalid: name not found). Check the server’s network or set GITHUB_RAW_URL.",
  );
});

test("a port that refuses connections", async () => {
  const { host, api, raw } = await errorsOf(await closedPort());
  const start = `GitHub could not be reached (${host}: connection refused). Check the server’s network or set`;
  expect(api).toMatchObject({ code: "connection", message: `${start} GITHUB_API_URL.` });
  expect(raw).toMatchObject({ code: "connection", message: `${start} GITHUB_RAW_URL.` });
});

test("a server that never answers", async () => {
  const { host, api, raw } = await errorsOf(await serve(() => undefined));
  expect(api).toMatchObject({
    code: "timeout",
    message: `GitHub did not answer in time (${host}, while reading the repository acme/skills). Check the server’s network, or try again later.`,
  });
  expect(raw).toMatchObject({ code: "timeout", message: expect.stringContaining("while reading SKILL.md at ccccccc") });
});

test("a connection that is cut", async () => {
  const { host, api } = await errorsOf(await serve((request) => request.socket.destroy()));
  expect(api.code).toBe("connection");
  expect(api.message).toMatch(/^The connection to GitHub broke while reading the repository acme\/skills \(/);
  expect(api.message).toContain(host);
});

test("a server that does not speak TLS", async () => {
  const plain = await serve((_request, response) => response.end());
  const { host, api } = await errorsOf(plain.replace("http:", "https:"));
  expect(api).toMatchObject({
    code: "connection",
    message: `GitHub could not be reached (${host}: TLS failed). Check GITHUB_API_URL.`,
  });
});

const endpoint = { host: "ghe.example", variable: "GITHUB_API_URL" } as const;
const what = "the repository acme/skills";

test.each([
  ["EAI_AGAIN", "name not found). Check the server’s network or set GITHUB_API_URL."],
  ["ENETUNREACH", "no route to the host). Check the server’s network or set GITHUB_API_URL."],
  ["ETIMEDOUT", "connection timed out). Check the server’s network or set GITHUB_API_URL."],
  ["CERT_HAS_EXPIRED", "its TLS certificate has expired). Renew it, or change GITHUB_API_URL."],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its TLS certificate is for another name). Check GITHUB_API_URL."],
  [
    "SELF_SIGNED_CERT_IN_CHAIN",
    "its TLS certificate is not trusted, SELF_SIGNED_CERT_IN_CHAIN). Name the file of its authority in NODE_EXTRA_CA_CERTS, or change GITHUB_API_URL.",
  ],
  ["EPROTO", "TLS failed). Check GITHUB_API_URL."],
])("the system error %s", (code, end) => {
  const cause = Object.assign(new Error("the system's words"), { code });
  const error = new TypeError("fetch failed", { cause });
  expect(describeNetworkError(error, { what, endpoint })).toMatchObject({
    code: "connection",
    message: `GitHub could not be reached (ghe.example: ${end}`,
  });
});

const now = new Date("2026-11-23T12:00:00Z");
const inAnHour = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now.getTime() / 1000 + 3_599) };
const until = "GitHub’s rate limit is used up until 2026-11-23T13:00:00.000Z.";

test.each([
  [401, {}, false, "token_refused", `GitHub requires a token to read ${what}. Set a GitHub token.`],
  [401, {}, true, "token_refused", "GitHub refused the stored token. Set a new GitHub token."],
  [403, {}, false, "forbidden", `GitHub does not allow reading ${what}. Set a GitHub token that may read it.`],
  [403, {}, true, "forbidden", `GitHub does not allow reading ${what}. Check the permissions of the stored token.`],
  [
    404,
    {},
    false,
    "not_found",
    `GitHub does not find ${what}. Check its name. A private repository needs a GitHub token.`,
  ],
  [404, {}, true, "not_found", `GitHub does not find ${what}. Check its name, and that the stored token may read it.`],
  [403, inAnHour, false, "rate_limited", `${until} Try again then, or set a GitHub token to raise the limit.`],
  [429, { "retry-after": "3600" }, true, "rate_limited", `${until} Try again then.`],
  [503, {}, true, "upstream_unavailable", `GitHub failed (ghe.example answered 503 for ${what}). Try again later.`],
  [418, {}, true, "unexpected_status", `GitHub answered 418 for ${what}. Check GITHUB_API_URL.`],
] as [number, Record<string, string>, boolean, string, string][])(
  "status %i with headers %j and token %s",
  (status, headers, hasToken, code, message) => {
    const given = { status, headers: new Headers(headers), message: "" };
    expect(describeErrorStatus(given, { what, endpoint, hasToken, now })).toMatchObject({ code, message });
  },
);

test("GitHub’s own words are quoted, without the link to its documentation", () => {
  const message = "Git Repository is empty. - https://docs.github.com/rest";
  const given = { status: 409, headers: new Headers(), message };
  expect(describeErrorStatus(given, { what, endpoint, hasToken: false, now }).message).toBe(
    `GitHub reports that ${what} is empty or not ready (“Git Repository is empty”). Push a commit first.`,
  );
});
