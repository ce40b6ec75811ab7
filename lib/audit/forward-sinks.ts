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

/** Where events are forwarded to. */
export type Sink = {
  /** Stable: under this name it is remembered how far it is. */
  name: "file" | "syslog" | "webhook";
  /** Resolves when it has taken all of these, oldest first; some may have come before. Throws when it has not. */
  send(events: readonly StoredEvent[], signal: AbortSignal): Promise<void>;
};

/** Folder, beside the instance's keys, that events are forwarded into. */
const FORWARD_FOLDER = "audit-forward";

/** Appends events as NDJSON to a file of this name, opened anew each time so that it can be rotated away. */
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
 * Posts events as `{"events": […]}`. With a secret, `X-Skillgate-Signature: t=<seconds>,v1=<hex>` holds the HMAC-SHA-256
 * under it of `<seconds>.<body>`. Any answer from 200 to 299 counts as taken; a redirect is not followed.
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

/** Facility 13, log audit. */
const FACILITY = 13;

const SEVERITY: Record<string, number> = { ok: 6, refused: 4, failed: 3 };

const NIL = "-";

/** What IANA keeps for documentation: we have no number of our own. */
const DATA_ID = "skillgate@32473";

/** What fits a datagram; a longer event goes without what it was asked with and what came of it. */
const MOST_BYTES = 60_000;

/** Where `tcp://host:port` or `udp://host:port` points; port 514 when it names none. */
export function syslogDestination(url: string): Destination {
  return destinationOf(url, 514);
}

/** Sends RFC 5424 over TCP (octet counting, RFC 6587) or UDP, which does not say whether anybody listens. */
export function syslogSink(url: string): Sink {
  const at = syslogDestination(url);
  const send = new URL(url).protocol === "udp:" ? overUdp : overTcp;
  return { name: "syslog", send: (events, signal) => send(events.map(messageOf), at, signal) };
}

function messageOf(event: StoredEvent): Buffer {
  const from = { host: hostname(), pid: process.pid };
  const whole = Buffer.from(syslogMessage(event, from), "utf8");
  if (whole.length <= MOST_BYTES) return whole;
  return Buffer.from(syslogMessage({ ...event, arguments: null, result: null, data: null }, from), "utf8");
}

async function overTcp(messages: Buffer[], at: Destination, signal: AbortSignal): Promise<void> {
  const socket = await connectOutgoing(outgoingPolicy("syslog"), at, { timeoutMs: TIMEOUT_MS, signal });
  await new Promise<void>((resolve, reject) => {
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

/** One event as a message of RFC 5424; the event itself, as JSON, is the text. */
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
