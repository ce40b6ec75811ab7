import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { type AgentSessionTrace, AgentStepKind, type StepFilters } from "@/lib/client/agents";
import { stepLooks } from "./step-words";

type StepFilterBarProps = {
  session: AgentSessionTrace;
  filters: StepFilters;
  onChange: (patch: UrlPatch) => void;
};

export function StepFilterBar({ session, filters, onChange }: StepFilterBarProps) {
  const refused = session.counts.refused ?? 0;
  const skills = session.skills.map(({ id, name, steps }) => ({
    value: id,
    label: `${name ?? "A skill you do not see"} (${steps})`,
  }));
  const isKnown = !filters.skill || skills.some(({ value }) => value === filters.skill);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="w-44 max-md:w-[calc(50%-0.25rem)]">
        <Select
          aria-label="Kind of step"
          value={filters.kind ?? ""}
          onChange={({ target }) => onChange({ kind: target.value })}
          options={[
            { value: "", label: "Any step" },
            ...AgentStepKind.options.map((kind) => ({
              value: kind,
              label: `${stepLooks[kind].label} (${session.counts[kind] ?? 0})`,
            })),
          ]}
        />
      </span>
      <span className="w-56 max-md:w-[calc(50%-0.25rem)]">
        <Select
          aria-label="Skill"
          value={filters.skill ?? ""}
          onChange={({ target }) => onChange({ skill: target.value })}
          options={[
            { value: "", label: "Any skill" },
            ...skills,
            ...(isKnown ? [] : [{ value: filters.skill ?? "", label: filters.skill ?? "" }]),
          ]}
        />
      </span>
      {refused > 0 && filters.kind !== "refused" ? (
        <Button onClick={() => onChange({ kind: "refused" })}>Refused only</Button>
      ) : null}
      {Object.keys(filters).length > 0 ? (
        <Button variant="ghost" onClick={() => onChange({ kind: null, skill: null })}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}
