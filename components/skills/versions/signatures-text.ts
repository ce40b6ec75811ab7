import type { Version } from "@/lib/skills/versions/schema";

type Signatures = { given: number; needed: number /** Names. */; by: readonly string[] };

/** "1 of 2 approvals (Mara). Needs 1 of: Ben, Tomás. "; names only for those who may see them. */
export function signaturesText({ given, needed, by }: Signatures, maySign: Version["approvals"]["maySign"]): string {
  const missing = needed - given;
  const names = (maySign ?? []).map(({ name }) => name);
  const count = `${given} of ${needed} ${needed === 1 ? "approval" : "approvals"}`;
  const so = given === 0 && names.length > 0 ? "" : `${count}${by.length > 0 ? ` (${by.join(", ")})` : ""}. `;
  if (maySign === null || missing <= 0) return so;
  const who = names.length > 0 ? `Needs ${missing} of: ${names.join(", ")}. ` : "";
  const tooFew = "Too few people may approve this version. Ask an admin to invite another reviewer. ";
  return `${so}${who}${names.length < missing ? tooFew : ""}`;
}
