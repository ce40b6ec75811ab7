import { hasLabelledDescription } from "../infer-description";
import { readSkill } from "../read-skill";
import { readSkillMd } from "../read-skill-md";
import type { Stage } from "../repair-frontmatter";

/** How a set of SKILL.md files was read. Each file is in exactly one of strict, recovered, inferred, unusable, exceptions. */
export type CorpusCount = {
  files: number;
  /** The frontmatter is valid and has a description. */
  strict: number;
  /** It has one after repairs, by the last stage that was needed. */
  recovered: Record<Stage, number>;
  /** The description had to be guessed from the body. */
  inferred: number;
  /** There is no description, not even a guessed one. */
  unusable: number;
  exceptions: number;
  /** Files that say their name themselves, in any readable form. */
  withName: number;
  /** Files that say their description themselves, in any readable form. */
  withDescription: number;
  /** Processor time, so that other programs on the machine do not count. */
  msPerFile: number;
};

export type CorpusFile = { folder: string; bytes: Uint8Array };

/** Reads each file as a skill of its own and counts. Only the reading is timed. */
export function countOutcomes(files: Iterable<CorpusFile>): CorpusCount {
  const count: CorpusCount = {
    ...{ files: 0, strict: 0, recovered: { S1: 0, S2: 0, S3: 0, S4: 0, S5: 0, S6: 0 } },
    ...{ inferred: 0, unusable: 0, exceptions: 0, withName: 0, withDescription: 0, msPerFile: 0 },
  };
  let totalMicros = 0;
  for (const file of files) {
    count.files += 1;
    const start = process.cpuUsage();
    try {
      addOutcome(count, file);
    } catch {
      // The reader promises that there are none; this count is how anybody can check it.
      count.exceptions += 1;
    }
    const { user, system } = process.cpuUsage(start);
    totalMicros += user + system;
  }
  count.msPerFile = count.files === 0 ? 0 : Math.round(totalMicros / count.files) / 1000;
  return count;
}

function addOutcome(count: CorpusCount, { folder, bytes }: CorpusFile): void {
  const file = { path: "SKILL.md", mode: "644" as const, bytes };
  const { manifest, diagnostics } = readSkill([file], { folder });
  const codes = new Set(diagnostics.map((diagnostic) => diagnostic.code));
  const said = manifest.description !== "" && !codes.has("description_inferred");
  if (!codes.has("name_inferred")) count.withName += 1;
  if (said || hasLabelledDescription(manifest.body)) count.withDescription += 1;
  if (manifest.description === "") count.unusable += 1;
  else if (!said) count.inferred += 1;
  else if (!codes.has("dropped_by_strict_loaders")) count.strict += 1;
  else {
    const { stage } = readSkillMd(file);
    if (stage === "strict" || stage === "none") count.strict += 1;
    else count.recovered[stage] += 1;
  }
}
