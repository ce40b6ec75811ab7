import type { Role } from "@/lib/client/me";

export const scopes = [
  { scope: "read", label: "Read", explanation: "Read the skills, runs and audit events that you can see" },
  { scope: "run", label: "Run", explanation: "Start and cancel runs, and confirm mutating ones" },
  { scope: "write", label: "Write", explanation: "Import, edit, switch on and off, and delete your skills" },
  { scope: "review", label: "Review", explanation: "Approve and reject versions in your name" },
  { scope: "admin", label: "Admin", explanation: "Manage people, workers and this server in your name" },
] as const;

export type TokenScope = (typeof scopes)[number]["scope"];

/** "Read, Run" */
export function scopesText(granted: readonly string[]): string {
  return granted.map((name) => scopes.find(({ scope }) => scope === name)?.label ?? name).join(", ");
}

/** The scopes a person of this role may grant. */
export function scopesOf(role: Role): (typeof scopes)[number][] {
  const beyond: Record<Role, readonly TokenScope[]> = { user: ["review", "admin"], reviewer: ["admin"], admin: [] };
  return scopes.filter(({ scope }) => !beyond[role].includes(scope));
}

export const expiries = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
] as const;

export function expiresIn(days: string, now: number): string {
  return new Date(now + Number(days) * 24 * 60 * 60_000).toISOString();
}
