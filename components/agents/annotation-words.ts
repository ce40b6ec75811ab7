import type { AgentView } from "@/lib/client/agents";

type Annotations = AgentView["tools"][number]["annotations"];

const words: [key: keyof Annotations, value: boolean, word: string, meaning: string][] = [
  ["readOnlyHint", true, "read-only", "It changes nothing."],
  ["destructiveHint", true, "destructive", "What it changes may not come back."],
  ["idempotentHint", true, "repeatable", "Calling it again with the same arguments changes nothing more."],
  ["openWorldHint", true, "reaches out", "It may reach other systems over the network."],
  ["openWorldHint", false, "stays here", "It reaches no other system."],
];

/** A tool's hints to its client, in words; what they do not say is left out. */
export function annotationWords(annotations: Annotations): { word: string; meaning: string }[] {
  return words.filter(([key, value]) => annotations[key] === value).map(([, , word, meaning]) => ({ word, meaning }));
}
