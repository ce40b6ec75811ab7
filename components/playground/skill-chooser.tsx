import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { canManage, displayName, skillHref } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { useDebounced } from "@/components/state/use-debounced";
import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { SearchInput } from "@/components/ui/search-input";
import { Select } from "@/components/ui/select";
import type { ChosenSkill } from "@/lib/agent/playground/schema";
import { skillQuery, skillsQuery } from "@/lib/client/skills";
import { versionsQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import { versionChoices } from "./choice";

type ChosenSkillRowProps = {
  chosen: ChosenSkill;
  onVersion: (digest: string | null) => void;
  onRemove: () => void;
};

const SERVING = "serving";

type SkillChooserProps = { chosen: readonly ChosenSkill[]; onChange: (chosen: ChosenSkill[]) => void };

/** The skills of the agent, each in one version. Without a choice, the agent gets all skills of its persona. */
export function SkillChooser({ chosen, onChange }: SkillChooserProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-13">Skills</h3>
        <AddSkill taken={chosen.map(({ skillId }) => skillId)} onAdd={(added) => onChange([...chosen, added])} />
      </div>
      {chosen.length === 0 ? (
        <p className="rounded-md border border-dashed px-3 py-2 text-13 text-muted-foreground">
          All skills that the persona may use. Add a skill to try it alone, or a version that is not approved yet.
        </p>
      ) : (
        <ul aria-label="Chosen skills" className="divide-y rounded-md border">
          {chosen.map((one) => (
            <ChosenSkillRow
              key={one.skillId}
              chosen={one}
              onVersion={(versionDigest) =>
                onChange(chosen.map((other) => (other === one ? { ...one, versionDigest } : other)))
              }
              onRemove={() => onChange(chosen.filter((other) => other !== one))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function AddSkill({ taken, onAdd }: { taken: readonly string[]; onAdd: (added: ChosenSkill) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button size="sm">
          <Plus aria-hidden />
          Add skill
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label="Add skill" align="end" className="w-96">
        <SkillSearch
          taken={taken}
          onChoose={(skill) => {
            setOpen(false);
            const isActive = skill.enabled && skill.currentVersion !== null;
            const other = skill.pendingVersion ?? skill.currentVersion;
            onAdd({ skillId: skill.id, versionDigest: isActive ? null : (other?.digest ?? null) });
          }}
        />
      </PopoverContent>
    </Popover>
  );
}

function SkillSearch({ taken, onChoose }: { taken: readonly string[]; onChoose: (skill: Skill) => void }) {
  const [text, setText] = useState("");
  const q = useDebounced(text.trim(), 200);
  const query = useInfiniteQuery(skillsQuery(q === "" ? {} : { q }));
  return (
    <div className="flex flex-col gap-2">
      <SearchInput
        label="Search skills"
        isPageSearch={false}
        value={text}
        className="md:max-w-none"
        onChange={({ target }) => setText(target.value)}
      />
      <QueryState query={query} errorTitle="The skills could not be loaded.">
        {({ pages }) => {
          const found = pages.flatMap(({ items }) => items).filter(({ id }) => !taken.includes(id));
          if (found.length === 0) return <p className="px-2 py-1.5 text-muted-foreground">No other matching skills</p>;
          return (
            <ul aria-label="Skills" className="-mx-1 max-h-72 overflow-y-auto">
              {found.map((skill) => (
                <li key={skill.id}>
                  <button
                    type="button"
                    onClick={() => onChoose(skill)}
                    className="flex min-h-8 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-accent focus-visible:-outline-offset-2"
                  >
                    <span className="min-w-0 flex-1 truncate" title={skill.description}>
                      {displayName(skill)}
                    </span>
                    {skill.currentVersion === null ? (
                      <Badge tone="warning">Not approved</Badge>
                    ) : skill.enabled ? null : (
                      <Badge>Off</Badge>
                    )}
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </div>
  );
}

function ChosenSkillRow({ chosen: { skillId, versionDigest }, onVersion, onRemove }: ChosenSkillRowProps) {
  const me = useMe();
  const { data: skill, error } = useQuery(skillQuery(skillId));
  const versions = useInfiniteQuery(versionsQuery(skillId)).data?.pages.flatMap((page) => page.items);
  const mayTryPending = skill !== undefined && (canManage(skill, me) || me?.user.role !== "user");
  const choices = skill && versions ? versionChoices(skill, versions, mayTryPending) : null;
  const current = choices?.find(({ digest }) => digest === versionDigest);
  // Without an active version, the newest selectable one is chosen.
  const instead = versionDigest === null && current === undefined ? (choices?.[0]?.digest ?? null) : null;
  useEffect(() => {
    if (instead !== null) onVersion(instead);
  });
  const name = skill ? displayName(skill) : error ? "A skill you do not see" : "…";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-1.5">
      <span className="min-w-0 flex-1 basis-32 truncate text-13">
        {skill ? (
          <Link href={skillHref(skill)} className="hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </span>
      {current?.isPending ? <Badge tone="warning">Not active: playbook only</Badge> : null}
      {choices !== null && current === undefined && instead === null ? (
        <span className="text-13 text-danger">
          {choices.length === 0 ? "No version can be tried" : "Choose a version"}
        </span>
      ) : null}
      {choices !== null && choices.length > 0 ? (
        <Select
          aria-label={`Version of ${name}`}
          className="w-56 max-sm:w-full"
          value={current ? keyOf(current.digest) : ""}
          onChange={({ target }) => onVersion(target.value === SERVING ? null : target.value)}
          options={[
            ...(current ? [] : [{ value: "", label: "Choose a version", disabled: true }]),
            ...choices.map(({ digest, label }) => ({ value: keyOf(digest), label })),
          ]}
        />
      ) : null}
      <IconButton label={`Remove ${name}`} size="sm" onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </li>
  );
}

function keyOf(digest: string | null): string {
  return digest ?? SERVING;
}
