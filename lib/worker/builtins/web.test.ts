import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { callBuiltin } from "./testing/call-builtin";
import { serveHttp } from "./testing/serve-http";
import * as webFetch from "./web_fetch";
import * as webSearch from "./web_search";

const PRIVATE = { env: { SKILLGATE_RUN_RANGES: "127.0.0.0/8" } };
const PAGE = `<!doctype html><html><head><title>Rain &amp; snow</title><style>p{}</style></head>
<body><nav>menu</nav><h1>Today</h1><p>It   rains&nbsp;&mdash; a lot.</p><script>alert(1)</script><!-- gone --><p>5 &lt; 6</p></body></html>`;

it("web_fetch refuses addresses of the own network unless the operator allows them", async () => {
  let requests = 0;
  const url = await serveHttp((_request, response) => {
    requests += 1;
    response.end("inside");
  });
  for (const address of [url, url.replace("127.0.0.1", "localhost")]) {
    expect(await callBuiltin(webFetch, { url: address })).toMatchObject({ error: { code: "address_not_allowed" } });
  }
  expect(requests).toBe(0);
  expect(await callBuiltin(webFetch, { url }, PRIVATE)).toMatchObject({ status: 200, text: "inside" });
});

it("web_fetch gives the readable text of a compressed page, behind a redirect", async () => {
  const url = await serveHttp((request, response) => {
    if (request.url === "/") response.writeHead(301, { location: "/page" }).end();
    else {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" });
      response.end(gzipSync(PAGE));
    }
  });
  const result = await callBuiltin(webFetch, { url }, PRIVATE);
  expect(result).toMatchObject({ url: `${url}/page`, redirects: [`${url}/`], title: "Rain & snow", truncated: false });
  expect(result.text).toBe("Today\n\nIt rains — a lot.\n\n5 < 6");
});

it("web_fetch bounds what a small compressed answer becomes, redirects, and time", async () => {
  const url = await serveHttp((request, response) => {
    if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (request.url === "/bomb") {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(20 * 1024 * 1024, "a")));
    } else if (request.url === "/picture") response.writeHead(200, { "content-type": "image/png" }).end("png");
  });
  const bomb = await callBuiltin(webFetch, { url: `${url}/bomb`, max_chars: 200_000 }, PRIVATE);
  expect([(bomb.text as string).length, bomb.truncated]).toEqual([200_000, true]);
  await expect(callBuiltin(webFetch, { url: `${url}/loop` }, PRIVATE)).rejects.toThrow("more than 5 redirects");
  await expect(callBuiltin(webFetch, { url: `${url}/picture` }, PRIVATE)).rejects.toThrow("which is not text");
  await expect(callBuiltin(webFetch, { url: `${url}/never`, timeout_ms: 500 }, PRIVATE)).rejects.toThrow(
    "within 500 ms",
  );
  await expect(callBuiltin(webFetch, { url: "ftp://127.0.0.1/" }, PRIVATE)).rejects.toThrow("not an http or https");
});

it("web_fetch takes time in proportion to a page of nothing but openings", async () => {
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<script <p <title ".repeat(60_000));
  });
  expect(await callBuiltin(webFetch, { url }, PRIVATE)).toMatchObject({ status: 200 });
});

it("web_search asks the configured SearXNG, and bounds what comes back", async () => {
  let asked = "";
  const url = await serveHttp((request, response) => {
    asked = request.url ?? "";
    const one = { title: "T".repeat(900), url: "https://example.org/", content: "c", engine: "e" };
    const results = [one, { title: "bad", url: "javascript:alert(1)" }, one, one];
    response.end(JSON.stringify({ results, suggestions: ["more"] }));
  });
  const result = await callBuiltin(
    webSearch,
    { query: "rain", count: 2, time_range: "week" },
    { env: { SEARXNG_URL: `${url}/` } },
  );
  expect(asked).toBe("/search?q=rain&time_range=week&format=json");
  expect(result.results).toHaveLength(2);
  expect(JSON.stringify(result)).not.toContain("javascript:");
  expect((result.results as { title: string }[])[0]?.title).toHaveLength(300);
});

it("web_search says what is missing", async () => {
  await expect(callBuiltin(webSearch, { query: "x" })).rejects.toThrow("the worker has no variable SEARXNG_URL");
  const url = await serveHttp((_request, response) => response.writeHead(403).end());
  await expect(callBuiltin(webSearch, { query: "x" }, { env: { SEARXNG_URL: url } })).rejects.toThrow("search.formats");
});
