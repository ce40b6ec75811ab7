"use client";

import { useMe } from "@/components/state/use-me";
import { SegmentedControl } from "@/components/ui/segmented-control";
import type { ImportOwner } from "@/lib/client/skills";

type OwnerChoiceProps = { owner: ImportOwner; onChange: (owner: ImportOwner) => void; disabled: boolean };

/** Reviewers and admins may bring in skills for everybody. */
export function OwnerChoice({ owner, onChange, disabled }: OwnerChoiceProps) {
  const me = useMe();
  if (!me || me.user.role === "user") return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
      <span className="text-muted-foreground">Import for</span>
      <SegmentedControl
        label="Import for"
        value={owner}
        onValueChange={(next) => !disabled && onChange(next)}
        options={[
          { value: "me", label: "Me" },
          { value: "org", label: "The organisation" },
        ]}
      />
      <span className="text-muted-foreground text-xs">
        {owner === "me" ? "Only you, reviewers and admins see it." : "Everybody sees it."}
      </span>
    </div>
  );
}
