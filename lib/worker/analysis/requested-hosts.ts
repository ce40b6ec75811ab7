import type { Recorded } from "./open-recorder";

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
