"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useDebounced } from "@/components/state/use-debounced";
import type { UrlPatch } from "@/components/state/use-url-params";
import { FilterChip } from "@/components/ui/filter-chip";
import { SearchInput } from "@/components/ui/search-input";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Select } from "@/components/ui/select";
import { stateLooks } from "@/components/ui/state-chip";
import type { RunFilters } from "@/lib/client/runs";
import { skillQuery } from "@/lib/client/skills";
import { RunState } from "@/lib/runner/schema";

type RunFilterBarProps = { filters: RunFilters; onChange: (patch: UrlPatch) => void };

const states = [
  { value: "", label: "Any state" },
  ...RunState.options.map((state) => ({ value: state, label: stateLooks[state].label })),
];

export function RunFilterBar({ filters, onChange }: RunFilterBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SegmentedControl
        label="Whose runs"
        value={filters.caller === "me" ? "me" : "all"}
        onValueChange={(value) => onChange({ caller: value === "me" ? "me" : null })}
        options={[
          { value: "all", label: "All" },
          { value: "me", label: "Mine" },
        ]}
      />
      <span className="w-44">
        <Select
          aria-label="State"
          options={states}
          value={filters.state ?? ""}
          onChange={({ target }) => onChange({ state: target.value })}
        />
      </span>
      {filters.skill ? (
        <SkillChip skill={filters.skill} onRemove={() => onChange({ skill: null })} />
      ) : (
        <SkillSearch onFound={(skill) => onChange({ skill })} />
      )}
    </div>
  );
}

function SkillChip({ skill, onRemove }: { skill: string; onRemove: () => void }) {
  const { data } = useQuery(skillQuery(skill));
  return <FilterChip label="Skill" value={data?.label ?? data?.name ?? skill} onRemove={onRemove} />;
}

/** Takes a whole name of a skill; the list narrows when there is such a skill. */
function SkillSearch({ onFound }: { onFound: (skill: string) => void }) {
  const [text, setText] = useState("");
  const name = useDebounced(text.trim(), 300);
  const { data, isError } = useQuery({ ...skillQuery(name), enabled: name !== "", retry: false });
  useEffect(() => {
    if (data && name !== "") onFound(data.name);
  }, [data, name, onFound]);
  return (
    <>
      <SearchInput label="Skill name" value={text} onChange={({ target }) => setText(target.value)} className="w-56" />
      {isError && name !== "" && name === text.trim() ? (
        <span role="status" className="text-13 text-muted-foreground">
          No skill has exactly this name
        </span>
      ) : null}
    </>
  );
}
