import { Badge, type Tone } from "./badge";

export const skillClasses = ["safe", "mutating", "dangerous"] as const;

export type SkillClass = (typeof skillClasses)[number];

const tones: Record<SkillClass, Tone> = { safe: "neutral", mutating: "warning", dangerous: "danger" };

const meanings: Record<SkillClass, string> = {
  safe: "Runs only read",
  mutating: "Runs change something",
  dangerous: "Runs may do harm",
};

type ClassChipProps = {
  value: SkillClass;
  /** No person has approved the code, so the class is only what its files say. */
  proposed?: boolean;
  className?: string;
};

/** The class of a skill’s runs: decided by a person, or dashed as a proposal. */
export function ClassChip({ value, proposed = false, className = "" }: ClassChipProps) {
  if (proposed) {
    return (
      <Badge
        tone={tones[value]}
        className={`border-dashed bg-transparent ${className}`}
        title={`Proposed, not reviewed: ${meanings[value].toLowerCase()}`}
      >
        proposed: {value}
      </Badge>
    );
  }
  const loud = value === "dangerous" ? "border-transparent bg-danger-solid text-white" : "";
  return (
    <Badge tone={tones[value]} className={`${loud} ${className}`} title={meanings[value]}>
      {value}
    </Badge>
  );
}
