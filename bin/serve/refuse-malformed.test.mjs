import { createServer, get } from "node:http";
import { connect } from "node:net";
import { afterAll, expect, it } from "vitest";
import { refuseMalformed } from "./refuse-malformed.mjs";

const server = createServer((request, response) => {
  if (!refuseMalformed(request, response)) response.end("passed on");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.close());

/** `fetch` would normalise the address before it sends it. */
function ask(path) {
  return new Promise((resolve, reject) => {
    get({ port: server.address().port, host: "127.0.0.1", path }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, type: response.headers["content-type"], body }));
    }).once("error", reject);
  });
}

it.each([
  "/api/skills/%",
  "/api/skills/%2",
  "/api/skills/%zz",
  "/api/skills/%ED%A0%80",
  "/api/skills/%C0%AF?q=1",
  "/api/%ff",
])("the API answers %s with a problem", async (path) => {
  const { status, type, body } = await ask(path);
  expect([status, type]).toEqual([400, "application/problem+json"]);
  expect(JSON.parse(body)).toMatchObject({ status: 400, code: "malformed", requestId: expect.any(String) });
});

it.each(["/%", "/skills/%ED%A0%80", "/apiary/%"])("a page answers %s with a text", async (path) => {
  const { status, type, body } = await ask(path);
  expect([status, type]).toEqual([400, "text/plain; charset=utf-8"]);
  expect(body).toContain("percent escape");
});

it.each(["/", "/api/skills/%2F%25", "/skills/caf%C3%A9", "/search?q=%", "/a?b=%ff"])(
  "%s is passed on",
  async (path) => {
    expect((await ask(path)).body).toBe("passed on");
  },
);

/** `fetch` and the URLs of Node's client would not send these. */
function askLine(line) {
  return new Promise((resolve, reject) => {
    const socket = connect(server.address().port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("end", () => resolve(text));
    socket.once("error", reject);
    socket.write(`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  });
}

it.each([
  ["GET *", 400],
  ["OPTIONS *", 400],
  ["TRACE /api/me", 405],
])("%s is answered with %i", async (line, status) => {
  expect(await askLine(line)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

it.each(["GET /skills", "GET http://a/skills", "PROPFIND /skills"])("%s is passed on", async (line) => {
  expect(await askLine(line)).toContain("passed on");
});
