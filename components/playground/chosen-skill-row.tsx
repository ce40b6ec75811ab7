"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import Link from "next/link";
import { useEffect } from "react";
import { canManage } from "@/components/skills/can-manage";
import { displayName, skillHref } from "@/components/skills/skill-words";
import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/icon-button";
import { Select } from "@/components/ui/select";
import type { ChosenSkill } from "@/lib/client/playground";
import { skillQuery } from "@/lib/client/skills";
import { versionsQuery } from "@/lib/client/versions";
import { versionChoices } from "./version-choices";

type ChosenSkillRowProps = {
  chosen: ChosenSkill;
  onVersion: (digest: string | null) => void;
  onRemove: () => void;
};

export function ChosenSkillRow({ chosen: { skillId, versionDigest }, onVersion, onRemove }: ChosenSkillRowProps) {
  const me = useMe();
  const { data: skill, error } = useQuery(skillQuery(skillId));
  const versions = useInfiniteQuery(versionsQuery(skillId)).data?.pages.flatMap((page) => page.items);
  const mayTryPending = skill !== undefined && (canManage(skill, me) || me?.user.role !== "user");
  const choices = skill && versions ? versionChoices(skill, versions, mayTryPending) : null;
  const current = choices?.find(({ digest }) => digest === versionDigest);
  // Nothing serves: the newest that waits is what there is to try.
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
      {current?.isPending ? <Badge tone="warning">Does not serve: playbook only</Badge> : null}
      {choices !== null && current === undefined && instead === null ? (
        <span className="text-13 text-danger">
          {choices.length === 0 ? "Nothing of it can be tried" : "Choose a version"}
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
      <IconButton label={`Leave ${name} out`} size="sm" onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </li>
  );
}

const SERVING = "serving";

function keyOf(digest: string | null): string {
  return digest ?? SERVING;
}
