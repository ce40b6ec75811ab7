import { createSocket } from "node:dgram";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { createSecureContext, type SecureContext, TLSSocket } from "node:tls";
import { createAuthority } from "./certificates";
import {
  answerQuestion,
  type RecorderMessage,
  readQuestion,
  SERVED_PORTS,
  SERVED_UDP_PORTS,
} from "./recorder-messages";

/**
 * The program of the recorder: `bin/build-programs.mjs` bundles it. It runs in a network of its own in which every address
 * is local, so that it answers for all of them, and reports lines of JSON. It drops to the user id of its argument before
 * it accepts anything, and ends with its input.
 */
const MAX_NAMES = 4_000;
const MAX_CONTEXTS = 200;
const MAX_CONNECTIONS = 200;
const MAX_CONNECTION_BYTES = 256 * 1024;
const MAX_TOTAL_BYTES = 8 * 1024 * 1024;
const MAX_GREETING = 16 * 1024;
const QUIET_MS = 20_000;
const HTTP =
  /^(?:GET|POST|PUT|HEAD|PATCH|DELETE|OPTIONS|CONNECT|PROPFIND) |^[A-Z]{3,20} [^\r\n]{1,8000} HTTP\/1\.[01]\r\n/;

const authority = createAuthority();
const contexts = new Map<string, SecureContext>();
const addresses = new Map<string, string>();
let totalBytes = 0;
let connections = 0;
let accepted = 0;
let dropped = 0;

function report(message: RecorderMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** A different address for each name of a step, from the block for tests of networks (RFC 2544); null when there were too many names. */
function addressOf(name: string): string | null {
  const known = addresses.get(name);
  if (known !== undefined) return known;
  if (addresses.size === MAX_NAMES) return null;
  const number = addresses.size + 1;
  const address = `198.18.${number >> 8}.${number & 255}`;
  addresses.set(name, address);
  return address;
}

function contextOf(host: string): SecureContext {
  const known = contexts.get(host);
  if (known) return known;
  if (contexts.size > MAX_CONTEXTS) contexts.clear();
  const context = createSecureContext(authority.issue(host));
  contexts.set(host, context);
  return context;
}

type Peer = {
  address: string;
  port: number;
  host: string | null;
  channel: "http" | "tls" | "tcp";
  connection: number;
};

function plainAddress(address: string | undefined): string {
  return (address ?? "").replace(/^::ffff:/, "");
}

/** The host that a request is for: of a proxy's request the one that its first line names (RFC 9112, section 3.2.2). */
function hostOf(request: string): string | null {
  const named = /^(?:CONNECT |[A-Z]+ https?:\/\/)(\[[^\]\s]*\]|[^\s/:?#]+)/i.exec(request)?.[1];
  return named?.replace(/^\[|\]$/g, "") ?? /\r\nhost: *([^\r\n:]+)/i.exec(request)?.[1] ?? null;
}

/** Keeps what comes and answers as a server of the port's usual protocol would. */
function serve(socket: Socket, peer: Peer): void {
  let kept = 0;
  let isHttp = false;
  let isMail = false;
  socket.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, Math.max(0, Math.min(MAX_CONNECTION_BYTES - kept, MAX_TOTAL_BYTES - totalBytes)));
    const isFirst = kept === 0;
    kept += part.length;
    totalBytes += part.length;
    if (isFirst && HTTP.test(part.toString("latin1", 0, 8_192))) isHttp = true;
    // HTTP/2 (RFC 9113) has its texts in a code of its own (RFC 7541).
    if (isFirst && part.toString("latin1", 0, 14) === "PRI * HTTP/2.0") dropped += 1;
    if (asksForMore(part, { isFirst, isMail })) dropped += 1;
    const channel = peer.channel === "tcp" && isHttp ? "http" : peer.channel;
    const host = peer.host ?? (isHttp ? hostOf(part.toString("latin1")) : null);
    if (part.length > 0)
      report({ kind: "data", ...peer, host: host?.slice(0, 255) ?? null, channel, bytes: part.toString("base64") });
    if (kept >= MAX_CONNECTION_BYTES || totalBytes >= MAX_TOTAL_BYTES) {
      dropped += 1;
      socket.destroy();
    } else if (isHttp) answerHttp(socket, chunk);
    else if (isMail) answerMail(socket, chunk);
  });
  if ([21, 25, 110, 465, 587].includes(peer.port)) {
    isMail = true;
    socket.write(peer.port === 110 ? "+OK ready\r\n" : "220 mail.example ESMTP\r\n");
  }
}

/** Whether a client asks for a protocol that the recorder does not speak, so that it gives up before it sends what it has. */
function asksForMore(part: Buffer, { isFirst, isMail }: { isFirst: boolean; isMail: boolean }): boolean {
  const text = part.toString("latin1", 0, 4_096);
  if (isMail) return /^(?:starttls|auth|pasv|epsv|port|eprt)\b/im.test(text);
  if (!isFirst) return false;
  const isSocks = part[0] === 5 && part.length === 2 + (part[1] ?? 0);
  return isSocks || /^SSH-|^CONNECT |\r\nupgrade:|^\S+ \S*git-receive-pack/i.test(text);
}

const HTTP_ANSWER =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 15\r\nconnection: close\r\n\r\n{"status":"ok"}';

const GIT_REQUEST = /^GET \S*\/info\/refs\?service=git-/;
const WHO_IS_IT =
  'HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Basic realm="git"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/** The request that a connection has begun: its text up to the end of the head, and how much came after it. */
type Request = {
  head: string;
  hasHead: boolean;
  body: number;
  tail: string;
  isAnswered?: true;
  timer?: NodeJS.Timeout;
};
const requests = new WeakMap<Socket, Request>();
const MAX_HEAD = 64 * 1024;
/** How long a request that does not say where it ends may pause before it is answered. */
const PAUSE_MS = 150;

/** Answers a request once all of it is there. */
function answerHttp(socket: Socket, chunk: Buffer): void {
  const request = requests.get(socket) ?? { head: "", hasHead: false, body: 0, tail: "" };
  // Once answered, only recorded: the client may go on until it has read the answer.
  if (request.isAnswered) return;
  const isFirst = request.head === "";
  requests.set(socket, request);
  clearTimeout(request.timer);
  let text = chunk.toString("latin1");
  if (!request.hasHead) {
    request.head += text;
    const end = request.head.indexOf("\r\n\r\n");
    request.hasHead = end !== -1 || request.head.length > MAX_HEAD;
    text = end === -1 ? "" : request.head.slice(end + 4);
  }
  request.body += text.length;
  request.tail = (request.tail + text).slice(-5);
  const { head } = request;
  if (isFirst && /\r\nexpect: *100-continue/i.test(head)) socket.write("HTTP/1.1 100 Continue\r\n\r\n");
  if (/^CONNECT /.test(head)) {
    // What comes next is for the host behind the proxy.
    requests.delete(socket);
    return void socket.write("HTTP/1.1 200 OK\r\n\r\n");
  }
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const isChunked = /\r\ntransfer-encoding:/i.test(head);
  const hasLength = request.hasHead && (isChunked || length > 0);
  const isWhole = request.hasHead && (isChunked ? request.tail === "0\r\n\r\n" : request.body >= length);
  const answer = (text: string) => {
    request.isAnswered = true;
    socket.end(text);
  };
  // git sends the name and password of an address only when it is asked for them.
  if (GIT_REQUEST.test(head) && !/\r\nauthorization:/i.test(head)) answer(WHO_IS_IT);
  else if (isWhole) answer(HTTP_ANSWER);
  // A client that says how long its request is sends all of it, unless an answer comes before.
  else if (!hasLength) request.timer = setTimeout(() => answer(HTTP_ANSWER), PAUSE_MS);
}

function answerMail(socket: Socket, chunk: Buffer): void {
  const text = chunk.toString("latin1");
  if (/^data\r?$/im.test(text)) socket.write("354 go ahead\r\n");
  else if (/^quit\r?$/im.test(text)) socket.end("221 bye\r\n");
  else if (!isInBody(text)) socket.write("250 ok\r\n");
}

/** Lines of a message's body have no command at their beginning; the line with a dot ends it. */
function isInBody(text: string): boolean {
  return (
    !/^(ehlo|helo|mail|rcpt|auth|rset|noop|user|pass|pasv|epsv|stor|type|cwd|pwd|list|retr|stat)\b/i.test(text) &&
    !/(^|\r\n)\.\r\n/.test(text)
  );
}

function accept(socket: Socket): void {
  connections += 1;
  accepted += 1;
  socket.on("close", () => {
    connections -= 1;
  });
  if (connections > MAX_CONNECTIONS) {
    dropped += 1;
    return void socket.destroy();
  }
  // What a client would have sent that this end has closed is unknown. What TLS carries counts as activity of its socket.
  socket.setTimeout(QUIET_MS, () => {
    dropped += 1;
    socket.destroy();
  });
  socket.on("error", () => socket.destroy());
  const peer: Peer = {
    address: plainAddress(socket.localAddress),
    port: socket.localPort ?? 0,
    host: null,
    channel: "tcp",
    connection: accepted,
  };
  // Servers of mail speak first; everywhere else the client's first byte tells whether it speaks TLS.
  if ([21, 25, 110, 587].includes(peer.port)) serve(socket, peer);
  else serveByFirstByte(socket, peer);
}

function serveByFirstByte(socket: Socket, peer: Peer): void {
  let greeting = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    greeting = Buffer.concat([greeting, chunk]);
    const isTls = speaksTls(greeting);
    if (isTls === null) return;
    socket.off("data", read);
    socket.off("close", lose);
    socket.pause();
    socket.unshift(greeting);
    if (isTls) return secure(socket, peer, greeting);
    serve(socket, peer);
    socket.resume();
  };
  const lose = () => {
    if (greeting.length === 0 && !SPEAKS_FIRST.includes(peer.port)) return;
    report({ kind: "data", ...peer, channel: "tls", bytes: greeting.toString("base64") });
    dropped += 1;
  };
  socket.on("data", read);
  socket.once("close", lose);
}

/** Ports whose clients wait for a greeting that the recorder does not have: IMAP and POP over TLS. */
const SPEAKS_FIRST = [143, 993, 995];

/** Whether bytes begin a connection with TLS (RFC 8446, section 5.1); null while the first record is not whole. */
function speaksTls(bytes: Buffer): boolean | null {
  if (bytes[0] !== 0x16 || (bytes.length > 1 && bytes[1] !== 0x03)) return false;
  if (bytes.length < 5) return null;
  return bytes.length >= Math.min(5 + bytes.readUInt16BE(3), MAX_GREETING) ? true : null;
}

/**
 * The greeting is reported as it is: names, protocols and random numbers in it may be a secret. What a client would have sent
 * that refuses the certificate is not known.
 */
function secure(socket: Socket, peer: Peer, greeting: Buffer): void {
  let named: string | null = null;
  let isSecure = false;
  const bytes = greeting.subarray(0, MAX_GREETING);
  totalBytes += bytes.length;
  // Not of the connection: what it carries is joined with others of the same place.
  report({ kind: "data", ...peer, connection: 0, channel: "tls", bytes: bytes.toString("base64") });
  if (greeting.length > MAX_GREETING) dropped += 1;
  // A client that leaves before it has answered has sent nothing.
  socket.once("close", () => {
    if (!isSecure && socket.bytesRead > greeting.length) dropped += 1;
  });
  const inner = new TLSSocket(socket, {
    isServer: true,
    secureContext: contextOf(peer.address),
    ALPNProtocols: ["http/1.1", "http/1.0"],
    SNICallback: (host, done) => {
      named = host.toLowerCase().slice(0, 253);
      report({
        kind: "data",
        ...peer,
        connection: 0,
        host: named,
        channel: "tls",
        bytes: Buffer.from(named, "latin1").toString("base64"),
      });
      done(null, /^[a-z0-9._-]+$/.test(named) ? contextOf(named) : contextOf(peer.address));
    },
  });
  inner.on("error", () => socket.destroy());
  inner.once("secure", () => {
    isSecure = true;
    serve(inner, { ...peer, host: named, channel: "tls" });
  });
}

function listenTcp(port: number): Promise<void> {
  const server = createServer(accept);
  return new Promise((resolve, reject) => server.once("error", reject).listen({ host: "::", port }, resolve));
}

function listenUdp(port: number, type: "udp4" | "udp6"): Promise<void> {
  const socket = createSocket({ type, ...(type === "udp6" ? { ipv6Only: true } : {}) });
  socket.on("message", (message, { port: replyPort, address }) => {
    totalBytes += message.length;
    if (totalBytes > MAX_TOTAL_BYTES) {
      dropped += 1;
      return;
    }
    const question = port === 53 ? readQuestion(message) : null;
    // Every address is local here: the sender's own is the one it asked, so the answer comes from there.
    const server = plainAddress(address);
    const bytes = message.toString("base64");
    if (question === null)
      return report({ kind: "data", channel: "udp", connection: 0, address: server, port, host: null, bytes });
    const name = question.name.slice(0, 255);
    const given = addressOf(name.toLowerCase());
    if (given === null) dropped += 1;
    report({ kind: "name", name, address: given ?? "", server, bytes });
    // An answer to a closed socket would count as a datagram to a port that is not served.
    if (given === null || !isBound(type, replyPort)) return;
    socket.send(answerQuestion(message, question, given), replyPort, address);
  });
  socket.on("error", () => {});
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind({ port, address: type === "udp4" ? "0.0.0.0" : "::" }, resolve);
  });
}

/** Whether a socket of this network has the port (proc(5), `/proc/net/udp`). */
function isBound(type: "udp4" | "udp6", port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const files = type === "udp4" ? ["/proc/self/net/udp", "/proc/self/net/udp6"] : ["/proc/self/net/udp6"];
  try {
    return files.some((file) => new RegExp(`^ *\\d+: [0-9A-F]+:${hex} `, "m").test(readFileSync(file, "latin1")));
  } catch {
    return true;
  }
}

let unserved = 0;

/** Datagrams since the last call to ports that are not served; no socket here has them. */
function takeUnserved(): number {
  const count = ["/proc/self/net/snmp", "/proc/self/net/snmp6"].reduce((sum, file) => sum + readUnserved(file), 0);
  const more = count - unserved;
  unserved = count;
  return more;
}

/** `NoPorts` of the kernel's counters: a line with names before one with numbers, or one line for each name. */
function readUnserved(file: string): number {
  let text = "";
  try {
    text = readFileSync(file, "latin1");
  } catch {
    return 0;
  }
  const [, names = "", numbers = ""] = /^Udp: (.*)\nUdp: (.*)$/m.exec(text) ?? [];
  const listed = numbers.split(" ")[names.split(" ").indexOf("NoPorts")] ?? /^Udp6NoPorts\s+(\d+)$/m.exec(text)?.[1];
  return Number(listed ?? 0);
}

async function main(uid: number): Promise<void> {
  await Promise.all([
    ...SERVED_PORTS.map(listenTcp),
    ...SERVED_UDP_PORTS.flatMap((port) => [listenUdp(port, "udp4"), listenUdp(port, "udp6")]),
  ]);
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid) throw new Error("The recorder could not drop its rights.");
  process.on("uncaughtException", () => {});
  const commands = createInterface({ input: process.stdin });
  commands.on("line", (mark) => {
    // After the sockets of this turn have been read.
    setTimeout(() => {
      report({ kind: "mark", mark: mark.slice(0, 100), dropped, unserved: takeUnserved() });
      totalBytes = 0;
      dropped = 0;
      // Names that one step asks for must not keep the next one from its answers.
      addresses.clear();
    }, 15);
  });
  commands.on("close", () => process.exit(0));
  report({ kind: "ready", certificate: authority.certificate });
}

void main(Number(process.argv[2]));
