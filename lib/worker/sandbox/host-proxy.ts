import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, isIP, type Server, type Socket } from "node:net";
import { resolveAll } from "../access/server-address";
import type { EmitEvent } from "../stream-stderr";

/** The target of a request; `host` in lower case, an address without brackets. */
type Destination = { host: string; port: number };

const WEB_PORTS = [80, 443];

const MAX_SOCKETS = 128;
const MAX_TOLD = 20;
const CONNECT_MS = 10_000;

type HostProxy = { close(): void };

export type ProxyPolicy = {
  hosts: string[] | null;
  /** Why connections to this address and port are refused; null when they are allowed. */
  refuses(address: string, port: number): string | null;
};

/** First line of the body of a refusal, to tell it from a failed connection. */
const REFUSED = "address_not_allowed";

type Verdict = { address: string } | { refusal: string };

/**
 * Serves a run's proxy on `listener`: CONNECT, and plain http with an absolute URL, only to the hosts that the decision
 * names and the addresses that the worker's operator allows. Each name is resolved once here, and the checked address is
 * the one connected to. A refusal is a 403 whose body begins with a line `address_not_allowed`; the run's log has the first
 * 20.
 */
export function serveHosts(listener: Server, policy: ProxyPolicy, emit: EmitEvent): HostProxy {
  const sockets = new Set<Socket>();
  const told = new Set<string>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };

  function refuse(what: string, why: string): string {
    const message = `The run asked for ${what.slice(0, 200)}: ${why}.`;
    if (told.size < MAX_TOLD && !told.has(message)) emit("system", message);
    told.add(message);
    return `${REFUSED}\n${message}\n`;
  }

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(incoming.url ?? "") ? new URL(incoming.url ?? "") : null;
    const wanted = url?.protocol === "http:" ? parseAuthority(`${url.hostname}:${url.port || 80}`) : null;
    const name = wanted ? nameOf(wanted) : (incoming.url ?? "");
    const verdict = wanted ? await judge(policy, wanted) : { refusal: "this is no address for a proxy" };
    if (url === null || wanted === null || "refusal" in verdict) {
      const reason = "refusal" in verdict ? verdict.refusal : "";
      response.writeHead(403, { "content-type": "text/plain" }).end(refuse(name, reason));
      return;
    }
    const { "proxy-connection": _own, "proxy-authorization": _secret, ...headers } = incoming.headers;
    const outgoing = request({
      host: verdict.address,
      port: wanted.port,
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
      agent: false,
    });
    outgoing.once("socket", keep);
    outgoing.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.once("error", () => response.destroy()).pipe(response);
    });
    outgoing.once("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.once("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  async function tunnel(incoming: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    const wanted = parseAuthority(incoming.url ?? "");
    const verdict = wanted ? await judge(policy, wanted) : { refusal: "this is no address for a proxy" };
    if (wanted === null || "refusal" in verdict) {
      const body = refuse(incoming.url ?? "", "refusal" in verdict ? verdict.refusal : "");
      client.end(
        `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return;
    }
    const upstream = connect({ host: verdict.address, port: wanted.port, timeout: CONNECT_MS });
    keep(upstream);
    let isOpen = false;
    upstream.once("timeout", () => upstream.destroy());
    upstream.once("connect", () => {
      isOpen = true;
      upstream.setTimeout(0);
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.once("close", () => (isOpen ? client.destroy() : client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n")));
    client.once("close", () => upstream.destroy());
  }

  const proxy = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy());
  });
  proxy.on("connect", (incoming, client, head) => {
    tunnel(incoming, client as Socket, head).catch(() => client.destroy());
  });
  proxy.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    else socket.destroy();
  });
  listener.on("connection", (socket: Socket) => {
    if (sockets.size >= MAX_SOCKETS) {
      socket.destroy();
      return;
    }
    keep(socket);
    proxy.emit("connection", socket);
  });
  return {
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function judge({ hosts, refuses }: ProxyPolicy, wanted: Destination): Promise<Verdict> {
  if (hosts !== null && !namesDestination(hosts, wanted))
    return { refusal: "it is not among the hosts that were granted" };
  const addresses = isIP(wanted.host) ? [wanted.host] : await resolveAll(wanted.host);
  if (addresses.length === 0) return { refusal: "it has no address" };
  const refusals = addresses.map((address) => refuses(address, wanted.port));
  const address = addresses[refusals.indexOf(null)];
  return address === undefined ? { refusal: refusals[0] ?? "it has no address" } : { address };
}

function nameOf({ host, port }: Destination): string {
  return `${host}:${port}`;
}

/** Whether a list of hosts (`example.org`, `*.example.org` for subdomains, IPv4; default ports 80 and 443) has this one. */
export function namesDestination(hosts: string[], { host, port }: Destination): boolean {
  return hosts.some((entry) => {
    const [name = "", ownPort] = entry.toLowerCase().split(":");
    const isPort = ownPort === undefined ? WEB_PORTS.includes(port) : Number(ownPort) === port;
    const isHost = name.startsWith("*.") ? isIP(host) === 0 && host.endsWith(name.slice(1)) : host === name;
    return isPort && isHost;
  });
}

/** Parses `host:port` of CONNECT; null when it is invalid. */
export function parseAuthority(text: string): Destination | null {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^:/@\s]+)):(\d{1,5})$/i.exec(text);
  const port = Number(found?.[3]);
  const host = (found?.[1] ?? found?.[2])?.toLowerCase().replace(/\.$/, "");
  return host && port > 0 && port < 65_536 ? { host, port } : null;
}
