import type { Role } from "@/lib/client/me";

/** What a token may be given, in order, and what each part allows. */
export const scopes = [
  { scope: "read", label: "Read", explanation: "See skills, runs and audit events you can see" },
  { scope: "run", label: "Run", explanation: "Start and cancel runs, and confirm mutating ones" },
  { scope: "write", label: "Write", explanation: "Import, change, switch and delete your skills" },
  { scope: "review", label: "Review", explanation: "Approve and reject versions in your name" },
  { scope: "admin", label: "Admin", explanation: "Manage people, workers and this server in your name" },
] as const;

export type TokenScope = (typeof scopes)[number]["scope"];

/** Nobody hands out more than they have. */
export function scopesOf(role: Role): (typeof scopes)[number][] {
  const beyond: Record<Role, readonly TokenScope[]> = { user: ["review", "admin"], reviewer: ["admin"], admin: [] };
  return scopes.filter(({ scope }) => !beyond[role].includes(scope));
}

/** Days a token may live; 90 unless chosen otherwise. */
export const expiries = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
] as const;

export function expiresIn(days: string, now: number): string {
  return new Date(now + Number(days) * 24 * 60 * 60_000).toISOString();
}
