import type { PermissionMode } from "@/lib/client/personas";

type ModeLabel = { label: string; explanation: string };

export const modeLabels: Record<PermissionMode, ModeLabel> = {
  "read-only": {
    label: "Read only",
    explanation: "Safe skills run immediately. Mutating and dangerous skills are refused.",
  },
  "mutating-with-confirm": {
    label: "Changes with confirmation",
    explanation:
      "Safe skills run immediately. Mutating skills wait for a person to confirm. Dangerous skills are refused.",
  },
  "dual-sign-required": {
    label: "Dangerous runs with two signatures",
    explanation:
      "Safe skills run immediately. Mutating skills wait for a person to confirm, dangerous skills for two people to sign.",
  },
};

export const modes = Object.keys(modeLabels) as PermissionMode[];

/** Splits at line breaks and commas; drops empty and repeated entries. */
export function globsOf(text: string): string[] {
  return [...new Set(text.split(/[\n,]/).map((line) => line.trim()))].filter((line) => line !== "");
}
