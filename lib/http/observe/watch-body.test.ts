import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { tableAnswerer } from "@/lib/testing/listening-server";
import { testServer } from "@/lib/testing/test-server";
import { readBytes } from "../read-body";
import { route } from "../route";
import { observeRequest } from "./observe-request";

await testServer([]);

const form = route({
  access: "public",
  summary: "Takes a file",
  rawBody: { contentType: "multipart/form-data" },
  handle: async ({ bytes }) => ({ bytes: bytes.length }),
});
const json = route({
  access: "public",
  summary: "Takes JSON",
  body: z.object({}),
  handle: async () => ({}),
});
const unread = route({ access: "public", summary: "Reads no body", handle: async () => ({}) });

const answer = tableAnswerer(
  [
    ["/form", { POST: form }],
    ["/json", { POST: json }],
    ["/unread", { POST: unread }],
  ],
  (request, response, { name }) => observeRequest(request, response, name),
);
let arrived: IncomingMessage | null = null;
const server = createServer((request, response) => {
  arrived = request;
  answer(request, response);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

const second = () => void vi.advanceTimersByTime(1_000);
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(async () => {
  await until(() => arrived === null || arrived.complete || arrived.socket.destroyed);
  second();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** Checks in each turn of the event loop; `vi.waitFor` would advance the clock. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5_000 && !isSo(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(isSo()).toBe(true);
}

type Client = { socket: Socket; told: () => string; closed: Promise<unknown> };

/** Connects, sends the head of a request, and resolves when the server has it. */
async function begin(path: string, length = 100_000): Promise<Client> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  const closed = once(socket, "close");
  arrived = null;
  const type = path === "/json" ? "application/json" : "multipart/form-data; boundary=x";
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`);
  await until(() => arrived !== null);
  return { socket, told: () => text, closed };
}

/** Sends this many bytes and resolves when the server has them. */
async function send({ socket }: Client, bytes: number): Promise<void> {
  const before = arrived?.socket.bytesRead ?? 0;
  socket.write(Buffer.alloc(bytes, 32));
  await until(() => arrived?.socket.bytesRead === before + bytes);
}

test.each(["/form", "/json"])(
  "a body of a byte each two seconds ends with 408 and the connection: %s",
  async (path) => {
    const client = await begin(path);
    for (let at = 0; at < 15; at += 1) {
      expect(client.told()).toBe("");
      if (at % 2 === 0) await send(client, 1);
      second();
    }
    second();
    await client.closed;
    expect(client.told()).toMatch(/^HTTP\/1\.1 408 /);
    expect(client.told()).toMatch(/connection: close/i);
    expect(client.told()).toContain('"code":"request_timeout"');
  },
);

test("a body that stops altogether ends the same", async () => {
  const client = await begin("/form");
  await send(client, 4_000);
  for (let at = 0; at < 16; at += 1) second();
  await client.closed;
  expect(client.told()).toMatch(/^HTTP\/1\.1 408 /);
});

test("a slow and honest link is let finish, also with pauses", async () => {
  const client = await begin("/form", 120 * 1_024);
  for (let at = 0; at < 120; at += 1) {
    await send(client, 1_024);
    second();
    if (at === 60) for (let pause = 0; pause < 10; pause += 1) second();
  }
  await until(() => client.told().includes(`{"bytes":${120 * 1_024}}`));
  client.socket.destroy();
});

test("a server that is late itself does not count against the client", async () => {
  const client = await begin("/form");
  // The clock makes one step, however long the process was suspended.
  vi.advanceTimersToNextTimer();
  await send(client, 99_999);
  for (let at = 0; at < 10; at += 1) second();
  await send(client, 1);
  await until(() => /^HTTP\/1\.1 200 /.test(client.told()));
  client.socket.destroy();
});

test("a body that no route reads, and that goes on after the answer, loses its connection", async () => {
  const client = await begin("/unread");
  await until(() => /^HTTP\/1\.1 200 /.test(client.told()));
  for (let at = 0; at < 21; at += 1) second();
  await client.closed;
});

test("a client that hangs up in the middle of its body is no fault of the server", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("aborted")) });
  const request = new Request("http://x/", { method: "POST", body, duplex: "half" } as RequestInit);
  await expect(readBytes(request, 1_000)).rejects.toMatchObject({ code: "malformed" });
});
