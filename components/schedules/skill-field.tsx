"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useDebounced } from "@/components/state/use-debounced";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { skillsQuery } from "@/lib/client/skills";

type SkillFieldProps = { value: string; onChange: (value: string) => void; error: string | undefined };

/** A skill by name, with those that can be run suggested while typing. */
export function SkillField({ value, onChange, error }: SkillFieldProps) {
  const listId = useId();
  const q = useDebounced(value.trim(), 250);
  const found = useInfiniteQuery(skillsQuery({ enabled: true, ...(q === "" ? {} : { q }) }));
  const skills =
    found.data?.pages.flatMap((page) => page.items).filter((skill) => skill.runnable && skill.userInvocable) ?? [];
  return (
    <>
      <Field label="Skill" required error={error} help="Type to search the skills that can be run.">
        <Input
          list={listId}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
      <datalist id={listId}>
        {skills.map((skill) => (
          <option key={skill.id} value={skill.name}>
            {skill.label ?? skill.description}
          </option>
        ))}
      </datalist>
    </>
  );
}
