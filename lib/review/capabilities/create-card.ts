import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { CapabilityFact, CapabilityGroup } from "@/lib/skills/versions/schema";
import type { SkillText } from "./read-texts";

/** What facts are read from. */
export type ReadableSkill = { files: SkillFile[]; texts: SkillText[]; manifest: SkillManifest };

export type Card = {
  /** Adds a fact, once for each kind and value: the first place counts. */
  add(group: CapabilityGroup["group"], fact: NewFact): void;
  groups(): CapabilityGroup[];
};

type NewFact = Pick<CapabilityFact, "kind" | "fact" | "value"> & {
  standsOut?: boolean;
  at?: { path: string; line: number } | null;
};

const MAX_FACTS = 60;
const TITLES: Record<CapabilityGroup["group"], string> = {
  tools: "Tools without asking",
  load: "Runs when it is loaded or installed",
  asks: "Asks of the agent and its host",
  class: "Class",
  entry: "What a run starts",
  environment: "Environment variables",
  network: "Network hosts named",
  files: "Programs and paths named",
  credentials: "Credentials asked for",
};

export function createCard(): Card {
  const seen = new Set<string>();
  const groups = Object.entries(TITLES).map(([group, title]) => ({
    group: group as CapabilityGroup["group"],
    title,
    facts: [] as CapabilityFact[],
    more: 0,
  }));
  return {
    add(name, { kind, fact, value, standsOut = false, at = null }) {
      const key = `${kind} ${value}`;
      const group = groups.find((candidate) => candidate.group === name);
      if (seen.has(key) || !group) return;
      seen.add(key);
      const tone = standsOut ? "stands-out" : "plain";
      group.facts.push({ kind, fact, value, tone, path: at?.path ?? null, line: at?.line ?? null });
    },
    groups: () =>
      groups.map((group) => {
        const facts = [...group.facts].sort((a, b) => rank(a) - rank(b));
        return { ...group, facts: facts.slice(0, MAX_FACTS), more: Math.max(0, facts.length - MAX_FACTS) };
      }),
  };
}

function rank(fact: CapabilityFact): number {
  return fact.tone === "stands-out" ? 0 : 1;
}
