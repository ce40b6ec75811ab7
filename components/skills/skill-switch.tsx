"use client";

import { useMe } from "@/components/state/use-me";
import { Switch } from "@/components/ui/switch";
import type { Skill } from "@/lib/skills/schema";
import { canManage } from "./can-manage";
import { displayName } from "./skill-labels";
import { useSkillSwitch } from "./use-skill-switch";

export function SkillSwitch({ skill }: { skill: Skill }) {
  const change = useSkillSwitch();
  const me = useMe();
  const mayNot = me !== undefined && !canManage(skill, me);
  return (
    <span title={mayNot ? "Only its owner or an admin can switch it" : undefined} className="inline-flex">
      <Switch
        aria-label={`${displayName(skill)} is ${skill.enabled ? "on" : "off"}`}
        checked={skill.enabled}
        disabled={mayNot}
        onCheckedChange={(enabled) => change({ skill, enabled })}
      />
    </span>
  );
}
