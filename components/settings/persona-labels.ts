import type { PermissionMode } from "@/lib/client/personas";

type ModeLabel = { label: string; explanation: string };

/** What each permission mode means for the agent, in plain words. */
export const modeLabels: Record<PermissionMode, ModeLabel> = {
  "read-only": {
    label: "Only reads",
    explanation: "Safe skills start at once. What changes things, or may do harm, is refused.",
  },
  "mutating-with-confirm": {
    label: "Changes things when a person agrees",
    explanation: "Safe skills start at once, mutating ones wait for a person. Dangerous ones are refused.",
  },
  "dual-sign-required": {
    label: "Dangerous runs with two signatures",
    explanation: "Safe skills start at once, mutating ones wait for a person, dangerous ones for two others.",
  },
};

export const modes = Object.keys(modeLabels) as PermissionMode[];

/** One glob on each line, without empty lines and repetitions. */
export function globsOf(text: string): string[] {
  return [...new Set(text.split(/[\n,]/).map((line) => line.trim()))].filter((line) => line !== "");
}
