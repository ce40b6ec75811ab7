import { z } from "zod";

/** A line of JSON from the recorder: what programs in its network asked for and sent. */
export const RecorderMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), certificate: z.string().max(10_000) }),
  /**
   * `address`: what the recorder answered for this name. `server`: the name server that was asked. `bytes`: the whole
   * message, because a name may be longer than `name`, and more may be sent behind it.
   */
  z.object({
    kind: z.literal("name"),
    name: z.string().max(255),
    address: z.string().max(50),
    server: z.string().max(50),
    bytes: z.base64(),
  }),
  /** The first bytes of a connection, when it ended or paused; more for the same connection may follow. */
  z.object({
    kind: z.literal("data"),
    channel: z.enum(["http", "tls", "tcp", "udp"]),
    /** A number of its own for each connection, 0 for a datagram. */
    connection: z.number().int().nonnegative(),
    address: z.string().max(50),
    port: z.number().int(),
    host: z.string().max(255).nullable(),
    bytes: z.base64(),
  }),
  /**
   * The marker that the worker sent: everything before it has been reported. `dropped`: connections and pieces of data
   * since the last one that were over a limit of the recorder. `unserved`: datagrams to ports that it does not serve.
   */
  z.object({
    kind: z.literal("mark"),
    mark: z.string().max(100),
    dropped: z.number().int().nonnegative(),
    unserved: z.number().int(),
  }),
]);
export type RecorderMessage = z.infer<typeof RecorderMessage>;

/** The name server of the decoy world. */
export const NAMESERVER = "10.0.2.3";

/** TCP ports that the recorder serves, at every address. */
export const SERVED_PORTS = [
  ...[21, 22, 25, 53, 80, 110, 143, 389, 443, 465, 587, 993, 1080, 1337, 2222, 3000, 3128, 3333, 4444, 4443, 5000],
  ...[5432, 5555, 6379, 6667, 7777, 8000, 8001, 8008, 8080, 8081, 8088, 8443, 8888, 9000, 9001, 9090, 9200, 9418],
  ...[9999, 13337, 27017, 31337],
];

/** UDP ports whose bytes the recorder keeps; only 53 is answered. */
export const SERVED_UDP_PORTS = [53, 123, 514, 1337, 4444, 5353, 8125, 9999];

/**
 * One question of a DNS message (RFC 1035): the name, also one that is longer than the 255 characters that are allowed, the
 * type (1 A, 28 AAAA, 16 TXT), and where the question ends.
 */
export type DnsQuestion = { name: string; type: number; end: number };

const HEADER_BYTES = 12;
const TYPE_AND_CLASS_BYTES = 4;
const TYPE_A = 1;
const SECONDS_TO_LIVE = 60;

/** The first question of a query; null for anything else. */
export function readQuestion(message: Buffer): DnsQuestion | null {
  if (message.length < HEADER_BYTES + 5 || (message.readUInt16BE(2) & 0x8000) !== 0) return null;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = message[at];
    if (length === undefined || length > 63 || labels.length > 127) return null;
    if (length === 0) break;
    if (at + 1 + length >= message.length) return null;
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at + 5 > message.length) return null;
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** What a message says besides the name of its first question: its number and flags, other questions and additional records. */
export function besidesName(message: Buffer, { end }: DnsQuestion): Buffer {
  return Buffer.concat([message.subarray(0, HEADER_BYTES), message.subarray(end - TYPE_AND_CLASS_BYTES)]);
}

/** Answers a query: the address for type A, no records for every other type. */
export function answerQuestion(message: Buffer, { type, end }: DnsQuestion, address: string): Buffer {
  const header = Buffer.from(message.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(type === TYPE_A ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const question = message.subarray(HEADER_BYTES, end);
  if (type !== TYPE_A) return Buffer.concat([header, question]);
  const record = Buffer.alloc(16);
  // A pointer to the name of the question, type A, class IN.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(SECONDS_TO_LIVE, 6);
  record.writeUInt16BE(4, 10);
  for (const [index, part] of address.split(".").entries()) record[12 + index] = Number(part);
  return Buffer.concat([header, question, record]);
}
