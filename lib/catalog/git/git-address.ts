import { isIP } from "node:net";
import type { Destination } from "@/lib/core/outgoing/outgoing-policy";

/** Where git connects: an address as it is stored on a source, taken apart. */
export type GitAddress = {
  scheme: "http" | "https" | "ssh";
  host: string;
  port: number;
  /** The user of ssh; null for http and https, whose user belongs to the credential. */
  user: string | null;
  /** Without a slash in front. */
  path: string;
};

const PORTS = { http: 80, https: 443, ssh: 22 } as const;
const SCP = /^(?:([A-Za-z0-9._-]+)@)?([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\]):(?!\/\/)(.+)$/;

/**
 * Parses `https://host/path`, `http://…`, `ssh://user@host:port/path` and `user@host:path` (the section GIT URLS of git-clone(1)). Null for other
 * text, and for parts that a program could take for an option. Does not decode the path.
 */
export function readGitAddress(text: string): GitAddress | null {
  const scp = text.includes("://") ? null : SCP.exec(text);
  if (scp) {
    const [, user = "git", host = "", path = ""] = scp;
    return checked({
      scheme: "ssh",
      host: host.replace(/^\[|\]$/g, ""),
      port: 22,
      user,
      path: path.replace(/^\/+/, ""),
    });
  }
  const [, scheme] = /^(https?|ssh):\/\//i.exec(text) ?? [];
  if (scheme === undefined) return null;
  const lower = scheme.toLowerCase() as GitAddress["scheme"];
  // The URL standard reads the host of other schemes as opaque text.
  const standard = text.replace(/^ssh:/i, "http:");
  if (!URL.canParse(standard)) return null;
  const url = new URL(standard);
  const written = /^[a-z]+:\/\/[^/]*?:(\d{1,5})(?:\/|$)/i.exec(text)?.[1];
  const port = url.port === "" ? Number(written ?? PORTS[lower]) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const user = lower === "ssh" ? url.username || "git" : null;
  return checked({ scheme: lower, host, port, user, path: url.pathname.slice(1) });
}

function checked(address: GitAddress): GitAddress | null {
  const { host, user, path, port } = address;
  const isHost = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(host) || isIP(host) === 6;
  if (!isHost || !/^[\w.-]+$/.test(user ?? "x") || path.includes("//") || path.includes("..")) return null;
  const isPlain = [host, user ?? "x", path].every((part) => part !== "" && !part.startsWith("-"));
  return isPlain && port > 0 && port < 65_536 && !/[\p{Cc}\s"'`$\\;&|<>]/u.test(`${host}${user}${path}`)
    ? address
    : null;
}

export function destinationOfGit({ host, port }: GitAddress): Destination {
  return { host: host.toLowerCase(), port };
}

/** Host, and port unless it is the usual one of the scheme: “git.acme.example:8443”. */
export function hostOfGit({ scheme, host, port }: GitAddress): string {
  const shown = host.includes(":") ? `[${host}]` : host;
  return port === PORTS[scheme] ? shown : `${shown}:${port}`;
}
