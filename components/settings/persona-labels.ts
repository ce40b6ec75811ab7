import type { PermissionMode } from "@/lib/client/personas";

type ModeLabel = { label: string; explanation: string };

export const modeLabels: Record<PermissionMode, ModeLabel> = {
  "read-only": {
    label: "Safe runs only",
    explanation: "Safe skills run immediately. Mutating and dangerous skills are refused.",
  },
  "mutating-with-confirm": {
    label: "Mutating runs with approval",
    explanation: "Safe skills run immediately. Mutating skills wait for an approval. Dangerous skills are refused.",
  },
  "dual-sign-required": {
    label: "Dangerous runs with two approvals",
    explanation: "Safe skills run immediately. Mutating skills wait for one approval, dangerous skills for two.",
  },
};

export const modes = Object.keys(modeLabels) as PermissionMode[];

/** Splits at line breaks and commas; drops empty and repeated entries. */
export function globsOf(text: string): string[] {
  return [...new Set(text.split(/[\n,]/).map((line) => line.trim()))].filter((line) => line !== "");
}
