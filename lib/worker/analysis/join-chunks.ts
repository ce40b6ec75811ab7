/** A request's header that says that its body is in chunks. */
const CHUNKED = /\ntransfer-encoding[ \t]*:/gi;
const HEADERS_END = /\r?\n\r?\n/g;
/** As lenient as servers may be: the size in hexadecimal digits, then what a server leaves out. */
const SIZE = /^[ \t+]*(?:0x)?([0-9a-f]{1,16})[ \t]*(;.*)?$/is;
/** How much may be read, for each byte of the connection, when a body contains what looks like the headers of others. */
const MAX_TIMES = 2;

export type Joined = { bytes: Buffer; isWhole: boolean };

/**
 * What a connection's requests say in chunked bodies (RFC 9112, section 7.1), without the framing: the data of all
 * chunks, then their extensions and trailers. A line that should be a chunk's size and is none counts as data. Null
 * without such a body. Not whole: there was more than is read of bodies within each other.
 */
export function joinChunks(connection: Buffer): Joined | null {
  const text = connection.toString("latin1");
  const parts: Parts = { data: [], names: [], values: [] };
  let left = text.length * MAX_TIMES;
  let isWhole = true;
  // Each header counts, also one in what seems to be a chunk: its size may be there to swallow the next request.
  for (const { index } of text.matchAll(CHUNKED)) {
    HEADERS_END.lastIndex = index + 1;
    if (HEADERS_END.exec(text) === null) break;
    const begin = HEADERS_END.lastIndex;
    left -= readBody(text, { begin, end: Math.min(text.length, begin + left) }, parts) - index;
    if (left > 0) continue;
    isWhole = false;
    break;
  }
  const all = [parts.data, parts.names, parts.values].map((list) => list.join(""));
  return all.every((joined) => joined === "") ? null : { bytes: Buffer.from(all.join("\0"), "latin1"), isWhole };
}

type Parts = { data: string[]; names: string[]; values: string[] };
type Range = { begin: number; end: number };

/** Returns where the body ends. */
function readBody(text: string, { begin, end }: Range, parts: Parts): number {
  let at = begin;
  while (at < end) {
    const line = lineAt(text, at, end);
    at = line.next;
    const [, size, extension = ""] = SIZE.exec(line.text) ?? [];
    if (size === undefined) {
      parts.data.push(line.text);
      continue;
    }
    for (const parameter of extension.split(";")) addField(parameter, parts);
    const length = Number.parseInt(size, 16);
    if (length === 0) return readTrailers(text, { begin: at, end }, parts);
    parts.data.push(text.slice(at, Math.min(at + length, end)));
    at += length;
    if (text.startsWith("\r\n", at)) at += 2;
    else if (text.startsWith("\n", at)) at += 1;
  }
  return Math.min(at, end);
}

function readTrailers(text: string, { begin, end }: Range, parts: Parts): number {
  let at = begin;
  while (at < end) {
    const line = lineAt(text, at, end);
    at = line.next;
    if (line.text === "") break;
    addField(line.text, parts);
  }
  return at;
}

/** A parameter of an extension, or a trailer: names and values are joined apart, since a secret may be in parts of either. */
function addField(field: string, { names, values }: Parts): void {
  if (field === "") return;
  const divider = field.search(/[=:]/);
  names.push(divider === -1 ? field : field.slice(0, divider));
  if (divider !== -1) values.push(field.slice(divider + 1).replaceAll('"', ""));
}

function lineAt(text: string, at: number, end: number): { text: string; next: number } {
  const found = text.indexOf("\n", at);
  const last = found === -1 || found > end ? end : found;
  return { text: text.slice(at, last).replace(/\r$/, ""), next: last + 1 };
}

/** What one destination was sent that is tried in each of its orders. */
const MAX_MESSAGES = 2_000;
const MAX_MESSAGE = 4_096;
const MAX_FIELDS = 100;
/** Numbers in each message by which a sender may have counted. */
const MAX_COUNTERS = 2;

/**
 * Joins messages of one destination field by field, since a secret that is sent in parts is one field of many messages: in the
 * order of their arrival, backwards, and in the order of numbers that they carry. Fields are letters and digits; what is between
 * them is left out. Of long messages only the beginning is read.
 */
export function joinFields(messages: readonly string[]): string {
  if (messages.length < 2) return "";
  return [FIELDS, ENCODED_FIELDS].map((between) => joinRows(messages, between)).join(",");
}

const FIELDS = /[^A-Za-z0-9]+/;
/** With the marks of base64, of which a field loses its place among others. */
const ENCODED_FIELDS = /[^A-Za-z0-9+/_-]+/;

function joinRows(messages: readonly string[], between: RegExp): string {
  const rows = messages
    .slice(0, MAX_MESSAGES)
    .map((text) => withoutEscapes(text.slice(0, MAX_MESSAGE)).split(between, MAX_FIELDS));
  const orders = [rows, rows.toReversed(), ...countersOf(rows).map((index) => inOrderOf(rows, index))];
  const width = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, index) => index);
  return orders.flatMap((order) => columns.map((index) => order.map((row) => row[index] ?? "").join(""))).join(",");
}

/**
 * What the requests of one destination carry, one after the other: their bodies, and what differs in their targets. For
 * a body or text that was encoded as a whole and then sent in parts.
 */
export function joinRequests(messages: readonly string[]): string[] {
  if (messages.length < 2) return [];
  const bodies = messages.map((message) => message.slice((/\r?\n\r?\n/.exec(message)?.index ?? -4) + 4));
  const targets = messages.map((message) => /^[A-Z]+ (\S+) HTTP\//.exec(message)?.[1] ?? "");
  const common = commonStart(targets);
  return [bodies.join(""), targets.map((target) => withoutEscapes(target.slice(common))).join("")];
}

function commonStart([first = "", ...others]: readonly string[]): number {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return length;
}

/** A text without percent encoding, one character for each byte. */
export function withoutEscapes(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The same for the lines of one message, those that begin with the same word together: pipelined requests, or parts with a word. */
export function joinLines(message: string): string {
  const groups = new Map<string, string[]>();
  for (const line of message.split("\n", MAX_MESSAGES)) {
    const [word = ""] = line.split(/[^A-Za-z0-9]/, 1);
    groups.set(word, [...(groups.get(word) ?? []), line]);
  }
  return [...groups.values()].map(joinFields).join(",");
}

/** The fields that are another number in each message. */
function countersOf(rows: readonly string[][]): number[] {
  const [first = []] = rows;
  const counters = first.flatMap((_, index) => {
    const values = rows.map((row) => row[index] ?? "");
    const areNumbers = values.every((value) => /^\d{1,9}$/.test(value));
    return areNumbers && new Set(values).size === values.length ? [index] : [];
  });
  return counters.slice(0, MAX_COUNTERS);
}

function inOrderOf(rows: readonly string[][], index: number): string[][] {
  return rows.toSorted((a, b) => Number(a[index]) - Number(b[index]));
}
