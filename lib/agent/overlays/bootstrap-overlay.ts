import { MAX_DESCRIPTION, type OverlayExample } from "./schema";
import type { SkillTrace } from "./skill-trace";

const EXAMPLES = 4;
const PHRASES = 3;
const MAX_PHRASE = 80;
const MAX_SIDE = 600;

type Bootstrap = { description: string; fewShot: OverlayExample[]; chosenIds: string[] };

/**
 * Words for a skill out of its best traces, without a model: the four best as examples, and their requests named in the
 * description. Best is rated up, then unrated; what failed or was rated down is never shown as an example.
 */
export function bootstrapOverlay(description: string, traces: SkillTrace[]): Bootstrap {
  const best = distinctByInput(traces.filter(isGood).sort(byMerit)).slice(0, EXAMPLES);
  return {
    description: nameRequests(description, best),
    fewShot: best.map(({ input, output }) => ({ input: cut(input, MAX_SIDE), output: cut(output, MAX_SIDE) })),
    chosenIds: best.map(({ id }) => id),
  };
}

function isGood({ input, output, rating, outcome }: SkillTrace): boolean {
  return outcome === "ok" && rating >= 0 && input.trim() !== "" && output.trim() !== "";
}

function byMerit(a: SkillTrace, b: SkillTrace): number {
  return b.rating - a.rating || b.at.getTime() - a.at.getTime() || (a.id < b.id ? -1 : 1);
}

function distinctByInput(traces: SkillTrace[]): SkillTrace[] {
  const seen = new Set<string>();
  return traces.filter(({ input }) => {
    const key = input.trim().toLowerCase().replaceAll(/\s+/g, " ");
    return !seen.has(key) && seen.add(key);
  });
}

const SERVED = " It has served for: ";

/** Adds short requests that the skill served well, as many as the format's limit leaves room for. */
function nameRequests(description: string, best: SkillTrace[]): string {
  const own = description.split(SERVED, 1)[0] ?? description;
  const phrases = best
    .map(({ input }) => input.trim().replaceAll(/\s+/g, " "))
    .filter((phrase) => phrase.length <= MAX_PHRASE && !/^[[{]/.test(phrase))
    .slice(0, PHRASES);
  for (let count = phrases.length; count > 0; count--) {
    const text = `${own}${SERVED}${phrases
      .slice(0, count)
      .map((phrase) => `“${phrase}”`)
      .join(", ")}.`;
    if (text.length <= MAX_DESCRIPTION) return text;
  }
  return description;
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
