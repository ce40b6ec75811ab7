import type { Card, ReadableSkill } from "./create-card";
import { eachLine } from "./read-texts";

const ADDRESS =
  /\b(https?|wss?|ftps?|ssh|git|sftp):\/\/(?:[^\s/@"'`<>]{1,200}@)?(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?/gi;
const GIT_REMOTE = /\bgit@([a-z0-9.-]+\.[a-z]{2,}):/gi;
const NETWORK_COMMAND = /\b(?:curl|wget|nc|ncat|ssh|scp|rsync|ping|dig|nslookup|host|telnet|openssl s_client)\b/;
const BARE_HOST =
  /(?:^|[\s"'=@])((?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|io|dev|ai|app|sh|co|me|xyz|info|cloud|site|online|ru|cn|de|uk))(?=$|[\s"'/:])/gi;
const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** Hosts that any text file names, with the first place of each. */
export function addHostFacts(card: Card, { files, texts }: ReadableSkill): void {
  // `run.sh` has the ending of a domain, and is a file of the skill.
  const ownNames = new Set(files.map(({ path }) => path.toLowerCase().replace(/^.*\//, "")));
  for (const { content, at } of eachLine(texts)) {
    if (content.includes("://")) {
      for (const [, scheme = "", host = ""] of content.matchAll(ADDRESS)) {
        add(card, host, at, scheme.toLowerCase() === "http" ? ", without encryption" : "");
      }
    }
    if (content.includes("@")) for (const [, host = ""] of content.matchAll(GIT_REMOTE)) add(card, host, at);
    if (!NETWORK_COMMAND.test(content)) continue;
    for (const [, host = ""] of content.matchAll(BARE_HOST)) {
      if (!ownNames.has(host.toLowerCase())) add(card, host, at);
    }
  }
}

function add(card: Card, written: string, at: { path: string; line: number }, how = ""): void {
  const host = written.toLowerCase().replace(/\.+$/, "");
  const isName = host.includes(".") || host.startsWith("[") || host === "localhost";
  if (!isName) return;
  const isAddress = IPV4.test(host) || host.startsWith("[");
  const isHere = host === "localhost" || host.startsWith("127.") || host === "[::1]";
  const fact = isAddress ? `It names the address ${host}${how}.` : `It names the host ${host}${how}.`;
  const standsOut = !isHere && (isAddress || host.startsWith("xn--") || host.includes(".xn--"));
  card.add("network", { kind: "host", value: host, fact, standsOut, at });
}
