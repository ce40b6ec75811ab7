"use client";

import { useQuery } from "@tanstack/react-query";
import { formatExactTime } from "@/components/ui/format-time";
import { Select } from "@/components/ui/select";
import { stateLooks } from "@/components/ui/state-chip";
import { newestRunsQuery, type Run } from "@/lib/client/runs";

type ComparePickerProps = { run: Run; chosen: string; onChoose: (id: string) => void };

/** The last runs of the same skill, to compare one with. */
export function ComparePicker({ run, chosen, onChoose }: ComparePickerProps) {
  const { data } = useQuery(newestRunsQuery({ skill: run.skill.id }, 30));
  const others = (data?.items ?? []).filter(({ id }) => id !== run.id);
  const isListed = others.some(({ id }) => id === chosen);
  return (
    <Select
      aria-label="Run to compare with"
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
      className="w-80 max-md:w-full"
      options={[
        ...(chosen === "" ? [{ value: "", label: others.length === 0 ? "No other run" : "Choose a run" }] : []),
        ...(chosen !== "" && !isListed ? [{ value: chosen, label: chosen.slice(0, 8) }] : []),
        ...others.map((other) => ({ value: other.id, label: optionWords(other) })),
      ]}
    />
  );
}

function optionWords(run: Run): string {
  return `${stateLooks[run.state].label}, ${formatExactTime(Date.parse(run.queuedAt))}, ${run.caller.name}`;
}
