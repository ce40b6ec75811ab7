import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { apiOf, shellPack } from "../fixtures/api";
import { ADMIN, type App, startApp } from "../fixtures/start-app";

let app: App;
let skill: { id: string };

test.beforeAll(async () => {
  // The id of a request is taken over from a trusted proxy only, and the two answers are to have the same.
  app = await startApp({ env: { SKILLGATE_TRUSTED_PROXIES: "127.0.0.1" } });
  skill = await apiOf(app).installPack("gives_back", shellPack("gives_back", "#!/bin/sh\nexec cat\n"));
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

type Answer = { status: number | undefined; headers: Record<string, unknown>; body: string };

/** How the body is framed on the connection, and what the framework says of its own pages. */
const NOISE = ["date", "vary", "content-length", "transfer-encoding", "ratelimit-remaining", "ratelimit-reset"];

/** By node:http, which sends a path as it is spelt. */
function ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(app.url + path, { method, headers: { "x-request-id": "the-same-for-both", ...headers } });
    sent.once("error", reject);
    sent.once("response", async (answer) => {
      const shown = Object.entries(answer.headers).filter(([name]) => !NOISE.includes(name));
      resolve({ status: answer.statusCode, headers: Object.fromEntries(shown), body: await text(answer) });
    });
    sent.end(body);
  });
}

/** The same address in a spelling that the listener leaves to the framework. */
const spelt = (id: string) => `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;

test("an answer past the framework is the framework’s answer: status, headers and body", async () => {
  const run = await apiOf(app).run(skill.id, { text: "x" });
  const admin = { authorization: `Bearer ${ADMIN.token}` };
  const json = { ...admin, "content-type": "application/json" };
  const cases: [number, string, (id: (text: string) => string) => string, Record<string, string>, string?][] = [
    [200, "GET", (id) => `/api/runs/${id(run.id)}`, admin],
    [401, "GET", (id) => `/api/runs/${id(run.id)}`, {}],
    [401, "GET", (id) => `/api/runs/${id(run.id)}`, { authorization: "Bearer sgt_wrong" }],
    [404, "GET", (id) => `/api/runs/${id("nothing")}?wide=1`, admin],
    [200, "POST", (id) => `/api/skills/${id(skill.id)}/runs`, json, '{"args":{"text":"x"},"dryRun":true}'],
    [404, "POST", (id) => `/api/skills/${id("nothing")}/runs`, json, '{"args":{}}'],
    [422, "POST", (id) => `/api/skills/${id(skill.id)}/runs`, json, '{"args":{"text":7}}'],
    [400, "POST", (id) => `/api/skills/${id(skill.id)}/runs`, json, "{"],
    [415, "POST", (id) => `/api/skills/${id(skill.id)}/runs`, admin, "text"],
    [413, "POST", (id) => `/api/skills/${id(skill.id)}/runs`, json, `{"args":{"text":"${"x".repeat(2_000_000)}"}}`],
  ];
  for (const [status, method, path, headers, body] of cases) {
    const direct = await ask(method, path(String), headers, body);
    expect(direct.status).toBe(status);
    expect(direct).toEqual(await ask(method, path(spelt), headers, body));
  }
});
