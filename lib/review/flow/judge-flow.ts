import { isKnownInstaller, isOwnOrPlaceholder, SINK } from "../rules/evidence";
import type { Severity } from "../scan/schema";
import { HOLE, type Label } from "./values";

/** Where in a transfer a value stands. `lookup` is a DNS name; `stream` a socket, a remote shell or a copy. */
export type Position = "header" | "body" | "address" | "lookup" | "message" | "stream";

export type Transfer = { position: Position; texts: readonly string[] };

const CHATS =
  /discord(?:app)?\.com\/api\/webhooks|hooks\.slack\.com|api\.telegram\.org|webhook\.office\.com|feishu\.cn|dingtalk\.com|qyapi\.weixin/i;
const LOCAL = /^(?:[a-z]+:\/\/)?(?:localhost|127\.|0\.0\.0\.0|\[?::1\]?|10\.|192\.168\.|host\.docker\.internal|unix:)/i;

export function isLocal(address: string): boolean {
  return LOCAL.test(address) || isOwnOrPlaceholder(address);
}

/** How much a secret on its way to a host weighs; null when a service receives its own key, or nothing leaves. */
export function judgeTransfer(label: Label, { position, texts }: Transfer): Severity | null {
  if (/^(?:download|disks|document)$/.test(label.kind)) return null;
  const address = texts.find((text) => text.includes("//")) ?? texts[0] ?? "";
  const host = hostOf(address);
  if (LOCAL.test(address) || /@localhost\b/.test(address)) return null;
  const toOwner = label.owners.some((owner) => host.includes(owner));
  const isSink = SINK.test(address) || CHATS.test(address);
  if (label.kind === "environment") return "critical";
  if (label.kind === "variable") return judgeVariable(label, { position, host, address, isSink, toOwner });
  if (toOwner) return null;
  // A token that is read to sign a request is ordinary; the contents of a key file are not.
  if (position === "header") {
    if (label.encoded && label.kind !== "store" && label.kind !== "file") return null;
    return label.encoded ? (host === "" ? "high" : "critical") : null;
  }
  if (host === "" && position !== "lookup" && position !== "message" && !isSink)
    return position === "stream" ? "medium" : "high";
  return "critical";
}

type Context = { position: Position; host: string; address: string; isSink: boolean; toOwner: boolean };

function judgeVariable(label: Label, { position, host, address, isSink, toOwner }: Context): Severity | null {
  if (toOwner) return null;
  if (isAlmostOwner(label.name, host)) return "critical";
  if (position === "header") return null;
  if (position === "lookup" || isSink) return "critical";
  const named = label.name.toLowerCase().split("_")[0] ?? "";
  if (host === "" || (named.length > 2 && host.includes(named))) return null;
  // Another service than the one that the key belongs to.
  if (label.owners.length > 0 && !isOwnOrPlaceholder(address)) return "critical";
  return label.encoded ? "high" : null;
}

/** A host that is named like the key's service but for one letter: `FIGMA_TOKEN` for `api.flgma.example`. */
function isAlmostOwner(variable: string, host: string): boolean {
  const [service = ""] = variable.toLowerCase().split("_");
  const labels = host.split(/[.-]/);
  if (
    service.length < 5 ||
    host.includes(service) ||
    /^(?:token|secret|access|private|client|admin|master|deploy)$/.test(service)
  )
    return false;
  return labels.some((label) => {
    if (Math.abs(label.length - service.length) > 1 || label.length < 5) return false;
    let from = 0;
    while (from < label.length && label[from] === service[from]) from += 1;
    let end = 0;
    while (end < Math.min(label.length, service.length) - from && label.at(-1 - end) === service.at(-1 - end)) end += 1;
    const [own, other] = [label.length - from - end, service.length - from - end];
    return own <= 1 && other <= 1;
  });
}

/** How much the execution of downloaded text weighs; null for known installers and the machine itself. */
export function judgeExecution(label: Label): Severity | null {
  if (label.kind !== "download") return null;
  return isKnownInstaller(label.name) || isOwnOrPlaceholder(label.name) ? null : "critical";
}

/** The constant host of an address, in lower case; empty when it is not constant. */
export function hostOf(address: string): string {
  const rest = address.replace(/^["']/, "").replace(/^[a-z+]{2,10}:\/\//i, "");
  const host = /^(?:[^/@\s]{0,80}@)?([^/:?#\s"']+)/.exec(rest)?.[1]?.toLowerCase() ?? "";
  const name = host.includes(HOLE) ? (host.split(HOLE).at(-1) ?? "").replace(/^\./, "") : host;
  return /\w\.\w|^\d+$/.test(name) && !name.includes("$") ? name : "";
}
