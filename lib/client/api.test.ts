import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, answerOf, api, listOf, withQuery } from "./api";

const fetchMock = vi.fn<typeof fetch>();
const assign = vi.fn();

beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock);
  vi.stubGlobal("window", { location: { pathname: "/skills/csv-summary", search: "?tab=files", assign } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

function problem(status: number, body: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error("expected an ApiError");
  return error;
}

test("sends JSON and returns the answer", async () => {
  fetchMock.mockResolvedValue(Response.json({ id: "1" }));
  const answer = await api("/api/skills", {
    method: "POST",
    body: { name: "a" },
    shape: answerOf<{ id: string }>(),
  });
  expect(answer).toEqual({ id: "1" });
  const [path, init] = fetchMock.mock.calls[0] ?? [];
  expect(path).toBe("/api/skills");
  expect(init).toMatchObject({ method: "POST", body: '{"name":"a"}', credentials: "same-origin" });
  expect(init?.headers).toMatchObject({ "content-type": "application/json" });
});

test("leaves the content type of a form to the browser", async () => {
  fetchMock.mockResolvedValue(new Response(null, { status: 204 }));
  const body = new FormData();
  expect(await api("/api/skills/import", { method: "POST", body })).toBeUndefined();
  const [, init] = fetchMock.mock.calls[0] ?? [];
  expect(init?.body).toBe(body);
  expect(init?.headers).not.toHaveProperty("content-type");
});

test("reads a problem: code, detail, field errors, request id and the wait", async () => {
  fetchMock.mockResolvedValue(
    problem(
      429,
      { code: "rate_limited", detail: "Too many runs.", errors: [{ path: "args.file", message: "is missing" }, 7] },
      { "x-request-id": "req-1", "retry-after": "30" },
    ),
  );
  const error = await failureOf(api("/api/skills/1/runs", { method: "POST", body: {} }));
  expect(error).toMatchObject({
    status: 429,
    code: "rate_limited",
    detail: "Too many runs.",
    requestId: "req-1",
    retryAfterSeconds: 30,
    errors: [{ path: "args.file", message: "is missing" }],
  });
  expect(error.fieldError("args.file")).toBe("is missing");
  expect(assign).not.toHaveBeenCalled();
});

test("keeps the status of an answer that is no problem document", async () => {
  fetchMock.mockResolvedValue(
    new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } }),
  );
  expect(await failureOf(api("/api/runs"))).toMatchObject({ status: 502, code: "http_502" });
});

test("goes to sign-in on 401 and comes back to the page", async () => {
  fetchMock.mockResolvedValue(problem(401, { code: "unauthenticated", detail: "Sign in." }));
  await failureOf(api("/api/me"));
  expect(assign).toHaveBeenCalledWith("/sign-in?next=%2Fskills%2Fcsv-summary%3Ftab%3Dfiles");
});

test("stays on 401 when asked to", async () => {
  fetchMock.mockResolvedValue(problem(401, { code: "unauthenticated", detail: "Sign in." }));
  await failureOf(api("/api/setup", { signInOn401: false }));
  expect(assign).not.toHaveBeenCalled();
});

test.each([
  [
    "no connection",
    () => fetchMock.mockRejectedValue(new TypeError("Failed to fetch")),
    { status: 0, code: "unreachable" },
  ],
  [
    "another shape",
    () => fetchMock.mockResolvedValue(Response.json(["1"], { headers: { "x-request-id": "req-2" } })),
    { status: 200, code: "unexpected_answer", requestId: "req-2" },
  ],
  ["cut JSON", () => fetchMock.mockResolvedValue(new Response('{"id"')), { status: 200, code: "unexpected_answer" }],
])("turns %s into an ApiError", async (_name, arrange, expected) => {
  arrange();
  expect(await failureOf(api("/api/skills/1", { shape: answerOf() }))).toMatchObject(expected);
});

test("takes a list only with its items", async () => {
  fetchMock.mockImplementation(async () => Response.json({ items: [1], nextCursor: null }));
  expect(await api("/api/skills", { shape: listOf<{ items: number[] }>() })).toEqual({ items: [1], nextCursor: null });
  fetchMock.mockImplementation(async () => Response.json({ item: 1 }));
  expect(await failureOf(api("/api/skills", { shape: listOf() }))).toMatchObject({ code: "unexpected_answer" });
});

test("passes an abort on as it is", async () => {
  fetchMock.mockRejectedValue(new DOMException("Aborted", "AbortError"));
  await expect(api("/api/skills")).rejects.toMatchObject({ name: "AbortError" });
});

test("builds a query without empty values", () => {
  expect(withQuery("/api/skills", { q: "a b", source: null, tag: ["x", "y"], limit: 8, class: "" })).toBe(
    "/api/skills?q=a+b&tag=x&tag=y&limit=8",
  );
  expect(withQuery("/api/skills", {})).toBe("/api/skills");
});
