import type { StoredEvent } from "../chain/event-columns";

/** Facility 13, log audit. */
const FACILITY = 13;
const SEVERITY: Record<string, number> = { ok: 6, refused: 4, failed: 3 };
const NIL = "-";
/** What IANA keeps for documentation: we have no number of our own. */
const DATA_ID = "skillgate@32473";

/** One event as a message of RFC 5424; the event itself, as JSON, is the text. */
export function syslogMessage(event: StoredEvent, { host, pid }: { host: string; pid: number }): string {
  const priority = FACILITY * 8 + (SEVERITY[String(event.outcome)] ?? 5);
  const time = new Date(String(event.at)).toISOString();
  const facts = [
    ["seq", event.seq],
    ["actor", event.actorName],
    ["outcome", event.outcome],
    ["hash", event.hash],
  ].map(([name, value]) => `${name}="${escaped(value)}"`);
  const head = [`<${priority}>1`, time, ascii(host, 255), "skillgate", pid, ascii(event.action, 32)].join(" ");
  return `${head} [${DATA_ID} ${facts.join(" ")}] \ufeff${JSON.stringify(event)}`;
}

function escaped(value: unknown): string {
  return String(value ?? "")
    .replace(/["\\\]]/g, (character) => `\\${character}`)
    .replace(/[\r\n]/g, " ");
}

function ascii(value: unknown, length: number): string {
  return (
    String(value ?? "")
      .replace(/[^\x21-\x7e]/g, "_")
      .slice(0, length) || NIL
  );
}
