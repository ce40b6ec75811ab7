import { withoutControls } from "@/lib/core/schema";

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** A file name without folders; empty for none. */
export const ForwardFile = withoutControls
  .trim()
  .max(100)
  .regex(/^([A-Za-z0-9_-][A-Za-z0-9._-]*)?$/, "must be the name of a file, without a folder");

export const ForwardSyslog = withoutControls
  .trim()
  .max(300)
  .refine((text) => text === "" || isSyslog(text), "must be tcp://host:port or udp://host:port");

/** Requires https except on loopback: events are confidential. */
export const ForwardWebhook = withoutControls
  .trim()
  .max(1000)
  .refine((text) => text === "" || isWebhook(text), "must be an https address, or http on this machine");

function isSyslog(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null &&
    ["tcp:", "udp:"].includes(url.protocol) &&
    url.hostname !== "" &&
    url.username === "" &&
    url.port !== "0" &&
    // The URL standard accepts any host for other schemes, so it is checked as http.
    URL.canParse(`http://${url.host}`) &&
    /^\/?$/.test(url.pathname)
  );
}

function isWebhook(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname));
}
