import { afterEach, expect, test, vi } from "vitest";
import { api } from "@/lib/client/api";
import { auditFacetsQuery, auditHistogramQuery, auditPagesQuery, auditViewsQuery } from "@/lib/client/audit";
import { catalogPacksQuery, catalogQuery } from "@/lib/client/catalog";
import { meQuery } from "@/lib/client/me";
import { reviewsQuery } from "@/lib/client/reviews";
import { runPagesQuery, runQuery } from "@/lib/client/runs";
import { skillQuery, skillsQuery } from "@/lib/client/skills";
import { versionQuery } from "@/lib/client/versions";
import { earlyRequestsScript } from "./start-script";

afterEach(() => {
  vi.unstubAllGlobals();
  globalThis.__earlyAnswers = undefined;
});

/** Runs the script on a page; returns what the server is asked, then and later. */
function open(address: string, responseStatus = 200): string[] {
  const { pathname, search } = new URL(address, "http://skillgate.test");
  const asked: string[] = [];
  vi.stubGlobal("location", { pathname, search });
  vi.stubGlobal("performance", { now: () => 0, getEntriesByType: () => [{ responseStatus }] });
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({ items: [], path });
  });
  // biome-ignore lint/security/noGlobalEval: the text of the script, as a browser runs it
  globalThis.eval(earlyRequestsScript());
  return asked;
}

type Query = { queryFn?: unknown };
const run = ({ queryFn }: Query) =>
  (queryFn as (context: object) => Promise<unknown>)({ pageParam: null, signal: new AbortController().signal });

test.each<[page: string, queries: Query[]]>([
  ["/skills", [skillsQuery({ builtin: false }), skillsQuery({ builtin: true })]],
  ["/skills/me%2Fcsv?tab=files", [skillQuery("me/csv")]],
  ["/skills/csv/run", [skillQuery("csv")]],
  ["/catalog", [catalogQuery({}), catalogPacksQuery]],
  ["/runs", [runPagesQuery({})]],
  ["/runs/r1", [runQuery("r1")]],
  ["/reviews", [reviewsQuery]],
  ["/reviews/s1/sha256abc", [skillQuery("s1"), versionQuery("s1", "sha256abc")]],
  ["/audit", [auditPagesQuery({}, null), auditHistogramQuery({}, null), auditFacetsQuery, auditViewsQuery]],
])("%s asks once for what its queries ask", async (page, queries) => {
  const asked = open(page);
  const early = [...asked];
  await Promise.all([...queries, meQuery].map(run));
  expect(asked).toEqual(early);
  expect(globalThis.__earlyAnswers).toEqual({});
});

test("asks again for what was taken, and for lists with filters", async () => {
  const asked = open("/runs/r1");
  await run(runQuery("r1"));
  await run(runQuery("r1"));
  expect(asked).toEqual(["/api/runs/r1", "/api/me", "/api/runs/r1"]);
  expect(open("/skills?q=csv")).toEqual(["/api/me"]);
});

test.each(["/sign-in", "/setup/abc", "/docs/api"])("%s asks nothing", (page) => {
  expect(open(page)).toEqual([]);
});

test("a page that was refused asks nothing", () => {
  expect(open("/reviews", 403)).toEqual([]);
});

test("asks again when the server could not be reached at first", async () => {
  open("/runs/r1");
  globalThis.__earlyAnswers = { "/api/runs/r1": Promise.resolve(null) };
  expect(await api("/api/runs/r1")).toMatchObject({ path: "/api/runs/r1" });
});
