import { createHmac } from "node:crypto";
import { createSocket } from "node:dgram";
import { mkdir, open } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connectOutgoing } from "@/lib/core/outgoing/connect-outgoing";
import { type Destination, destinationOf, resolveAllowed } from "@/lib/core/outgoing/outgoing-policy";
import { outgoingFetch, outgoingPolicy } from "@/lib/core/outgoing/server-features";
import type { StoredEvent } from "./chain/chain-events";

const TIMEOUT_MS = 10_000;

export type Sink = {
  /** Stable: the forwarding position is stored under this name. */
  name: "file" | "syslog" | "webhook";
  /** Resolves when all events were accepted, oldest first; some may have been sent before. Throws otherwise. */
  send(events: readonly StoredEvent[], signal: AbortSignal): Promise<void>;
};

const FORWARD_FOLDER = "audit-forward";

/** Appends events as NDJSON to a file. It is opened for each batch, so that it can be rotated. */
export function fileSink(keyFolder: string, name: string): Sink {
  const folder = join(keyFolder, FORWARD_FOLDER);
  return {
    name: "file",
    send: async (events) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const handle = await open(join(folder, name), "a", 0o600);
      try {
        await handle.writeFile(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

/**
 * Posts events as `{"events": […]}`. With a secret, `X-Skillgate-Signature: t=<seconds>,v1=<hex>` holds the HMAC-SHA-256 of
 * `<seconds>.<body>`. Status 200 to 299 means accepted; redirects are not followed.
 */
export function webhookSink({ url, secret }: { url: string; secret: string | null }, now: () => Date): Sink {
  return {
    name: "webhook",
    send: async (events, signal) => {
      const body = JSON.stringify({ events });
      const seconds = Math.floor(now().getTime() / 1000);
      const signature = secret && createHmac("sha256", secret).update(`${seconds}.${body}`, "utf8").digest("hex");
      const response = await outgoingFetch("webhook")(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(signature ? { "x-skillgate-signature": `t=${seconds},v1=${signature}` } : {}),
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      if (response.status < 200 || response.status > 299) throw new Error(`the webhook answered ${response.status}`);
    },
  };
}

/** RFC 5424: log audit. */
const FACILITY = 13;

const SEVERITY: Record<string, number> = { ok: 6, refused: 4, failed: 3 };

const NIL = "-";

/** The enterprise number that IANA reserves for documentation; Skillgate has none. */
const DATA_ID = "skillgate@32473";

/** Fits a datagram. A longer event is sent without arguments, result and data. */
const MAX_BYTES = 60_000;

/** Destination of `tcp://host:port` or `udp://host:port`; the default port is 514. */
export function syslogDestination(url: string): Destination {
  return destinationOf(url, 514);
}

/** Sends RFC 5424 over TCP (octet counting, RFC 6587) or UDP. UDP does not confirm delivery. */
export function syslogSink(url: string): Sink {
  const at = syslogDestination(url);
  const send = new URL(url).protocol === "udp:" ? overUdp : overTcp;
  return { name: "syslog", send: (events, signal) => send(events.map(messageOf), at, signal) };
}

function messageOf(event: StoredEvent): Buffer {
  const from = { host: hostname(), pid: process.pid };
  const whole = Buffer.from(syslogMessage(event, from), "utf8");
  if (whole.length <= MAX_BYTES) return whole;
  return Buffer.from(syslogMessage({ ...event, arguments: null, result: null, data: null }, from), "utf8");
}

async function overTcp(messages: Buffer[], at: Destination, signal: AbortSignal): Promise<void> {
  const socket = await connectOutgoing(outgoingPolicy("syslog"), at, { timeoutMs: TIMEOUT_MS, signal });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(new Error("the syslog server did not answer in time")));
    socket.once("connect", () => {
      const frames = messages.map((message) => Buffer.concat([Buffer.from(`${message.length} `), message]));
      // The server closes its side after receiving everything; `close` then confirms the delivery.
      socket.end(Buffer.concat(frames));
    });
    socket.once("close", (isBroken) => {
      if (!isBroken) resolve();
    });
    socket.resume();
  });
}

async function overUdp(messages: Buffer[], at: Destination, signal: AbortSignal): Promise<void> {
  const [to] = await resolveAllowed(outgoingPolicy("syslog"), at, TIMEOUT_MS);
  if (to === undefined) throw new Error(`${at.host} has no address`);
  const socket = createSocket(to.family === 6 ? "udp6" : "udp4");
  try {
    for (const message of messages) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        socket.send(message, at.port, to.address, (error) => (error ? reject(error) : resolve()));
      });
      await nextTurn();
    }
  } finally {
    socket.close();
  }
}

/** An event as an RFC 5424 message; its text is the event as JSON. */
function syslogMessage(event: StoredEvent, { host, pid }: { host: string; pid: number }): string {
  const priority = FACILITY * 8 + (SEVERITY[String(event.outcome)] ?? 5);
  const time = new Date(String(event.at)).toISOString();
  const facts = [
    ["seq", event.seq],
    ["actor", event.actorName],
    ["outcome", event.outcome],
    ["hash", event.hash],
  ].map(([name, value]) => `${name}="${escaped(value)}"`);
  const head = [`<${priority}>1`, time, ascii(host, 255), "skillgate", pid, ascii(event.action, 32)].join(" ");
  return `${head} [${DATA_ID} ${facts.join(" ")}] \ufeff${JSON.stringify(event)}`;
}

function escaped(value: unknown): string {
  return String(value ?? "")
    .replace(/["\\\]]/g, (character) => `\\${character}`)
    .replace(/[\r\n]/g, " ");
}

function ascii(value: unknown, length: number): string {
  return (
    String(value ?? "")
      .replace(/[^\x21-\x7e]/g, "_")
      .slice(0, length) || NIL
  );
}
