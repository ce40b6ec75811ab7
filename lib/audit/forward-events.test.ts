import { createHmac } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcp } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { inTransaction } from "@/lib/db/context";
import { testDatabase } from "@/lib/testing/test-database";
import type { StoredEvent } from "./chain/chain-events";
import { describeForwarding, forwardEvents } from "./forward-events";
import type { Sink } from "./forward-sinks";
import { fileSink, syslogSink, webhookSink } from "./forward-sinks";
import { recordEvent } from "./record-event";

const never = new AbortController().signal;

async function world() {
  const base = await testDatabase();
  let time = Date.parse("2026-01-01T00:00:00Z");
  const ctx = base.as({ kind: "system", name: "test" }, () => new Date(time));
  const note = (summary: string) =>
    inTransaction(ctx, (tx, txCtx) => recordEvent(tx, txCtx, { action: "test.note", summary }));
  const wait = (ms: number) => {
    time += ms;
  };
  const forward = (...sinks: Sink[]) => forwardEvents(ctx, sinks, never);
  return { ...base, ctx, note, wait, forward };
}

function memorySink() {
  const state = { taken: [] as string[], calls: 0, isBroken: false };
  const send = async (events: readonly StoredEvent[]) => {
    state.calls += 1;
    if (state.isBroken) throw new Error("no room");
    state.taken.push(...events.map(({ summary }) => String(summary)));
  };
  return { state, sink: { name: "webhook", send } satisfies Sink };
}

test("a sink gets what comes after it was set up, in order and once", async () => {
  const { note, forward } = await world();
  const { state, sink } = memorySink();
  await note("before");
  await forward(sink);
  for (let n = 0; n < 450; n++) await note(`${n}`);
  expect(await forward(sink)).toMatchObject([{ behind: 0, failures: 0 }]);
  await forward(sink);
  expect(state.taken).toEqual(Array.from({ length: 450 }, (_, n) => `${n}`));
});

test("a failing sink is retried with longer pauses, keeps its position, and does not delay another", async () => {
  const { note, forward, wait, folder, database } = await world();
  const { state, sink } = memorySink();
  const file = fileSink(folder, "events.ndjson");
  await forward(sink, file);
  state.isBroken = true;
  await note("one");
  const states = await forward(sink, file);
  expect(states).toMatchObject([{ behind: 2, failures: 1, lastError: "no room" }, { failures: 0 }]);
  expect(describeForwarding(states)).toBe("webhook: 2 events behind, failed 1 times (no room)");
  await forward(sink);
  expect(state.calls).toBe(1);
  wait(5_000);
  await forward(sink);
  wait(5_000);
  await forward(sink);
  expect(state.calls).toBe(2);
  state.isBroken = false;
  wait(5_000);
  await forward(sink, file);
  expect(state.taken[0]).toBe("one");
  const events = await database.reader.auditEvent.findMany({
    where: { action: { startsWith: "audit." } },
    orderBy: { seq: "asc" },
  });
  expect(events.map(({ action }) => action)).toEqual(["audit.forward_fail", "audit.forward_resume"]);
  const lines = readFileSync(join(folder, "audit-forward", "events.ndjson"), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line).action)).toEqual([
    "test.note",
    "audit.forward_fail",
    "audit.forward_resume",
  ]);
});

const EVENT = {
  seq: 7,
  at: "2026-01-01T00:00:00.000+00:00",
  action: "run.fail",
  outcome: "failed",
  actorName: 'A "b"]',
  hash: "ab",
};

test("a webhook gets a signed body; anything but a 2xx is a failure, and a redirect is not followed", async () => {
  let status = 204;
  const got: { body: string; signature: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    got.push({ body: await text(request), signature: String(request.headers["x-skillgate-signature"]) });
    response.writeHead(status, { location: "/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const sink = webhookSink({ url, secret: "shared secret" }, () => new Date(1_000_000));
  await sink.send([EVENT as unknown as StoredEvent], never);
  const [{ body, signature } = { body: "", signature: "" }] = got;
  expect(JSON.parse(body)).toEqual({ events: [EVENT] });
  expect(signature).toBe(`t=1000,v1=${createHmac("sha256", "shared secret").update(`1000.${body}`).digest("hex")}`);
  for (status of [302, 500]) await expect(sink.send([], never)).rejects.toThrow(`answered ${status}`);
  expect(got.length).toBe(3);
  server.close();
});

test("syslog gets RFC 5424, counted over TCP and one datagram each over UDP", async () => {
  const received: Buffer[] = [];
  const tcp = createTcp((socket) =>
    socket.on("data", (chunk) => received.push(chunk)).on("end", () => socket.end()),
  ).listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const events = [EVENT, EVENT] as unknown as StoredEvent[];
  await syslogSink(`tcp://127.0.0.1:${(tcp.address() as AddressInfo).port}`).send(events, never);
  tcp.close();
  const stream = Buffer.concat(received);
  const space = stream.indexOf(" ");
  const length = Number(stream.subarray(0, space).toString());
  const message = stream.subarray(space + 1, space + 1 + length).toString();
  expect(stream.length).toBe(2 * (space + 1 + length));
  expect(message).toMatch(
    /^<107>1 2026-01-01T00:00:00\.000Z \S+ skillgate \d+ run\.fail \[skillgate@32473 seq="7" actor="A \\"b\\"\\]" outcome="failed" hash="ab"\] \ufeff\{/,
  );
  const udp = createSocket("udp4");
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  const arrived = once(udp, "message");
  await syslogSink(`udp://127.0.0.1:${udp.address().port}`).send(events.slice(1), never);
  expect(String((await arrived)[0])).toBe(message);
  udp.close();
});

test("a closed TCP port is a failure", async () => {
  const server = createTcp().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  await expect(syslogSink(`tcp://127.0.0.1:${port}`).send([EVENT as unknown as StoredEvent], never)).rejects.toThrow(
    "ECONNREFUSED",
  );
});
