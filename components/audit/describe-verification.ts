import type { AuditVerification } from "@/lib/client/audit-chain";

/** What a verification found, in sentences. */
export function describeVerification(found: AuditVerification): { title: string; details: string[] } {
  const { ok, checked, firstBroken, head, unsigned, chainedLater, segments } = found;
  const events = `${checked.toLocaleString("en")} ${checked === 1 ? "event" : "events"}`;
  const title = ok ? `The audit holds: ${events} checked.` : (firstBroken?.message ?? "The audit does not hold.");
  const absent = segments.absent.map(({ fromSeq, toSeq }) => `${fromSeq} to ${toSeq}`).join(", ");
  const details = [
    ok ? null : "Everything before this event holds. Compare with a backup or with where events are forwarded to.",
    head === null ? null : `Newest signed head: event ${head.seq}.`,
    unsigned === 0 ? null : `${unsigned} newer ${unsigned === 1 ? "event is" : "events are"} not signed yet.`,
    absent === "" ? null : `Sealed and not here: events ${absent}.`,
    chainedLater === 0 ? null : `Events up to ${chainedLater} are older than the chain.`,
  ];
  return { title, details: details.filter((sentence) => sentence !== null) };
}
