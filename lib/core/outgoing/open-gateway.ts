import { once } from "node:events";
import { createServer, isIP, type Socket } from "node:net";
import { AppError } from "@/lib/core/errors";
import { isPublicAddress } from "./address-ranges";
import { connectOutgoing } from "./connect-outgoing";
import type { Destination, OutgoingPolicy } from "./outgoing-policy";

export type Gateway = {
  /** On 127.0.0.1. */
  port: number;
  /** Why a connection was refused, broke, or was cut; null while none was. */
  failure(): Error | null;
  close(): void;
};

export type GatewayOptions = {
  /** `socks5` for clients that ask for a destination; `forward` for those that speak to it at once. */
  mode: "socks5" | "forward";
  /** Most bytes that the destination may send over all connections. */
  maxBytes: number;
  /** A connection on which nothing moves for so long is cut. */
  idleMs: number;
  /** Refuses public addresses: what is sent is not encrypted. */
  onlyPrivate?: boolean;
};

/** The destination sent more than `maxBytes`. */
export class GatewayOverflow extends Error {}

/**
 * Opens a port of this machine that leads to one destination, under the policy of `connectOutgoing`. It is for programs that connect by
 * themselves, such as git: they reach neither another host nor another address of the same name. SOCKS: RFC 1928, CONNECT without
 * authentication.
 */
export async function openGateway(
  policy: OutgoingPolicy,
  destination: Destination,
  options: GatewayOptions,
): Promise<Gateway> {
  const sockets = new Set<Socket>();
  let failure: Error | null = null;
  let received = 0;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.setTimeout(options.idleMs, () => socket.destroy(lateError(options.idleMs)));
  };
  const fail = (error: unknown) => {
    failure ??= error instanceof Error ? error : new Error(String(error));
  };

  async function serve(client: Socket): Promise<void> {
    keep(client);
    client.on("error", fail);
    if (options.mode === "socks5") await readRequest(client, destination);
    const remote = await connect().catch((error: unknown) => {
      if (options.mode === "socks5") client.write(reply(isRefusal(error) ? NOT_ALLOWED : UNREACHABLE));
      throw error;
    });
    if (options.mode === "socks5") client.write(reply(SUCCEEDED));
    remote.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > options.maxBytes) remote.destroy(new GatewayOverflow(`more than ${options.maxBytes} bytes`));
    });
    remote.once("close", () => client.destroy());
    client.once("close", () => remote.destroy());
    client.pipe(remote);
    remote.pipe(client);
  }

  async function connect(): Promise<Socket> {
    const remote = await connectOutgoing(policy, destination, { timeoutMs: options.idleMs });
    keep(remote);
    await once(remote, "connect");
    remote.on("error", fail);
    if (options.onlyPrivate && isPublicAddress(remote.remoteAddress ?? "")) {
      remote.destroy();
      throw new AppError(
        "address_not_allowed",
        `${policy.feature} may not connect to ${destination.host} without TLS: its address is public. Use https://.`,
      );
    }
    return remote;
  }

  const server = createServer((client) => {
    serve(client).catch((error: unknown) => {
      fail(error);
      client.destroySoon();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listening server has no port");
  return {
    port: address.port,
    failure: () => failure,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const VERSION = 5;
const CONNECT = 1;
const ADDRESS = { ipv4: 1, name: 3, ipv6: 4 };
const SUCCEEDED = 0;
const NOT_ALLOWED = 2;
const UNREACHABLE = 4;

function reply(code: number): Buffer {
  return Buffer.from([VERSION, code, 0, ADDRESS.ipv4, 0, 0, 0, 0, 0, 0]);
}

/** Reads a CONNECT; refuses every destination but this one. */
async function readRequest(client: Socket, { host, port }: Destination): Promise<void> {
  const [version, methods = 0] = await take(client, 2);
  if (version !== VERSION) throw new Error("the client does not speak SOCKS 5");
  await take(client, methods);
  client.write(Buffer.from([VERSION, 0]));
  const [, command, , kind = 0] = await take(client, 4);
  const asked = await readHost(client, kind);
  const askedPort = (await take(client, 2)).readUInt16BE();
  if (command === CONNECT && isSameHost(asked, host) && askedPort === port) return;
  client.write(reply(NOT_ALLOWED));
  throw new AppError("address_not_allowed", `A connection to ${asked}:${askedPort} was refused: it is not the source.`);
}

async function readHost(client: Socket, kind: number): Promise<string> {
  if (kind === ADDRESS.ipv4) return (await take(client, 4)).join(".");
  if (kind === ADDRESS.ipv6) return ((await take(client, 16)).toString("hex").match(/.{4}/g) ?? []).join(":");
  const [length = 0] = await take(client, 1);
  return (await take(client, length)).toString("latin1");
}

function isSameHost(asked: string, host: string): boolean {
  return canonical(asked) === canonical(host);
}

function canonical(host: string): string {
  return isIP(host) === 6 ? new URL(`http://[${host}]`).hostname : host.toLowerCase();
}

async function take(socket: Socket, length: number): Promise<Buffer> {
  while (length > 0) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes !== null && bytes.length === length) return bytes;
    if (bytes !== null || socket.readableEnded || socket.destroyed) throw new Error("the client closed its connection");
    await Promise.race([once(socket, "readable"), once(socket, "close")]);
  }
  return Buffer.alloc(0);
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === "address_not_allowed";
}

function lateError(idleMs: number): Error {
  return new DOMException(`nothing arrived for ${idleMs} ms`, "TimeoutError");
}
