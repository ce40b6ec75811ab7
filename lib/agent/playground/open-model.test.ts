import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { boundedFetch } from "./open-model";

const MEBIBYTE = Buffer.alloc(1024 * 1024);

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test("an answer comes as it is, and redirects are not followed", async () => {
  const url = await serve((request, response) => {
    if (request.method === "GET") response.writeHead(307, { location: "/elsewhere" }).end();
    else response.writeHead(201, { "retry-after": "3" }).end(Buffer.concat([MEBIBYTE, MEBIBYTE]));
  });
  const response = await boundedFetch(url, { method: "POST" });
  expect([response.status, response.headers.get("retry-after")]).toEqual([201, "3"]);
  expect((await response.arrayBuffer()).byteLength).toBe(2 * MEBIBYTE.length);
  await expect(boundedFetch(url)).rejects.toMatchObject({ cause: { message: expect.stringContaining("redirect") } });
});

test("an answer of more than 32 MiB is not read to its end", async () => {
  let sent = 0;
  let onClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  const url = await serve((_request, response) => {
    const send = () => {
      if (sent++ < 1_000 && !response.destroyed) response.write(MEBIBYTE, send);
    };
    response.once("close", onClosed);
    send();
  });
  const response = await boundedFetch(url);
  await expect(response.arrayBuffer()).rejects.toThrow("32 MiB");
  await closed;
  expect(sent).toBeLessThan(100);
});
