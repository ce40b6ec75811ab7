import { registeredDomain } from "@/lib/policy/analysis/known-services";
import type { SentPlace, StepReport } from "@/lib/policy/analysis/schema";
import { joinChunks, joinFields, joinLines, joinRequests, withoutEscapes } from "./join-chunks";
import type { Recorded } from "./open-recorder";
import type { Observations } from "./read-trace";
import { besidesName, NAMESERVER, readQuestion } from "./recorder-messages";

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
    const domain = registeredDomain(name.toLowerCase());
    const known = below.get(domain);
    if (known) known.push(labels);
    else below.set(domain, [labels]);
  }
  return [...below].map(([domain, lists]) => {
    const own = domain.split(".").length;
    const width = Math.max(...lists.map((labels) => labels.length));
    const columns = Array.from({ length: width }, (_, index) => lists.map((labels) => labels[index] ?? "").join(""));
    const fields = joinFields(lists.map((labels) => labels.slice(0, -own).join(".")));
    const each = lists.map((labels) => labels.slice(0, -own).join(""));
    // A secret may end in the domain itself, which then has few names.
    const whole = lists.slice(0, MAX_WHOLE).map((labels) => labels.join(""));
    return { domain, text: [...whole, ...each, ...columns, each.join(""), fields].join(",") };
  });
}

/**
 * A connection to one or more places (`channel to`), by where its bytes are. `credentials`: what may be a credential of the request, in
 * which a planted secret is one of the person who runs the skill, and anything else is another's.
 */
export type Placed = { places: Set<string>; parts: Record<SentPlace, string>; credentials: string[] };

/** Ports of protocols that have a login of their own, of which bytes count as a field for a credential. */
const LOGIN_PORTS = [21, 22, 25, 110, 143, 389, 465, 587, 993, 1433, 3306, 5432, 5672, 6379, 9092, 27017];

/** Each connection with all its bytes, in the order in which they began; `places` are more than one where it named its host late. */
export function connectionsOf({ recorded, nameOf }: Pick<Left, "recorded" | "nameOf">) {
  const connections = new Map<string, { places: Place[]; port: number; parts: Buffer[] }>();
  for (const { channel, address, port, host, bytes, connection } of recorded.data) {
    if (connection === 0) continue;
    const key = `${connection} ${address}`;
    const known = connections.get(key) ?? { places: [], port, parts: [] };
    connections.set(key, known);
    known.places.push({ channel, ...placeOf(nameOf.get(address) ?? address, host, port) });
    known.parts.push(Buffer.from(bytes, "base64"));
  }
  return [...connections.values()];
}

/** What each connection had where: HTTP/1 in headers, target, body and the rest (RFC 9112); other bytes of a web port are a message. */
export function* placesOfConnections({ recorded, nameOf }: Pick<Left, "recorded" | "nameOf">): Generator<Placed> {
  for (const { places: all, port, parts } of connectionsOf({ recorded, nameOf })) {
    const places = new Set(all.map(({ channel, to }) => `${channel} ${to}`));
    const text = Buffer.concat(parts).toString("latin1");
    const request = readRequest(text);
    const none = { header: "", target: "", body: "", message: "" };
    const other = { ...none, [LOGIN_PORTS.includes(port) ? "body" : "message"]: text };
    yield request === null ? { places, parts: other, credentials: [] } : { places, ...request };
  }
}

/** Names of fields and headers that hold credentials, without what is no letter. */
const CREDENTIAL = /(?:key|token|secret|password|passwd|pwd|pass|auth|authorization|assertion|credentials?|appid)$/;
/** Those whose other values are credentials too, and not page tokens or the public keys of applications. */
const SURE = /^(?:(?:proxy)?authorization|x?(?:access|auth|private|bot)?token|x?apikey|password|secret|auth)$/;
/** In a header, all of them are, but for the names of requests. */
const OTHER_HEADER = /csrf|xsrf|idempotency|request|^sec(?!ret)/;
/** Targets with a credential in them, or which need none. */
const INBOX_PATH = /\/bot\d{3,}:[\w-]{10,}|\/(?:web)?hooks?\/|\/services\/T/i;

const lettersOf = (name: string) =>
  withoutEscapes(name)
    .toLowerCase()
    .replace(/[^a-z]/g, "");

/** A whole request of HTTP/1; null for other bytes. What follows its body is a message. */
function readRequest(text: string): Omit<Placed, "places"> | null {
  const begin = /^[\r\n]*/.exec(text)?.[0].length ?? 0;
  HEAD_END.lastIndex = begin;
  const end = HEAD_END.exec(text);
  const [first = "", ...headers] = text.slice(begin, end?.index ?? begin).split(/\r?\n/);
  const target = /^[A-Z]{3,12} (\S+) HTTP\/1\.[01]$/.exec(first)?.[1];
  if (end === null || target === undefined) return null;
  const lists: Record<SentPlace, string[]> = { header: [], target: [], body: [], message: [] };
  const credentials: string[] = [];
  const add = (place: "target" | "body", name: string, value: string) => {
    const letters = lettersOf(name);
    if (SURE.test(letters)) credentials.push(value);
    if (CREDENTIAL.test(letters)) lists[place].push(value);
    else lists.message.push(`${name}=${value}`);
  };
  const values = new Map<string, string>();
  for (const line of headers) {
    const [, name = "", value = ""] = /^([^:\s]+)[ \t]*:[ \t]*(.*)$/.exec(line) ?? [];
    values.set(name.toLowerCase(), value);
    const letters = lettersOf(name);
    // Other headers, such as that of the program's name, are shown to customers of a service.
    lists[CREDENTIAL.test(letters) || letters === "cookie" ? "header" : "message"].push(line);
    if (letters === "cookie") credentials.push(...sessionsIn(value));
    else if (CREDENTIAL.test(letters) && !OTHER_HEADER.test(letters)) credentials.push(value.replace(/^[a-z]+ +/i, ""));
  }
  const [, authority = "", path = "", query = ""] = /^([a-z]+:\/\/[^/?#]*)?([^?#]*)\??(.*)$/i.exec(target) ?? [];
  lists.header.push(authority);
  lists.target.push(path);
  if (INBOX_PATH.test(withoutEscapes(path))) credentials.push(path);
  for (const [name, value] of fieldsOf(query)) add("target", name, value);
  const rest = text.slice(end.index + end[0].length);
  const isChunked = values.has("transfer-encoding");
  const joined = isChunked ? (joinChunks(Buffer.from(text, "latin1"))?.bytes.toString("latin1").split("\0") ?? []) : [];
  const length = Number(values.get("content-length") ?? 0);
  const body = isChunked ? joined.slice(0, -2).join("\0") : rest.slice(0, length);
  lists.message.push(...(isChunked ? joined.slice(-2) : [rest.slice(length)]));
  const fields = values.has("content-encoding") ? null : readFields(body, values.get("content-type") ?? "");
  if (fields === null) lists.message.push(body);
  else for (const [name, value] of fields) add("body", name, value);
  const textOf = (place: SentPlace) => lists[place].filter((part) => part !== "").join("\n");
  const parts = {
    ...{ header: textOf("header"), target: textOf("target"), body: textOf("body"), message: textOf("message") },
  };
  return { parts, credentials };
}

/** Cookies that may be the session of an account. */
function sessionsIn(cookies: string): string[] {
  return [...cookies.matchAll(/([^=;\s]+)=([^;]*)/g)].flatMap(([, name = "", value = ""]) =>
    /sess|sid$|user|login|auth|token/i.test(name) ? [value] : [],
  );
}

const HEAD_END = /\r?\n\r?\n/g;

type Fields = [name: string, value: string][];

function fieldsOf(text: string): Fields {
  return text.split("&").map((field) => {
    const divider = field.indexOf("=");
    return divider === -1 ? [field, ""] : [field.slice(0, divider), field.slice(divider + 1)];
  });
}

/** The fields of a body of JSON, a form, or a form with parts (RFC 7578); null for others. */
function readFields(body: string, type: string): Fields | null {
  if (body === "") return [];
  try {
    const value: unknown = JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
    if (typeof value === "object" && value !== null) return jsonFields(value);
  } catch {
    // Other formats follow.
  }
  const boundary = /\bboundary="?([^";\s]{1,70})/i.exec(type)?.[1];
  if (boundary !== undefined) {
    return body.split(`--${boundary}`).map((part) => {
      const [head = "", ...value] = part.split(/(\r?\n\r?\n)/);
      const name = /\bname="([^"]*)"/i.exec(head)?.[1] ?? "";
      // Its headers may hold more.
      return /\bfilename/i.test(head) ? ["", part] : [name, value.join("").trim()];
    });
  }
  return /urlencoded/i.test(type) ? fieldsOf(body) : null;
}

/** Each text with the name of the innermost field that it is in, and each name as a text without one. */
function jsonFields(value: object): Fields {
  const fields: Fields = [];
  const open: [name: string, value: unknown][] = [["", value]];
  const plain = (text: string) => Buffer.from(text, "utf8").toString("latin1");
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, inner] = next;
    if (Array.isArray(inner)) for (const item of inner) open.push([name, item]);
    else if (typeof inner === "object" && inner !== null)
      for (const [key, item] of Object.entries(inner)) {
        fields.push(["", plain(key)]);
        open.push([key, item]);
      }
    else fields.push([name, plain(String(inner))]);
  }
  return fields;
}
