import { dayBoundary } from "@/components/lists/filter-bar";
import type { AuditFilters } from "@/lib/client/audit";

export const filterKeys = [
  "q",
  "actor",
  "action",
  "tool",
  "outcome",
  "class",
  "decision",
  "device",
  "skill",
  "version",
  "run",
  "session",
  "from",
  "to",
] as const;
export type FilterKey = (typeof filterKeys)[number];

/** Parameters that a saved view contains. */
export const viewKeys = [...filterKeys, "lanes"] as const;

export const noFilters = Object.fromEntries([...filterKeys, "around"].map((key) => [key, null]));

/** The filters of the address for the API. Days become times in the reader's time zone. */
export function readAuditFilters(params: URLSearchParams): AuditFilters {
  const filters: AuditFilters = {};
  for (const key of filterKeys) {
    const raw = params.get(key);
    const value = raw && (key === "from" || key === "to") ? momentOf(raw, key) : raw;
    if (value) filters[key] = value;
  }
  return filters;
}

function momentOf(text: string, end: "from" | "to"): string | null {
  const time = Date.parse(text);
  return dayBoundary(text, end) ?? (/T.*Z$/.test(text) && !Number.isNaN(time) ? new Date(time).toISOString() : null);
}

export const outcomeLabels: Record<string, string> = { ok: "Done", refused: "Refused", failed: "Failed" };

export const decisionLabels: Record<string, string> = {
  allow: "Allowed",
  ask: "Approval requested",
  refuse: "Refused",
  approve: "Approved",
  reject: "Rejected",
};
