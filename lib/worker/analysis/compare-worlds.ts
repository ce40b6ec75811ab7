import { registeredDomain } from "@/lib/policy/analysis/known-services";
import { MAX_LISTED, type StepReport } from "@/lib/policy/analysis/schema";
import { answererOf, namesOf, type Place, placeOf } from "./bytes-that-left";
import { cut, withSent } from "./judge-step";
import { readQuestion } from "./recorder-messages";
import type { Executed } from "./run-step";

/** What each place received, by the place's text; the order of connections, which threads may change, does not count. */
type Received = Map<string, Place & { items: string[] }>;

/** `isClean`: every place received the same in both worlds. */
type Differences = Pick<StepReport, "sent" | "varying"> & { isClean?: true };

/** What a report calls a secret of which only the effect is known. */
const UNKNOWN_SECRET = "a secret in an unknown form";

const DNS_PORT = 53;

type Again = (world: "same" | "other") => Promise<Executed | null>;

/**
 * Executes a program again to find secrets that leave in a form which no search knows, and returns its report with them. `executed` was
 * executed with the planted secrets of one world; `again` executes it in that world or in one with other secrets, and gives null
 * when it was not executed to its end. Where a place received the same twice in each world, and not the same in both, something
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
  // What was found in clear is left out of the comparison; in another form it would differ.
  const known = new Set(sent.flatMap(({ to, encoding }) => (encoding === "clear" ? [] : [to])));
  const first = receivedBy(executed);
  const asked = [...first.keys()].filter((to) => !known.has(to));
  if (asked.length === 0) return { sent: [] };
  if (!isWhole(executed)) return { sent: [], varying: hostsOf(asked, first) };
  const seen: Received[] = [first];
  let open = asked;
  for (const world of ["other", "same", "other"] as const) {
    const next = await again(world);
    if (next === null || !isWhole(next)) return { sent: [], varying: hostsOf(open, first) };
    seen.push(receivedBy(next));
    const [, other = first] = seen;
    if (seen.length === 2) open = asked.filter((to) => !isSame(to, first, other));
    if (open.length === 0) return { sent: [], ...(sent.length === 0 && { isClean: true }) };
  }
  const [, other = first, same = first, otherAgain = first] = seen;
  const isSteady = (to: string) => isSame(to, first, same) && isSame(to, other, otherAgain);
  const depends = open.filter(isSteady);
  const varying = hostsOf(
    open.filter((to) => !isSteady(to)),
    first,
  );
  return {
    sent: depends.flatMap((to) => {
      const place = first.get(to);
      return place ? [{ canary: UNKNOWN_SECRET, encoding: "unknown", ...placeIn(place) } as const] : [];
    }),
    ...(varying.length > 0 && { varying }),
  };
}

const placeIn = ({ channel, to, hosts }: Place): Place => ({ channel, to, hosts });

function hostsOf(places: readonly string[], received: Received): string[] {
  return [...new Set(places.flatMap((to) => received.get(to)?.hosts ?? []))];
}

function isSame(to: string, one: Received, other: Received): boolean {
  return one.get(to)?.items.join("\0") === other.get(to)?.items.join("\0");
}

/** Whether everything that left is known: the program ended, and no list of its network is cut. */
function isWhole({ end, observed, recorded }: Executed): boolean {
  const isEnded = end.kind === "exited" || end.kind === "signalled";
  return isEnded && observed.addresses.beyond === 0 && observed.lost.payloads === 0 && recorded.beyond === 0;
}

/**
 * Names, ports and data, without planted secrets in clear and what is random in a greeting of TLS; of questions their names only.
 */
function receivedBy({ observed, recorded, canaries }: Pick<Executed, "observed" | "recorded" | "canaries">): Received {
  const nameOf = namesOf(recorded);
  const received: Received = new Map();
  const add = (place: Place, text: string) => {
    if (place.hosts.every(isOwn)) return;
    const item = canaries.reduce((left, { name, token }) => left.replaceAll(token, name), text);
    const known = received.get(place.to);
    if (known) known.items.push(item);
    else received.set(place.to, { ...place, items: [item] });
  };
  const reached = (address: string) => nameOf.get(address) ?? address;
  const connections = new Map<number, Place & { parts: Buffer[] }>();
  for (const { channel, address, port, host, bytes, connection } of recorded.data) {
    const place = { channel, ...placeOf(reached(address), host, port) };
    const part = Buffer.from(bytes, "base64");
    if (connection === 0) {
      const isGreeting = channel === "tls" && host === null;
      add(place, isGreeting ? withoutRandom(part) : `${channel} ${part.toString("latin1")}`);
      continue;
    }
    const known = connections.get(connection);
    if (known) known.parts.push(part);
    else connections.set(connection, { ...place, parts: [part] });
  }
  for (const { parts, ...place } of connections.values())
    add(place, withoutBoundary(Buffer.concat(parts).toString("latin1")));
  const questions = new Set<string>();
  for (const { name, server } of recorded.names) questions.add(`${server} ${name}`);
  for (const { address, port, bytes } of observed.payloads) {
    const question = port === DNS_PORT ? readQuestion(bytes) : null;
    if (question !== null) questions.add(`${address} ${question.name}`);
    else add({ channel: "udp", ...placeOf(reached(address), null, port) }, bytes.toString("latin1"));
  }
  for (const question of questions) {
    const [server = "", name = ""] = question.split(/ (.*)/s);
    add({ channel: "dns", ...answererOf(server, registeredDomain(name.toLowerCase())) }, name);
  }
  for (const { address, port, protocol } of observed.addresses.items.values())
    if (port !== DNS_PORT || protocol === "tcp")
      add({ channel: protocol, ...placeOf(reached(address), null, port) }, `asked by ${protocol}`);
  for (const { items } of received.values()) items.sort();
  return received;
}

function isOwn(host: string): boolean {
  return /^(?:127\.|::1$|0\.0\.0\.0$|::$|localhost$)/.test(host);
}

/** Extensions of a greeting whose data is random or of an earlier connection: tickets, keys and padding (RFC 8446, section 4.2). */
const RANDOM_EXTENSIONS = new Set([21, 35, 41, 51, 0xfe0d]);
const GREETING_START = 5 + 4 + 2;
const RANDOM_BYTES = 32;

/** A greeting of TLS (RFC 8446, section 4.1.2) without its random number, session and keys; as it is, if it is none. */
function withoutRandom(greeting: Buffer): string {
  try {
    const session = GREETING_START + RANDOM_BYTES;
    const ciphers = session + 1 + greeting.readUInt8(session);
    const compressions = ciphers + 2 + greeting.readUInt16BE(ciphers);
    let at = compressions + 1 + greeting.readUInt8(compressions);
    const kept = [greeting.subarray(ciphers, at)];
    for (at += 2; at < greeting.length; ) {
      const [type, length] = [greeting.readUInt16BE(at), greeting.readUInt16BE(at + 2)];
      if (!RANDOM_EXTENSIONS.has(type)) kept.push(greeting.subarray(at, at + 4 + length));
      at += 4 + length;
    }
    return Buffer.concat(kept).toString("latin1");
  } catch {
    return greeting.toString("latin1");
  }
}

/** The parts of a form are separated by a random text (RFC 2046, section 5.1.1). */
function withoutBoundary(text: string): string {
  const boundary = /\bboundary="?([\w'()+,./:=?-]{8,70})/i.exec(text.slice(0, 16_384))?.[1];
  return boundary === undefined ? text : text.replaceAll(boundary, "boundary");
}
