import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { BuiltinMetadata } from "./kit/builtin";
import { shownId } from "./kit/host-path";

const schema = () =>
  z.strictObject({
    include_listening: z.boolean().default(true).describe("Whether to list listening ports."),
  });

export const metadata: BuiltinMetadata = {
  name: "host_netns_inspect",
  label: "Inspect network namespaces",
  description:
    "List a host's named network namespaces and, of the one the worker is in, interfaces with addresses and counters, IPv4 routes and listening ports.",
  class: "safe",
  category: "network",
  schema,
  resultPreview: "current namespace with interfaces, routes and listening ports; named namespaces",
  grants: { namespaces: ["net"], paths: [{ path: "/run/netns", mode: "ro" }] },
};

const MAX_ROWS = 500;

export async function execute({ include_listening }: z.infer<ReturnType<typeof schema>>): Promise<unknown> {
  return {
    current: {
      id: Number(/\d+/.exec(linkOf("/proc/self/ns/net"))?.[0]) || null,
      interfaces: readInterfaces(),
      routes: readRoutes(),
      listening: include_listening ? readListening() : null,
    },
    named: readNamed(),
  };
}

function readInterfaces() {
  const addresses = networkInterfaces();
  return rowsOf("/proc/net/dev", 2).map((row) => {
    const [name = "", ...numbers] = row.replace(":", " ").trim().split(/\s+/);
    const [rxBytes, rxPackets, rxErrors, rxDropped] = numbers.map(Number);
    const [txBytes, txPackets, txErrors, txDropped] = numbers.slice(8).map(Number);
    return {
      name,
      mac: addresses[name]?.[0]?.mac ?? null,
      addresses: (addresses[name] ?? []).flatMap(({ cidr }) => cidr ?? []),
      received: { bytes: rxBytes, packets: rxPackets, errors: rxErrors, dropped: rxDropped },
      sent: { bytes: txBytes, packets: txPackets, errors: txErrors, dropped: txDropped },
    };
  });
}

function readRoutes() {
  return rowsOf("/proc/net/route", 1).map((row) => {
    const [device = "", target = "", gateway = "", , , , metric, mask = ""] = row.trim().split(/\s+/);
    const bits = [...Number.parseInt(mask, 16).toString(2)].filter((bit) => bit === "1").length;
    return {
      device,
      target: `${ipv4Of(target)}/${bits}`,
      gateway: gateway === "00000000" ? null : ipv4Of(gateway),
      metric: Number(metric),
    };
  });
}

/** State 0A is LISTEN; a bound UDP socket has 07. */
function readListening() {
  const tables = [
    ["tcp", "/proc/net/tcp", "0A"],
    ["tcp", "/proc/net/tcp6", "0A"],
    ["udp", "/proc/net/udp", "07"],
    ["udp", "/proc/net/udp6", "07"],
  ] as const;
  return tables
    .flatMap(([protocol, file, wanted]) =>
      rowsOf(file, 1).flatMap((row) => {
        const [, local = "", , state, , , , uid] = row.trim().split(/\s+/);
        const [address = "", port = ""] = local.split(":");
        return state === wanted
          ? [{ protocol, address: addressOf(address), port: Number.parseInt(port, 16), uid: shownId(Number(uid)) }]
          : [];
      }),
    )
    .slice(0, MAX_ROWS);
}

/** Reads the files of `ip netns`, each of which is a network namespace. */
function readNamed() {
  try {
    return readdirSync("/run/netns")
      .slice(0, MAX_ROWS)
      .map((name) => ({ name, id: statSync(join("/run/netns", name), { throwIfNoEntry: false })?.ino ?? null }));
  } catch {
    return [];
  }
}

function rowsOf(file: string, headerLines: number): string[] {
  try {
    return readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .slice(headerLines, headerLines + MAX_ROWS);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function addressOf(hex: string): string {
  return hex.length === 8 ? ipv4Of(hex) : ipv6Of(hex);
}

/** The kernel prints addresses as little-endian numbers on every machine that Node supports. */
function ipv4Of(hex: string): string {
  return (hex.match(/../g) ?? [])
    .reverse()
    .map((byte) => Number.parseInt(byte, 16))
    .join(".");
}

function ipv6Of(hex: string): string {
  const words = (hex.match(/.{8}/g) ?? []).map((word) => (word.match(/../g) ?? []).reverse().join(""));
  const groups = words.join("").toLowerCase().match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
