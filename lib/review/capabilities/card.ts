import { isText } from "@/lib/skill-format/archive/decode-text";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { CapabilityFact, CapabilityGroup } from "@/lib/skills/versions/schema";

export type ReadableSkill = { files: SkillFile[]; texts: SkillText[]; manifest: SkillManifest };

export type Card = {
  /** Adds a fact. Repeated facts of the same kind and value are ignored. */
  add(group: CapabilityGroup["group"], fact: NewFact): void;
  groups(): CapabilityGroup[];
};

type NewFact = Pick<CapabilityFact, "kind" | "fact" | "value"> & {
  standsOut?: boolean;
  at?: Place | null;
};

export type Place = { path: string; line: number };

const MAX_FACTS = 60;
const TITLES: Record<CapabilityGroup["group"], string> = {
  tools: "Tools without asking",
  load: "Runs when loaded or installed",
  asks: "Requests to the agent and its host",
  class: "Class",
  entry: "What a run starts",
  environment: "Environment variables",
  network: "Network hosts",
  files: "Programs and paths",
  credentials: "Credentials",
};

export function createCard(): Card {
  const seen = new Set<string>();
  const groups = Object.entries(TITLES).map(
    ([group, title]): CapabilityGroup => ({ group: group as CapabilityGroup["group"], title, facts: [], more: 0 }),
  );
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

/** Lines are cut at 2,000 characters. */
export type SkillText = { path: string; mode: SkillFile["mode"]; lines: string[] };

const MAX_BYTES = 256 * 1024;
const MAX_TOTAL_BYTES = 2 * 1024 * 1024;
const MAX_LINE = 2000;
const MAX_TOTAL_LINES = 50_000;

/** The text files, up to 2 MiB and 50,000 lines in all. */
export function readTexts(files: SkillFile[]): SkillText[] {
  let left = MAX_TOTAL_BYTES;
  let linesLeft = MAX_TOTAL_LINES;
  return files
    .filter((file) => isText(file.bytes))
    .map(({ path, mode, bytes }) => {
      const part = bytes.subarray(0, Math.min(MAX_BYTES, left));
      left -= part.byteLength;
      const lines = new TextDecoder()
        .decode(part)
        .split(/\r\n|\n|\r/)
        .slice(0, linesLeft);
      linesLeft -= lines.length;
      return { path, mode, lines: lines.map((line) => line.slice(0, MAX_LINE)) };
    });
}

export function placeOf(texts: SkillText[], wanted: string): Place | null {
  if (wanted === "") return null;
  const isMarker = ({ path }: SkillText) => /^(skill\.(md|json|toml))$/i.test(path);
  for (const text of [...texts.filter(isMarker), ...texts.filter((text) => !isMarker(text))]) {
    const line = text.lines.findIndex((content) => content.includes(wanted));
    if (line >= 0) return { path: text.path, line: line + 1 };
  }
  return null;
}

export function* eachLine(texts: SkillText[]): Generator<{ content: string; at: Place }> {
  for (const { path, lines } of texts) {
    for (const [index, content] of lines.entries())
      if (content.length > 1) yield { content, at: { path, line: index + 1 } };
  }
}
