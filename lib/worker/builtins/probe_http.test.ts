import { expect, it } from "vitest";
import * as probeHttp from "./probe_http";
import { callBuiltin } from "./testing/call-builtin";
import { serveHttp } from "./testing/serve-http";

const LOOPBACK = { env: { SKILLGATE_RUN_RANGES: "127.0.0.1" } };

it("reports status, headers without cookies and the time, and keeps no body", async () => {
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "x-served-by": "test", "set-cookie": "session=secret" }).end("a body of some length");
  });
  const result = await callBuiltin(probeHttp, { url }, LOOPBACK);
  expect(result).toMatchObject({ ok: true, status: 200, bodyBytes: 21, address: "127.0.0.1", error: null });
  expect(result.headers).toMatchObject({ "x-served-by": "test" });
  expect(JSON.stringify(result)).not.toContain("secret");
  expect(JSON.stringify(result)).not.toContain("a body");
});

it("does not follow a redirect, and a status that was not expected is not ok", async () => {
  const url = await serveHttp((_request, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  });
  expect(await callBuiltin(probeHttp, { url }, LOOPBACK)).toMatchObject({ ok: true, status: 302 });
  expect(await callBuiltin(probeHttp, { url, expect_status: 200 }, LOOPBACK)).toMatchObject({ ok: false, status: 302 });
});

it("reports a server that does not answer in time, and a refused connection", async () => {
  const silent = await serveHttp(() => {});
  expect(await callBuiltin(probeHttp, { url: silent, timeout_ms: 100 }, LOOPBACK)).toMatchObject({
    ok: false,
    status: null,
    error: { code: "timed_out" },
  });
  expect(await callBuiltin(probeHttp, { url: "http://127.0.0.1:1/" }, LOOPBACK)).toMatchObject({
    ok: false,
    error: { code: "ECONNREFUSED" },
  });
});

it("refuses what is no web address, and one with a password", async () => {
  await expect(callBuiltin(probeHttp, { url: "file:///etc/passwd" })).rejects.toThrow("not an http or https address");
  await expect(callBuiltin(probeHttp, { url: "http://a:b@127.0.0.1/" })).rejects.toThrow("user name or a password");
});
