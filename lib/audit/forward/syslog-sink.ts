import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { hostname } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoredEvent } from "../chain/event-columns";
import type { Sink } from "./sink";
import { syslogMessage } from "./syslog-message";

const TIMEOUT_MS = 10_000;
/** What fits a datagram; a longer event goes without what it was asked with and what came of it. */
const MOST_BYTES = 60_000;

/** Sends RFC 5424 over TCP (octet counting, RFC 6587) or UDP, which does not say whether anybody listens. */
export function syslogSink(url: string): Sink {
  const { protocol, hostname: host, port } = new URL(url);
  const at = { host: host.replace(/^\[|\]$/g, ""), port: Number(port) || 514 };
  const send = protocol === "udp:" ? overUdp : overTcp;
  return { name: "syslog", send: (events, signal) => send(events.map(messageOf), at, signal) };
}

function messageOf(event: StoredEvent): Buffer {
  const from = { host: hostname(), pid: process.pid };
  const whole = Buffer.from(syslogMessage(event, from), "utf8");
  if (whole.length <= MOST_BYTES) return whole;
  return Buffer.from(syslogMessage({ ...event, arguments: null, result: null, data: null }, from), "utf8");
}

type At = { host: string; port: number };

function overTcp(messages: Buffer[], at: At, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...at, signal, timeout: TIMEOUT_MS });
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(new Error("the syslog server did not answer in time")));
    socket.once("connect", () => {
      const frames = messages.map((message) => Buffer.concat([Buffer.from(`${message.length} `), message]));
      // Closed by us once all was handed over, and by the other side in turn.
      socket.end(Buffer.concat(frames));
    });
    socket.once("close", (isBroken) => {
      if (!isBroken) resolve();
    });
    socket.resume();
  });
}

async function overUdp(messages: Buffer[], { host, port }: At, signal: AbortSignal): Promise<void> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  try {
    for (const message of messages) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, host, (error) => (error ? reject(error) : resolve()));
      });
      await nextTurn();
    }
  } finally {
    socket.close();
  }
}
