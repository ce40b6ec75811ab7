import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { atFileEnd } from "@/lib/testing/at-file-end";
import { listenLocally } from "@/lib/testing/providers/listen-locally";
import { guardedFetch } from "./guarded-fetch";

async function serve(listener: RequestListener): Promise<string> {
  const server = await listenLocally();
  server.handle(listener);
  atFileEnd(server.close);
  return server.url;
}

test("an answer over the limit is a 413, also when it is compressed", async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const url = await serve((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  });
  const response = await guardedFetch({ timeoutMs: 10_000, maxBytes: 100_000 })(url);
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({ message: "The answer is larger than 100000 bytes." });
});

test("a slow answer is ended by the time limit", async () => {
  const url = await serve((_request, response) => {
    const timer = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(timer));
  });
  const dripping = guardedFetch({ timeoutMs: 300, maxBytes: 100_000 })(url);
  await expect(dripping).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a redirect is returned and not followed", async () => {
  const url = await serve((request, response) => {
    if (request.url !== "/") throw new Error("it was followed");
    response.writeHead(302, { location: "/elsewhere" }).end();
  });
  const response = await guardedFetch({ timeoutMs: 10_000, maxBytes: 100_000 })(url);
  expect([response.status, response.headers.get("location")]).toEqual([302, "/elsewhere"]);
});
