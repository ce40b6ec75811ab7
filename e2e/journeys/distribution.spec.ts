import { createHash } from "node:crypto";
import { request as send } from "node:http";
import { expect, test } from "playwright/test";
import { apiOf } from "../fixtures/api";
import { type App, startApp } from "../fixtures/start-app";

// The HTTP layer in front of the routes: it accepts addresses as clients spell them and does not change the bytes.
let app: App;

test.beforeAll(async () => {
  app = await startApp();
  const { installPack, json } = apiOf(app);
  for (const name of ["pdf-tools", "one-file"]) {
    const more = name === "one-file" ? [] : [{ path: "scripts/run.sh", text: "#!/bin/sh\n", executable: true }];
    const text = `---\nname: ${name}\ndescription: Does ${name}.\n---\n# ${name}\n`;
    const { id } = await installPack(name, [{ path: "SKILL.md", text }, ...more]);
    await json("PATCH", `/api/skills/${id}`, { visibility: "public" });
  }
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

type Answer = { status: number | undefined; headers: Record<string, string | string[] | undefined>; body: Buffer };

/** Sends the path unchanged: `fetch` would normalise it. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const sent = send({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject).end();
  });
}

type Index = { skills: { name: string; url: string; digest: string; files: string[] }[] };
const read = ({ body }: Answer) => JSON.parse(String(body)) as Index;

test("distribution endpoints answer to every client spelling, with uncompressed bytes", async () => {
  const second = read(await ask("/.well-known/agent-skills/index.json"));
  expect(second.skills.map(({ name }) => name)).toEqual(["one-file", "pdf-tools"]);
  for (const { url, digest } of second.skills) {
    const answer = await ask(url, { "accept-encoding": "gzip, br" });
    expect([answer.status, answer.headers["content-encoding"]], url).toEqual([200, undefined]);
    expect(`sha256:${createHash("sha256").update(answer.body).digest("hex")}`, url).toBe(digest);
    const length = String(answer.body.length);
    expect(answer.headers["content-length"], url).toBe(length);
    const head = await ask(url, {}, "HEAD");
    expect([head.status, head.headers.etag, head.body.length], url).toEqual([200, answer.headers.etag, 0]);
    expect(head.headers["content-length"], url).toBe(length);
    const known = await ask(url, { "if-none-match": String(answer.headers.etag) });
    expect([known.status, known.body.length], url).toEqual([304, 0]);
  }
  const first = read(await ask("/.well-known/skills/index.json"));
  const deep = first.skills
    .flatMap(({ name, files }) => files.map((path) => ({ name, path })))
    .find(({ path }) => path.includes("/"));
  const plain = await ask(`/.well-known/skills/${deep?.name}/${deep?.path}`);
  const escaped = await ask(`/.well-known/skills/${deep?.name}/${encodeURIComponent(deep?.path ?? "")}`);
  expect([plain.status, escaped.status]).toEqual([200, 200]);
  expect(escaped.body.equals(plain.body)).toBe(true);
  for (const path of [
    `/.well-known/skills/${deep?.name}/..%2F..%2F..%2Fetc%2Fpasswd`,
    `/.well-known/skills/${deep?.name}/../../../etc/passwd`,
    `/.well-known/skills/%2e%2e/%2e%2e/etc/passwd`,
    "/git/catalog.git/..%2Fconfig",
    "/t/..%2Fapi/.well-known/skills/index.json",
  ]) {
    expect((await ask(path)).status, path).toBe(404);
  }
  const from = await ask("/.well-known/clawhub.json", { host: "evil.example", "x-forwarded-host": "evil.example" });
  expect([from.status, String(from.body).includes("evil.example")]).toEqual([200, false]);
});
