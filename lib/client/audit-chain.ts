import { AuditVerification } from "@/lib/audit/chain/schema";
import { api, withQuery } from "./api";
import type { AuditFilters } from "./audit";

export type { AuditVerification };

/** Checks the whole chain; says after each ten seconds or so how far it is, and resolves with what it found. */
export async function verifyAudit(onProgress: (answer: AuditVerification) => void): Promise<AuditVerification> {
  for (;;) {
    const answer = await api("/api/audit/verify", { schema: AuditVerification });
    if (answer.state === "done") return answer;
    onProgress(answer);
  }
}

/** Where the events with these filters come as a file. */
export function auditExportUrl(filters: AuditFilters, format: "ndjson" | "csv"): string {
  return withQuery("/api/audit/export", { ...filters, format });
}
