import { Badge, type Tone } from "./badge";

export type SkillClass = "safe" | "mutating" | "dangerous";

const tones: Record<SkillClass, Tone> = { safe: "neutral", mutating: "warning", dangerous: "danger" };

const meanings: Record<SkillClass, string> = {
  safe: "Runs only read",
  mutating: "Runs change something",
  dangerous: "Runs may do harm",
};

type ClassChipProps = { value: SkillClass; className?: string };

export function ClassChip({ value, className = "" }: ClassChipProps) {
  return (
    <Badge tone={tones[value]} className={className} title={meanings[value]}>
      {value}
    </Badge>
  );
}
