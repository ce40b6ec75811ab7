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
  ask: "Asked a person",
  refuse: "Refused",
  approve: "Approved",
  reject: "Rejected",
};

const actionLabels: Record<string, string> = {
  "run.start": "Run started",
  "run.lease": "Run leased by a worker",
  "run.succeed": "Run finished",
  "run.fail": "Run failed",
  "run.cancel": "Run cancelled",
  "run.end": "Run ended",
  "run.retry": "Run retried",
  "request.refuse": "Request refused",
  "session.start": "Signed in",
  "session.end": "Signed out",
  "sign_in.fail": "Sign-in failed",
  "sign_in.connect": "Sign-in connected",
  "sign_in.disconnect": "Sign-in disconnected",
  "server.clock": "Clock changed",
  "version.activate": "Version activated",
  "version.approve": "Version approved",
  "version.import": "Version imported",
};

/** The label of an action; without one, `token.create` → "Token create". */
export function actionLabel(action: string): string {
  return actionLabels[action] ?? capital(action.replace(/[._]/g, " "));
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
