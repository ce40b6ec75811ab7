import { Ban, BookOpen, FileText, List, type LucideIcon, Play, Save, Search } from "lucide-react";
import type { AgentSessionItem, AgentStepItem } from "@/lib/agent/sessions/schema";
import type { AgentStepKind } from "@/lib/client/agents";

export const stepKinds: Record<AgentStepKind, { label: string; Icon: LucideIcon; meaning: string }> = {
  listed: { label: "Listed", Icon: List, meaning: "Listed skills or tools" },
  searched: { label: "Searched", Icon: Search, meaning: "Searched for a skill" },
  loaded: { label: "Loaded", Icon: BookOpen, meaning: "Loaded a playbook" },
  read: { label: "Read", Icon: FileText, meaning: "Read a file of a skill" },
  ran: { label: "Ran", Icon: Play, meaning: "Ran a skill" },
  refused: { label: "Refused", Icon: Ban, meaning: "Was refused" },
  saved: { label: "Saved", Icon: Save, meaning: "Saved a draft for review" },
};

export function hasProblem({ kind, outcome }: Pick<AgentStepItem, "kind" | "outcome">): boolean {
  return kind === "refused" || outcome !== "ok";
}

/** "12 steps: 8 listed, 3 loaded, 1 refused", most first. */
export function describeCounts(counts: AgentSessionItem["counts"]): string {
  const all = countList(counts);
  const total = all.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return "No step yet";
  const parts = all.map(({ kind, count }) => `${count} ${stepKinds[kind].label.toLowerCase()}`);
  return `${total} ${total === 1 ? "step" : "steps"}: ${parts.join(", ")}`;
}

export function countList(counts: AgentSessionItem["counts"]): { kind: AgentStepKind; count: number }[] {
  return (Object.keys(stepKinds) as AgentStepKind[])
    .map((kind) => ({ kind, count: counts[kind] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

type Limit = NonNullable<AgentSessionItem["active"]>["tools"];

/** The tool limit of the active skill, in a few words. */
export function limitLabel(tools: Limit): string {
  if (tools === null) return "no tool limit";
  if (tools.length === 0) return "only built-in tools";
  return `only ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
}

/** The tool limit of the active skill, with every tool by name. */
export function limitTooltip(tools: Limit): string {
  if (tools === null)
    return "The skill lists no tools, so the agent may call every tool that the skill does not remove.";
  if (tools.length === 0)
    return "The skill lists only unknown tools, so the agent may call only Skillgate’s built-in tools.";
  return `The agent may call only ${tools.join(", ")} and Skillgate’s built-in tools.`;
}

/** The detail of a step without its kind and skill, which are shown next to it; may be empty. */
export function detailOf({ kind, skill, detail }: Pick<AgentStepItem, "kind" | "skill" | "detail">): string {
  const name = skill?.name ?? null;
  const verb = stepKinds[kind].label.toLowerCase();
  const rest = withoutName(detail.startsWith(`${verb} `) ? detail.slice(verb.length + 1) : detail, name);
  // The rest of a read step is a path, whose case matters.
  return kind === "read" && rest !== detail ? rest : capital(rest);
}

function withoutName(text: string, name: string | null): string {
  if (name === null) return text;
  if (text === name) return "";
  for (const sign of [", ", ": ", " "]) {
    if (text.startsWith(`${name}${sign}`)) return text.slice(name.length + sign.length);
  }
  return text.endsWith(` of ${name}`) ? text.slice(0, -` of ${name}`.length) : text;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
