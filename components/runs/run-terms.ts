import type { Run } from "@/lib/client/runs";
import type { Grants } from "@/lib/policy/grants/schema";
import type { Skill, Version } from "@/lib/skills/schema";

/** What a run may touch before anything is started. */
export type RunTerms = { class: Run["class"]; env: string[]; timeoutSeconds: number };

const usualTimeoutSeconds = 30;

/** As the reviewers granted it: the newest approval counts, else what the files ask for. */
export function termsOf(skill: Pick<Skill, "class">, version: Version | undefined): RunTerms {
  const approval = version?.decisions
    .filter(({ decision }) => decision === "approve")
    .reduce<Version["decisions"][number] | null>((a, b) => (a && a.createdAt > b.createdAt ? a : b), null);
  const grants: Grants = approval?.grants ?? {};
  return {
    class: skill.class,
    env: grants.env ?? version?.manifest.envAllow ?? [],
    timeoutSeconds: grants.timeoutSeconds ?? version?.manifest.timeoutSeconds ?? usualTimeoutSeconds,
  };
}

const classSentences: Record<Run["class"], string> = {
  safe: "It only reads",
  mutating: "It changes things",
  dangerous: "It may do harm",
};

/** One line before a run. */
export function describeTerms(terms: RunTerms, isolation: "none" | "process" | "sandbox" | undefined): string {
  const env =
    terms.env.length === 0 ? "gets no environment variables" : `gets ${listWords(terms.env)} from the environment`;
  const where =
    isolation === "none"
      ? "It is not isolated from this host."
      : isolation === "process"
        ? "It runs as a separate user, not in a sandbox."
        : isolation === "sandbox"
          ? "It runs in a sandbox."
          : "";
  return `${classSentences[terms.class]}, ${env} and is stopped after ${terms.timeoutSeconds} s. ${where}`.trim();
}

function listWords(words: readonly string[]): string {
  if (words.length <= 1) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
