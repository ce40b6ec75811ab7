import dgram from "node:dgram";
import dns, { type LookupAddress } from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net, { isIP, type LookupFunction } from "node:net";
import { afterAll, afterEach, beforeAll } from "vitest";

/** A requested connection with its possible addresses and port. `udp` and `dns` are datagrams. */
export type Connect = { kind: "tcp" | "udp" | "dns"; addresses: string[]; port: number };

type ConnectOptions = { host?: string; port?: number | string; path?: string; lookup?: LookupFunction };
type Done = (...results: unknown[]) => void;
type Patched = { restore(): void };

/**
 * Replaces the network in a test file: each TCP connection, datagram and `Resolver` query is recorded and fails. Only
 * ports in `passes` may connect, and only on loopback. Names resolve only by `names`. So a broken policy cannot leave
 * this machine.
 */
export function recordConnects() {
  const connects: Connect[] = [];
  const names = new Map<string, string[]>([["localhost", ["127.0.0.1"]]]);
  const passes = new Set<number>();
  const patched: Patched[] = [];
  const database = process.env.TEST_DATABASE_URL;
  const databasePort = database === undefined ? null : Number(new URL(database).port || 5432);

  /** Records the connection and returns whether it may proceed. */
  function record(connect: Connect): boolean {
    if (connect.port === databasePort) return true;
    connects.push(connect);
    return passes.has(connect.port) && connect.addresses.every((address) => /^(127\.|::1$)/.test(address));
  }

  beforeAll(() => {
    patched.push(replaceLookups(names), replaceConnect(record), replaceSend(record), replaceResolver(record));
    syncBuiltinESMExports();
  });
  afterEach(() => {
    connects.length = 0;
    passes.clear();
    for (const name of names.keys()) if (name !== "localhost") names.delete(name);
  });
  afterAll(() => {
    for (const one of patched.splice(0)) one.restore();
    syncBuiltinESMExports();
  });
  return { connects, names, passes };
}

function replaceLookups(names: Map<string, string[]>): Patched {
  const known = (host: string): LookupAddress[] => {
    const addresses = isIP(host) ? [host] : (names.get(host.toLowerCase()) ?? inetAton(host));
    return addresses.map((address) => ({ address, family: isIP(address.split("%")[0] ?? "") }));
  };
  const unknown = (host: string) =>
    Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND", hostname: host });
  const { lookup } = dns;
  const { lookup: promised } = dns.promises;
  Object.assign(dns.promises, {
    lookup: async (host: string, options?: { all?: boolean }) => {
      const found = known(host);
      if (found.length === 0) throw unknown(host);
      return options?.all ? found : found[0];
    },
  });
  Object.assign(dns, {
    lookup: (host: string, ...rest: [...({ all?: boolean } | undefined)[], Done]) => {
      const done = rest.pop() as Done;
      const [options] = rest as { all?: boolean }[];
      const found = known(host);
      if (found.length === 0) setImmediate(done, unknown(host));
      else if (options?.all) setImmediate(done, null, found);
      else setImmediate(done, null, found[0]?.address, found[0]?.family);
    },
  });
  return {
    restore: () => {
      Object.assign(dns.promises, { lookup: promised });
      Object.assign(dns, { lookup });
    },
  };
}

/** Parses an address as inet_aton does: one to four parts, each decimal, octal or hexadecimal. */
function inetAton(host: string): string[] {
  const parts = host.normalize("NFKC").replaceAll("。", ".").replace(/\.$/, "").split(".");
  if (parts.length > 4 || !parts.every((part) => /^(0x[0-9a-f]+|\d+)$/i.test(part))) return [];
  const values = parts.map((part) => (/^0\d/.test(part) ? Number.parseInt(part, 8) : Number(part)));
  const last = values.pop() ?? 0;
  const number = values.reduce((sum, value, index) => sum + value * 256 ** (3 - index), last);
  return [[24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join(".")];
}

function replaceConnect(record: (connect: Connect) => boolean): Patched {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function recorded(this: net.Socket, ...args: unknown[]) {
    const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
    const isObject = typeof first === "object" && first !== null;
    const options: ConnectOptions = isObject ? first : { port: first as number, host: second as string };
    if (options.path) return Reflect.apply(connect, this, args);
    const host = options.host ?? "localhost";
    const finish = (addresses: string[]) => {
      const port = Number(options.port);
      if (record({ kind: "tcp", addresses, port })) Reflect.apply(connect, this, args);
      else setImmediate(() => this.destroy(Object.assign(new Error("recorded, not connected"), { code: "ERECORDED" })));
    };
    Object.assign(this, { connecting: true }); // Buffers writes until the connection is open.
    if (isIP(host)) finish([host]);
    else {
      const lookup = options.lookup ?? (dns.lookup as LookupFunction);
      // As in `net`: connects to the result of `lookup`.
      lookup(host, { all: true }, (error, found) => {
        if (error) this.destroy(error);
        else finish((found as LookupAddress[]).map(({ address }) => address));
      });
    }
    return this;
  } as typeof connect;
  return {
    restore: () => {
      net.Socket.prototype.connect = connect;
    },
  };
}

function replaceSend(record: (connect: Connect) => boolean): Patched {
  const { send, connect } = dgram.Socket.prototype;
  dgram.Socket.prototype.send = function recorded(this: dgram.Socket, ...args: unknown[]) {
    const numbers = args.slice(1).filter((one) => typeof one === "number");
    const host = args.slice(1).find((one) => typeof one === "string") ?? "127.0.0.1";
    const done = args.find((one) => typeof one === "function") as ((error: Error) => void) | undefined;
    if (record({ kind: "udp", addresses: [String(host)], port: Number(numbers.at(-1)) })) {
      return Reflect.apply(send, this, args);
    }
    setImmediate(() => done?.(new Error("recorded, not sent")));
  } as typeof send;
  dgram.Socket.prototype.connect = function refused() {
    throw new Error("a datagram socket was connected, which the recorder does not know");
  };
  return { restore: () => Object.assign(dgram.Socket.prototype, { send, connect }) };
}

function replaceResolver(record: (connect: Connect) => boolean): Patched {
  const { prototype } = dns.promises.Resolver;
  const { resolve, reverse } = prototype;
  const replace = (method: typeof resolve | typeof reverse) =>
    function recorded(this: dns.promises.Resolver, ...args: unknown[]) {
      for (const server of this.getServers()) {
        const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(server) ?? [];
        const isOpen = record({ kind: "dns", addresses: [bracketed ?? plain ?? server], port: Number(port ?? 53) });
        if (!isOpen) return Promise.reject(Object.assign(new Error("recorded, not asked"), { code: "ERECORDED" }));
      }
      return Reflect.apply(method, this, args);
    };
  Object.assign(prototype, { resolve: replace(resolve), reverse: replace(reverse) });
  return { restore: () => Object.assign(prototype, { resolve, reverse }) };
}
