import { setImmediate as turn } from "node:timers/promises";
import {
  type DeedKind,
  MAX_LISTED,
  SentPlace,
  type StepEnd,
  type StepReport,
  textOfSent,
} from "@/lib/policy/analysis/schema";
import { storableText } from "@/lib/skill-format/json-values";
import { bytesThatLeft, type Left, namesOf, placesOfConnections } from "./bytes-that-left";
import type { Canary } from "./decoys";
import { createCanarySearch } from "./find-canaries";
import { createPartSearch, LONGEST_PART } from "./find-parts";
import type { Recorded } from "./open-recorder";
import { isMetadata } from "./places";
import type { Listed, Observations } from "./read-trace";

type Sent = StepReport["sent"][number];
type Deed = StepReport["deeds"][number];

export type Judged = {
  step: number;
  end: StepEnd;
  durationMs: number;
  observed: Observations;
  recorded: Recorded;
  canaries: readonly Canary[];
  stdout: string;
  stderr: string;
};

const MAX_TEXT = 400;
const MAX_OUTPUT = 4_000;
/** Of a step's lists as JSON, so that a report of the most steps is one that the server accepts. */
const MAX_LIST_BYTES = 256 * 1024;
/** Bytes that are searched at once; they overlap by half, so that what was sent in parts is whole in one of them. */
const WINDOW = 512 * 1024;

/**
 * The report of a step, from what the tracer and the recorder saw. Everything in it is bounded text. Other work has its
 * turn in between, since the search for planted secrets takes seconds when a program sends much.
 */
export async function judgeStep(judged: Judged): Promise<StepReport> {
  const { step, end, durationMs, observed, recorded, stdout, stderr } = judged;
  const nameOf = namesOf(recorded);
  const names = [...new Set(recorded.names.map(({ name }) => name.toLowerCase()))];
  const addresses = listOf(observed.addresses).map(({ address, port, protocol, connected }) => ({
    ...{ address: cut(address), port, protocol, answered: connected },
    name: cutOrNull(nameOf.get(address)),
  }));
  const { sent, unsearched } = await findSent({ ...judged, nameOf });
  const writes = listOf(observed.writes).map((write) => ({ ...write, path: cut(write.path) }));
  const reads = listOf(observed.reads).map((read) => ({ ...read, path: cut(read.path) }));
  const refused = listOf(observed.refused).map(({ call, count }) => ({ call: call.slice(0, 60), count }));
  const leftRunning = listOf(observed.leftRunning).map((program) => cut(program));
  const asked = recorded.data.flatMap(({ address, host }) => [address, host ?? ""]);
  const hosts = [...names, ...asked, ...requestedHosts(recorded.data)].filter(isMetadata);
  const deeds = inTurns([
    sent.map(deedOf),
    deedsOf("asked_control", listOf(observed.controls)),
    deedsOf("asked_metadata", new Set([...hosts, ...listOf(observed.metadata)])),
    deedsOf("read_canary", listOf(observed.canariesRead)),
    deedsOf("wrote_outside", listOf(observed.wroteOutside)),
    deedsOf(
      "refused_call",
      listOf(observed.refused).map(({ call }) => call),
    ),
    deedsOf("left_process", listOf(observed.leftRunning)),
  ]);
  const lists = {
    programs: listOf(observed.programs).map(({ path, args, count }) => ({ path: cut(path), args: cut(args), count })),
    ...{ reads, writes, addresses, refused, leftRunning, sent, deeds },
    lookedFor: listOf(observed.lookedFor).map(({ path, exists }) => ({ path: cut(path), exists })),
    names: names.map((name) => cut(name)),
  };
  const listed = limited(lists);
  return {
    ...{ step, end, durationMs: Math.round(durationMs) },
    ...listed,
    beyond: beyondOf(lists, listed, observed, { network: unseenOf(judged), search: unsearched }),
    stdout: tail(stdout),
    stderr: tail(stderr),
  };
}

/** Of two executions of a step: what both did, and the end and output of the first one given. */
export function mergeReports(report: StepReport, other: StepReport): StepReport {
  const lists = Object.fromEntries(
    BY_WEIGHT.map((name) => {
      const entries: unknown[] = [...report[name], ...other[name]];
      return [name, [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()]];
    }),
  ) as unknown as Lists;
  const listed = limited(lists);
  const left = BY_WEIGHT.map((name): [string, number] => [name, lists[name].length - listed[name].length]);
  const counts = [Object.entries(report.beyond), Object.entries(other.beyond), left].flat();
  const beyond: Record<string, number> = {};
  for (const [name, count] of counts) if (count > 0) beyond[name] = Math.max(beyond[name] ?? 0, count);
  const varying = [...new Set([...(report.varying ?? []), ...(other.varying ?? [])])].slice(0, MAX_LISTED);
  return { ...report, ...listed, beyond, ...(varying.length > 0 && { varying }) };
}

/** How often something was done, and addresses that the recorder gave for names, may be others in a second execution. */
function keyOf(entry: unknown): string {
  const isNamed = typeof entry === "object" && entry !== null && "name" in entry && entry.name !== null;
  const isOther = (name: string) => name === "count" || (name === "address" && isNamed);
  return JSON.stringify(entry, (name, value: unknown) => (isOther(name) ? undefined : value));
}

/** The report with more secrets that left. */
export function withSent(report: StepReport, sent: readonly Sent[]): StepReport {
  const more = sent.map(presentSent);
  return {
    ...report,
    sent: [...report.sent, ...more].slice(0, MAX_LISTED),
    deeds: [...more.map(deedOf), ...report.deeds].slice(0, MAX_LISTED),
  };
}

const deedOf = (sent: Sent): Deed => ({ kind: "sent_canary", what: cut(textOfSent(sent)) });

/** A step that was never executed, with the reason. */
export function unstartedStep(step: number, reason: string): StepReport {
  return {
    ...{ step, durationMs: 0, beyond: {}, stdout: "", stderr: "" },
    end: { kind: "not_started", reason: cut(reason, 1_000) },
    ...{ programs: [], reads: [], lookedFor: [], writes: [], addresses: [], names: [], sent: [], refused: [] },
    ...{ leftRunning: [], deeds: [] },
  };
}

type Lists = Omit<
  StepReport,
  "step" | "ofVersion" | "end" | "durationMs" | "varying" | "beyond" | "stdout" | "stderr" | "agent"
>;

/** What is most severe comes first, so that the length of other entries leaves none of it out. */
const BY_WEIGHT: (keyof Lists)[] = [
  ...(["deeds", "sent", "refused", "leftRunning", "names", "addresses"] as const),
  ...(["writes", "reads", "lookedFor", "programs"] as const),
];

/** The first entries of each list: at most 200, and of all lists together as many as fit. */
function limited(lists: Lists): Lists {
  let left = MAX_LIST_BYTES;
  const fits = (item: unknown) => {
    left -= Buffer.byteLength(JSON.stringify(item)) + 1;
    return left >= 0;
  };
  return Object.fromEntries(
    BY_WEIGHT.map((name) => [name, lists[name].slice(0, MAX_LISTED).filter(fits)]),
  ) as unknown as Lists;
}

/** What went to the network and is not known: over limits of the recorder, or in datagrams that no call told. */
function unseenOf({ observed, recorded }: Judged): number {
  return recorded.beyond + Math.max(0, recorded.unserved - observed.told);
}

function beyondOf(
  lists: Lists,
  listed: Lists,
  observed: Observations,
  lost: Record<string, number>,
): Record<string, number> {
  const counted = BY_WEIGHT.map((name): [string, number] => {
    const seen: unknown = name in observed ? observed[name as keyof Observations] : null;
    const more = isListed(seen) ? seen.beyond : 0;
    return [name, lists[name].length - listed[name].length + more];
  });
  const { wroteOutside, metadata, canariesRead, controls } = observed;
  const deeds = wroteOutside.beyond + metadata.beyond + canariesRead.beyond + controls.beyond;
  const all: Record<string, number> = { ...Object.fromEntries(counted), ...observed.lost, ...lost };
  all.deeds = (all.deeds ?? 0) + deeds;
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

function deedsOf(kind: DeedKind, what: Iterable<string>): Deed[] {
  return [...what].map((each) => ({ kind, what: cut(each) }));
}

/** One of each list after the other, so that many deeds of one kind do not keep another out of a limited list. */
function inTurns(lists: Deed[][]): Deed[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}

function isListed(value: unknown): value is Listed<unknown> {
  return typeof value === "object" && value !== null && "beyond" in value;
}

function listOf<T>({ items }: Listed<T>): T[] {
  return [...items.values()];
}

async function findSent(seen: Left & Pick<Judged, "canaries">): Promise<{ sent: Sent[]; unsearched: number }> {
  const found = new Map<string, Sent>();
  const { search, unfinished } = createCanarySearch(seen.canaries);
  const parts = createPartSearch(seen.canaries);
  let unread = 0;
  const countUnread = () => {
    unread += 1;
  };
  for (const { bytes, isJoined = false, ...place } of bytesThatLeft(seen, countUnread)) {
    for (let from = 0; from === 0 || from + WINDOW / 2 < bytes.length; from += WINDOW / 2) {
      await turn();
      const window = bytes.subarray(from, from + WINDOW);
      parts.add(window.subarray(from === 0 ? 0 : WINDOW / 2 - LONGEST_PART), place);
      await turn();
      for (const { canary, encoding } of await search(window, !isJoined)) {
        const key = `${canary} ${place.channel} ${place.to}`;
        if (!found.has(key)) found.set(key, presentSent({ canary, encoding, ...place }));
      }
    }
  }
  const places = found.size > 0 ? await placesOf(seen) : new Map<string, SentPlace>();
  const whole = [...found].map(([key, sent]): Sent => ({ ...sent, place: places.get(key) ?? "message" }));
  const inParts = parts.found((canary, { channel, to }) => found.has(`${canary} ${channel} ${to}`));
  return {
    // A service does not read a credential that comes in parts.
    sent: [...whole, ...inParts.map((sent) => presentSent({ ...sent, place: "message" }))],
    unsearched: unfinished() + unread + parts.beyond(),
  };
}

/** Of what is decoded to find where in a request a secret is. */
const MAX_PLACED = 32 * 1024 * 1024;
const MIN_CREDENTIAL = 8;
const MAX_CREDENTIALS = 20;

/**
 * Where in its requests each secret is that was found, by secret, channel and destination; the worst of several. In a request with
 * a credential of another account, what is not in a header is a message for that account.
 */
async function placesOf(seen: Left & Pick<Judged, "canaries">): Promise<Map<string, SentPlace>> {
  const { search } = createCanarySearch(seen.canaries, MAX_PLACED);
  const found = new Map<string, SentPlace>();
  const fromBest = SentPlace.options;
  for (const { places, parts, credentials } of placesOfConnections(seen)) {
    await turn();
    const isOwn = async (text: string) => (await search(Buffer.from(text, "latin1"))).length > 0;
    let isForeign = credentials.length > MAX_CREDENTIALS;
    for (const text of credentials.slice(0, MAX_CREDENTIALS))
      if (text.length >= MIN_CREDENTIAL && !isForeign) isForeign = !(await isOwn(text));
    for (const place of fromBest)
      for (const { canary } of await search(Buffer.from(parts[place], "latin1")))
        for (const to of places) {
          const known = found.get(`${canary} ${to}`) ?? "header";
          const here = isForeign && place !== "header" ? "message" : place;
          const isWorse = fromBest.indexOf(here) >= fromBest.indexOf(known);
          found.set(`${canary} ${to}`, isWorse ? here : known);
        }
  }
  return found;
}

function presentSent(sent: Sent): Sent {
  return { ...sent, to: cut(sent.to), hosts: sent.hosts?.map((host) => cut(host)) };
}

export function cut(text: string, length = MAX_TEXT): string {
  // Control characters could change what a terminal or a page shows around them.
  const plain = storableText(text).replace(/\p{Cc}/gu, "\ufffd");
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain;
}

function cutOrNull(text: string | undefined): string | null {
  return text === undefined ? null : cut(text);
}

function tail(text: string): string {
  const plain = storableText(text);
  return plain.length > MAX_OUTPUT ? `…${plain.slice(1 - MAX_OUTPUT)}` : plain;
}

/** The authority of a request's first line: of a proxy's request, or of `CONNECT` (RFC 9112, section 3.2). */
const TARGET = /(?:^|\n)(?:CONNECT[ \t]+|[A-Z]{3,12}[ \t]+https?:\/\/)(?:[^\s/@]*@)?(\[[^\]\s]*\]|[^\s/:?#]+)/gi;
const HOST = /\nhost[ \t]*:[ \t]*(?:[^\s/@]*@)?(\[[^\]\s]*\]|[^\s/:?#]+)/gi;
const MAX_HOSTS = 200;

/** The hosts that connections asked for, in the words of a proxy or a virtual host. */
export function requestedHosts(data: Recorded["data"]): string[] {
  const connections = new Map<string, Buffer[]>();
  for (const { address, port, connection, bytes } of data) {
    const key = `${address} ${port} ${connection}`;
    connections.set(key, [...(connections.get(key) ?? []), Buffer.from(bytes, "base64")]);
  }
  const hosts = new Set<string>();
  for (const parts of connections.values())
    for (const host of hostsIn(Buffer.concat(parts))) if (hosts.size < MAX_HOSTS) hosts.add(host);
  return [...hosts];
}

function hostsIn(bytes: Buffer): string[] {
  const text = bytes.toString("latin1");
  const named = [TARGET, HOST].flatMap((pattern) => [...text.matchAll(pattern)].map(([, host = ""]) => host));
  return [...named, ...socksTarget(bytes)].map((host) => host.replace(/^\[|\]$/g, "").slice(0, 255));
}

/** SOCKS 4 and 4a: version, command, port, address, user; a name follows the address 0.0.0.x. */
function socksTarget(bytes: Buffer): string[] {
  if (bytes.length < 9 || bytes[0] !== 4 || (bytes[1] !== 1 && bytes[1] !== 2)) return [];
  const address = bytes.subarray(4, 8);
  const [, name = ""] = bytes.toString("latin1", 8).split("\0");
  return address.readUInt32BE(0) > 255 ? [address.join(".")] : [name];
}
