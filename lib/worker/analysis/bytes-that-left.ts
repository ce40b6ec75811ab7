import type { StepReport } from "@/lib/policy/analysis/schema";
import { besidesName, readQuestion } from "./dns-message";
import { joinChunks, joinFields, joinLines, joinRequests } from "./join-chunks";
import type { Recorded } from "./open-recorder";
import type { Observations } from "./read-trace";
import { NAMESERVER } from "./recorder-messages";

export type Left = {
  observed: Pick<Observations, "payloads">;
  recorded: Pick<Recorded, "names" | "data">;
  /** The names of addresses that the recorder answered. */
  nameOf: ReadonlyMap<string, string>;
};

/** Where bytes went; `hosts` are the one that was reached, and the one that the connection named if it is another. */
export type Place = { channel: StepReport["sent"][number]["channel"]; to: string; hosts: string[] };
/** `isJoined`: in orders that may not be that of the program, and too long to be decoded. */
type Where = Place & { bytes: Buffer; isJoined?: true };
type Streams = Map<string, Place & { parts: Buffer[] }>;

const DNS_PORT = 53;
/** Fields of messages that are decoded too; longer ones are mostly other data. */
const MAX_DECODED_FIELDS = 64 * 1024;
/** Names of one domain that are searched with it: what may be encoded in a text is limited. */
const MAX_WHOLE = 10;

/**
 * All bytes that left a step, joined where one secret may have been sent in parts. Calls `onUnread` for each connection
 * of which not everything is among them in each form.
 */
export function* bytesThatLeft({ observed, recorded, nameOf }: Left, onUnread: () => void): Generator<Where> {
  const streams: Streams = new Map();
  const connections: Streams = new Map();
  for (const { channel, address, port, host, bytes, connection } of recorded.data) {
    const place = { channel, ...placeOf(nameOf.get(address) ?? address, host, port) };
    const part = Buffer.from(bytes, "base64");
    addPart(streams, `${channel} ${place.to}`, place, part);
    if (connection > 0) addPart(connections, `${connection} ${address}`, place, part);
  }
  const messages: Messages = new Map();
  const questions = recorded.names.map(({ server, bytes }) => ({
    ...{ address: server, port: DNS_PORT, bytes: Buffer.from(bytes, "base64") },
  }));
  // Without a recorder, a question is seen only as the bytes of a call.
  const asked = new Map<string, string[]>();
  const other: Where[] = [];
  for (const { address, port, bytes } of [...questions, ...observed.payloads]) {
    const place = placeOf(nameOf.get(address) ?? address, null, port);
    const question = port === DNS_PORT ? readQuestion(bytes) : null;
    if (question === null) {
      other.push({ channel: "udp", ...place, bytes });
      addMessage(messages, { channel: "udp", ...place, bytes });
    } else {
      asked.set(address, [...(asked.get(address) ?? []), question.name]);
      addPart(streams, `dns ${place.to}`, { channel: "dns", ...place }, besidesName(bytes, question));
    }
  }
  for (const { parts, ...to } of streams.values()) yield withPlainText({ ...to, bytes: Buffer.concat(parts) });
  for (const { parts, ...to } of connections.values()) {
    const bytes = Buffer.concat(parts);
    addMessage(messages, { ...to, bytes });
    // Other connections to the same place may stand between its parts.
    if (parts.length > 1) yield { ...to, bytes };
    const joined = joinChunks(bytes);
    if (joined === null) continue;
    if (!joined.isWhole) onUnread();
    yield { ...to, bytes: joined.bytes };
  }
  for (const [server, names] of asked)
    for (const { domain, text } of joinNames(names))
      yield { channel: "dns", ...answererOf(server, domain), bytes: Buffer.from(text, "latin1") };
  for (const { texts, ...place } of messages.values()) {
    for (const text of joinRequests(texts)) yield { ...place, bytes: Buffer.from(text, "latin1") };
    const joined = Buffer.from([joinFields(texts), ...texts.map(joinLines)].join(","), "latin1");
    yield { ...place, ...(joined.length > MAX_DECODED_FIELDS && { isJoined: true }), bytes: joined };
  }
  yield* other.map(withPlainText);
}

/** The names that the recorder answered with an address, by this address. */
export function namesOf({ names }: Pick<Recorded, "names">): Map<string, string> {
  return new Map(names.map(({ name, address }) => [address, name.toLowerCase().replace(/\.$/, "")]));
}

/** Who reads a name: the owner of its domain, or the server that was asked in place of the world's own. */
export function answererOf(server: string, domain: string): Omit<Place, "channel"> {
  if (server === NAMESERVER) return { to: domain, hosts: [domain] };
  return { to: `${server}:${DNS_PORT} (as ${domain})`, hosts: [server, domain] };
}

/** The place of an address that a step reached, by the name that it was resolved from and the one that the connection named. */
export function placeOf(reached: string, named: string | null, port: number): Omit<Place, "channel"> {
  const claimed = named === null ? reached : plainName(named);
  const isSame = claimed === reached.replace(/\.$/, "");
  return {
    to: isSame ? `${reached}:${port}` : `${reached}:${port} (as ${claimed})`,
    hosts: isSame ? [reached] : [reached, claimed],
  };
}

/** A name that a program chose must not read like the report's own words. */
function plainName(named: string): string {
  return named
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/[^a-z0-9._:[\]-]/g, "?");
}

function addPart(streams: Streams, key: string, place: Place, part: Buffer): void {
  const stream = streams.get(key);
  if (stream) stream.parts.push(part);
  else streams.set(key, { ...place, parts: [part] });
}

type Messages = Map<string, Place & { texts: string[] }>;

function addMessage(messages: Messages, { bytes, ...place }: Where): void {
  const key = `${place.channel} ${place.to}`;
  const known = messages.get(key) ?? { ...place, texts: [] };
  messages.set(key, known);
  known.texts.push(bytes.toString("latin1"));
}

/**
 * What was sent to a name server, and its visible characters alone: the lengths and types between the parts of a message
 * are mostly others.
 */
function withPlainText(where: Where): Where {
  if (!where.to.endsWith(`:${DNS_PORT}`)) return where;
  const visible = where.bytes.filter((byte) => byte > 0x20 && byte < 0x7f);
  return { ...where, bytes: Buffer.concat([where.bytes, Buffer.of(0), visible]) };
}

/**
 * The names below each domain, each for itself and joined label by label: a secret that is sent in parts is one label of
 * many names.
 */
function joinNames(names: string[]): { domain: string; text: string }[] {
  const below = new Map<string, string[][]>();
  for (const name of new Set(names)) {
    const labels = name.split(".");
    const domain = labels.slice(-2).join(".").toLowerCase();
    const known = below.get(domain);
    if (known) known.push(labels);
    else below.set(domain, [labels]);
  }
  return [...below].map(([domain, lists]) => {
    const width = Math.max(...lists.map((labels) => labels.length));
    const columns = Array.from({ length: width }, (_, index) => lists.map((labels) => labels[index] ?? "").join(""));
    const fields = joinFields(lists.map((labels) => labels.slice(0, -2).join(".")));
    const each = lists.map((labels) => labels.slice(0, -2).join(""));
    // A secret may end in the domain itself, which then has few names.
    const whole = lists.slice(0, MAX_WHOLE).map((labels) => labels.join(""));
    return { domain, text: [...whole, ...each, ...columns, each.join(""), fields].join(",") };
  });
}
