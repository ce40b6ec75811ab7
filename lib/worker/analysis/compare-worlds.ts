import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { sha256Hex } from "@/lib/core/hash";
import { isLoopback, registeredDomain } from "@/lib/policy/analysis/known-services";
import { MAX_LISTED, type StepReport } from "@/lib/policy/analysis/schema";
import { answererOf, connectionsOf, namesOf, type Place, placeOf } from "./bytes-that-left";
import type { Canary } from "./decoys";
import { cut, withSent } from "./judge-step";
import { besidesName, readQuestion } from "./recorder-messages";
import type { Executed } from "./run-step";

/**
 * Digests of what each place received, by the place's text. `items` are in no order, because threads may change it. What is random for
 * many programs is judged by itself: `order`, and `extras`, which are boundaries of forms and what a question has besides its name
 * and type. `turns`: which place was sent something, in which connection, and `asked`: which question, from the first to the last.
 */
type Received = {
  places: Map<string, Place & { items: string[]; order: string[]; extras: string[] }>;
  turns: Turn[];
  asked: Turn[];
};

/** `length`: of a record of TLS, which others see. Parts of other messages are joined by chance. */
type Turn = { to: string; what: string; length?: number };

/** Secrets that the search has found; their usual forms are left out, so that another one beside them is seen. */
type Found = { names: ReadonlySet<string>; leftBytes: number };
/** Of all that is searched for these forms; what is beyond it is compared as it is. */
const MAX_SEARCHED = 256 * 1024 * 1024;

/** `isClean`: every place received the same in both worlds. */
type Differences = Pick<StepReport, "sent" | "varying"> & { isClean?: true };

/** What a report calls a secret of which only the effect is known. */
const UNKNOWN_SECRET = "a secret in an unknown form";

/** Stands for what is left out of a text; no program knows it. */
const LEFT_OUT = randomUUID();

const DNS_PORT = 53;

type Again = (world: "same" | "other") => Promise<Executed | null>;

/**
 * Executes a program again to find secrets that leave in a form which no search knows, and returns its report with them. `executed` was
 * executed with the planted secrets of one world; `again` executes it in that world or in one with other secrets, and gives null
 * when it was not executed to its end. Where a place received the same each time in each world, and not the same in both, something
 * of a secret was in it. Where it receives something else each time, or time is over, that cannot be known: `varying` has its
 * hosts. Worlds take turns, so that a clock changes what the same world sends too. What was not searched has no secret where it
 * is the same with others.
 */
export async function compareWorlds(report: StepReport, executed: Executed, again: Again): Promise<StepReport> {
  const { sent, varying, isClean } = await differencesOf(report, executed, again);
  const { search: _search, ...beyond } = report.beyond;
  return {
    ...withSent(report, sent),
    ...(varying && { varying: varying.map((host) => cut(host)).slice(0, MAX_LISTED) }),
    ...(isClean && { beyond }),
  };
}

async function differencesOf({ sent }: StepReport, executed: Executed, again: Again): Promise<Differences> {
  const found = { names: new Set(sent.map(({ canary }) => canary)), leftBytes: MAX_SEARCHED };
  const first = await receivedBy(executed, found);
  const asked = [...first.places.keys()];
  if (asked.length === 0) return { sent: [] };
  const unknown = { sent: [], varying: hostsOf(asked, first) };
  if (!isWhole(executed)) return unknown;
  const seen: Seen = { same: [], other: [] };
  let steady = new Set<string>();
  let open = asked;
  const isCandidate = (to: string) => isOdd(to, seen) || isSteady(to, seen);
  for (let turn = 1, turns = TURNS; turn <= turns; turn += 1) {
    const world = turn % 2 === 1 ? "other" : "same";
    const next = await again(world);
    if (next === null || !isWhole(next)) return { ...unknown, varying: hostsOf(open, first) };
    const received = await receivedBy(next, found);
    if (turn === 1) {
      // A place whose content changes with the secrets would move the turns of the others.
      steady = new Set(asked.filter((to) => isSame(to, first, received)));
      seen.same.push(inTurns(first, steady));
    }
    seen[world].push(inTurns(received, steady));
    const [other = first] = seen.other;
    open = open.filter((to) => !isSame(to, first, other) || isOdd(to, seen));
    if (open.length === 0) return { sent: [], ...(sent.length === 0 && { isClean: true }) };
    if (!open.some(isCandidate)) break;
    // Among more places, chance makes one look so more often.
    if (turn === 1) turns += Math.ceil(Math.log2(open.length));
  }
  const depends = open.filter(isCandidate);
  const varying = hostsOf(
    open.filter((to) => !depends.includes(to)),
    first,
  );
  return {
    sent: depends.flatMap((to) => {
      const place = first.places.get(to);
      return place ? [{ canary: UNKNOWN_SECRET, encoding: "unknown", ...placeIn(place) } as const] : [];
    }),
    ...(varying.length > 0 && { varying }),
  };
}

/** Four executions of each world, so that a choice among two looks like a secret once in 128 times only. */
const TURNS = 7;

type Seen = { same: InTurns[]; other: InTurns[] };
/** `when`: the turns of each place, by its text. */
type InTurns = Received & { when: ReadonlyMap<string, string[]> };

/** Whether each world sends the same each time. */
function isSteady(to: string, seen: Seen): boolean {
  return [seen.same, seen.other].every(
    ([one, ...more]) => one === undefined || more.every((each) => isSame(to, one, each)),
  );
}

/** Whether what is random for most programs, such as the boundary of a form, changes with the secrets only, as far as is known. */
function isOdd(to: string, { same, other }: Seen): boolean {
  const kinds: ((received: InTurns) => string)[] = [
    ({ places }) => String(places.get(to)?.order),
    ({ places }) => String(places.get(to)?.extras),
    ({ when }) => String(when.get(to)),
  ];
  return kinds.some((kind) => {
    const [first, ...more] = same.map(kind);
    const [second, ...others] = other.map(kind);
    return first !== second && more.every((each) => each === first) && others.every((each) => each === second);
  });
}

/** Adds the turns of these places, counted among them alone. */
function inTurns(received: Received, among: ReadonlySet<string>): InTurns {
  const when = new Map<string, string[]>();
  for (const turns of [received.turns, received.asked]) {
    const all = turns.filter(({ to }) => among.has(to));
    const joined = all.filter(({ what, length }, at) => length !== undefined || what !== all[at - 1]?.what);
    for (const [at, { to, what, length }] of joined.entries()) {
      const known = when.get(to) ?? [];
      when.set(to, known);
      known.push(`${at} ${what} ${length}`);
    }
  }
  return { ...received, when };
}

const placeIn = ({ channel, to, hosts }: Place): Place => ({ channel, to, hosts });

function hostsOf(places: readonly string[], received: Received): string[] {
  return [...new Set(places.flatMap((to) => received.places.get(to)?.hosts ?? []))];
}

function isSame(to: string, one: Received, other: Received): boolean {
  return one.places.get(to)?.items.join("\0") === other.places.get(to)?.items.join("\0");
}

/** Whether everything that left is known: the program ended, and no list of its network is cut. */
function isWhole({ end, observed, recorded }: Executed): boolean {
  const isEnded = end.kind === "exited" || end.kind === "signalled";
  return isEnded && observed.addresses.beyond === 0 && observed.lost.payloads === 0 && recorded.beyond === 0;
}

/**
 * Names and types of questions, ports, and data without the found secrets and what is random in a greeting of TLS. Other work has its
 * turn after each connection.
 */
async function receivedBy({ observed, recorded, canaries }: Executed, found: Found): Promise<Received> {
  const nameOf = namesOf(recorded);
  const received: Received = { places: new Map(), turns: [], asked: [] };
  const forms = canaries.filter(({ name }) => found.names.has(name)).map(formsOf);
  const add = (place: Place, text: string, extra?: string) => {
    if (place.hosts.every(isLoopback)) return;
    found.leftBytes -= text.length * forms.length;
    const item = sha256Hex(found.leftBytes < 0 ? text : forms.reduce((left, form) => form(left), text));
    const known = received.places.get(place.to) ?? { ...place, items: [], order: [], extras: [] };
    received.places.set(place.to, known);
    known.items.push(item);
    known.order.push(item);
    if (extra !== undefined) known.extras.push(extra);
  };
  const reached = (address: string) => nameOf.get(address) ?? address;
  const numbers = new Map<number, string>();
  for (const { connection, channel, address, port, host, bytes } of recorded.data) {
    if (connection === 0) continue;
    const { to } = placeOf(reached(address), host, port);
    const what = numbers.get(connection) ?? `${to} ${numbers.size}`;
    numbers.set(connection, what);
    received.turns.push({ to, what, ...(channel === "tls" && { length: bytes.length }) });
  }
  for (const { channel, address, port, host, bytes, connection } of recorded.data) {
    if (connection > 0) continue;
    const part = Buffer.from(bytes, "base64");
    const isGreeting = channel === "tls" && host === null;
    const text = isGreeting ? withoutRandom(part) : `${channel} ${part.toString("latin1")}`;
    add({ channel, ...placeOf(reached(address), host, port) }, text);
  }
  for (const { parts, places } of connectionsOf({ recorded, nameOf })) {
    await turn();
    const text = Buffer.concat(parts).toString("latin1");
    const boundary = boundaryOf(text);
    const [place] = places;
    if (place === undefined) continue;
    if (boundary === null) add(place, text);
    else add(place, text.replaceAll(boundary, LEFT_OUT), boundary);
  }
  const questions = new Map<string, { place: Place; text: string; more: Set<string> }>();
  const ask = (server: string, name: string, bytes: Buffer) => {
    const question = readQuestion(bytes);
    const text = `${question?.type ?? ""} ${name}`;
    // Without its number, which is random. A client repeats a question that is not answered in time.
    const more = question === null ? "" : besidesName(bytes, question).toString("latin1", 2);
    const place = { channel: "dns", ...answererOf(server, registeredDomain(name.toLowerCase())) } as const;
    const known = questions.get(`${server} ${text}`) ?? { place, text, more: new Set() };
    questions.set(`${server} ${text}`, known);
    known.more.add(more);
    received.asked.push({ to: place.to, what: `${server} ${text}` });
  };
  for (const { name, server, bytes } of recorded.names) ask(server, name, Buffer.from(bytes, "base64"));
  for (const { address, port, bytes } of observed.payloads) {
    const question = port === DNS_PORT ? readQuestion(bytes) : null;
    if (question !== null) ask(address, question.name, bytes);
    else add({ channel: "udp", ...placeOf(reached(address), null, port) }, bytes.toString("latin1"));
  }
  for (const { place, text, more } of questions.values()) add(place, text, JSON.stringify([...more]));
  for (const { address, port, protocol } of observed.addresses.items.values())
    if (port !== DNS_PORT || protocol === "tcp")
      add({ channel: protocol, ...placeOf(reached(address), null, port) }, `asked by ${protocol}`);
  for (const { items } of received.places.values()) items.sort();
  return received;
}

/** Extensions of a greeting whose data is random or of an earlier connection: tickets and keys (RFC 8446, section 4.2). */
const RANDOM_EXTENSIONS = new Set([35, 41, 51, 0xfe0d]);
/** Behind the heads of the record and of the message, whose last three bytes are its length. */
const GREETING_BEGIN = 5 + 4;
const GREETING_START = GREETING_BEGIN + 2;
const RANDOM_BYTES = 32;

/** A greeting of TLS (RFC 8446, section 4.1.2) without its random number, session and keys; as it is, if it is none. */
function withoutRandom(greeting: Buffer): string {
  try {
    const session = GREETING_START + RANDOM_BYTES;
    const ciphers = session + 1 + greeting.readUInt8(session);
    const compressions = ciphers + 2 + greeting.readUInt16BE(ciphers);
    let at = compressions + 1 + greeting.readUInt8(compressions);
    const kept = [greeting.subarray(ciphers, at)];
    const end = GREETING_BEGIN + greeting.readUIntBE(GREETING_BEGIN - 3, 3);
    for (at += 2; at < end; ) {
      const [type, length] = [greeting.readUInt16BE(at), greeting.readUInt16BE(at + 2)];
      if (!RANDOM_EXTENSIONS.has(type)) kept.push(greeting.subarray(at, at + 4 + length));
      at += 4 + length;
    }
    return Buffer.concat([...kept, greeting.subarray(end)]).toString("latin1");
  } catch {
    return greeting.toString("latin1");
  }
}

/** What separates the parts of a form (RFC 2046, section 5.1.1), a random text; null for other requests. */
function boundaryOf(text: string): string | null {
  const head = text.slice(0, Math.max(0, text.indexOf("\r\n\r\n")));
  return /\r\ncontent-type: *multipart\/[^\r\n]*?\bboundary="?([\w'()+,./:=?-]{8,70})/i.exec(head)?.[1] ?? null;
}

/**
 * Leaves a planted secret out of a text: in clear, in hexadecimal digits, or in base64 with what stands before and behind it in
 * its groups.
 */
function formsOf({ token }: Canary): (text: string) => string {
  const hex = Buffer.from(token, "latin1").toString("hex");
  const groups = [0, 1, 2].map((before) => {
    const text = Buffer.from("\0".repeat(before) + token, "latin1").toString("base64");
    return text.replace(/=+$/, "").slice(before === 0 ? 0 : 4, -4);
  });
  const plain = [token, hex, hex.toUpperCase()];
  return (text) => {
    let left = text;
    for (const form of plain) if (left.includes(form)) left = left.replaceAll(form, LEFT_OUT);
    for (const group of groups)
      if (left.includes(group))
        left = left.replace(new RegExp(`[\\w+/-]{0,4}${group}[\\w+/-]{0,4}={0,2}`, "g"), LEFT_OUT);
    return left;
  };
}
