import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { parseRanges } from "./address-ranges";
import { type GatewayOptions, openGateway } from "./open-gateway";
import type { OutgoingPolicy } from "./outgoing-policy";

/** Answers each chunk with the same bytes, and counts its connections. */
let connections = 0;
const echo = createServer((socket) => {
  connections += 1;
  socket.on("error", () => undefined).pipe(socket);
}).listen(0, "127.0.0.1");
await once(echo, "listening");
afterAll(() => echo.close());
const destination = { host: "127.0.0.1", port: (echo.address() as AddressInfo).port };

const policyOf = (ranges: string): OutgoingPolicy => ({
  ...{ feature: "The test", ranges: parseRanges(ranges), variable: "X", endpoints: [], denied: [] },
});

async function open(options: Partial<GatewayOptions> = {}, ranges = "127.0.0.1") {
  const given = { mode: "socks5" as const, maxBytes: 1_000, idleMs: 5_000, ...options };
  const gateway = await openGateway(policyOf(ranges), destination, given);
  onTestFinished(() => gateway.close());
  const client = connect(gateway.port, "127.0.0.1");
  client.on("error", () => undefined);
  onTestFinished(() => void client.destroy());
  return { gateway, client };
}

const request = (host: string, port: number, command = 1) =>
  Buffer.concat([
    Buffer.from([5, 1, 0]),
    Buffer.from([5, command, 0, 3, host.length]),
    Buffer.from(host, "latin1"),
    Buffer.from([port >> 8, port & 255]),
  ]);

async function receive(client: Socket, length: number): Promise<Buffer> {
  let all = Buffer.alloc(0);
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    all = Buffer.concat([all, chunk as Buffer]);
    if (all.length >= length) break;
  }
  return all;
}

test("it leads to its destination, and counts what comes from there", async () => {
  const { gateway, client } = await open();
  client.write(request("127.0.0.1", destination.port));
  expect([...(await receive(client, 12))].slice(0, 4)).toEqual([5, 0, 5, 0]);
  client.write("hello");
  expect((await receive(client, 5)).toString()).toBe("hello");
  expect(gateway.failure()).toBeNull();
  client.resume();
  client.write(Buffer.alloc(1_001));
  await once(client, "close");
  expect(gateway.failure()).toMatchObject({ message: "more than 1000 bytes" });
});

test.each([
  ["another host", request("169.254.169.254", destination.port)],
  ["another name", request("localhost", destination.port)],
  ["another port", request("127.0.0.1", 1)],
  ["another command", request("127.0.0.1", destination.port, 2)],
  ["no SOCKS", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
])("it refuses %s without a connection", async (_name, bytes) => {
  const before = connections;
  const { gateway, client } = await open();
  client.write(bytes);
  client.resume();
  await once(client, "close");
  expect(gateway.failure()).not.toBeNull();
  expect(connections).toBe(before);
});

test("the policy of all outgoing connections holds", async () => {
  const before = connections;
  const { gateway, client } = await open({ mode: "forward" }, "");
  client.resume();
  await once(client, "close");
  expect(gateway.failure()).toMatchObject({ code: "address_not_allowed" });
  expect(connections).toBe(before);
});

test("a connection on which nothing moves is cut", async () => {
  const { gateway, client } = await open({ mode: "forward", idleMs: 50 });
  client.resume();
  await once(client, "close");
  expect(gateway.failure()).toMatchObject({ name: "TimeoutError" });
});
