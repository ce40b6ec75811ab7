"use client";

import { useRouter } from "next/navigation";
import { useShortcut } from "@/components/shell/use-shortcut";
import type { Skill } from "@/lib/skills/schema";
import { actionHref } from "./skill-words";
import { useSkillSwitch } from "./use-skill-switch";

type SkillKeys = {
  /** In the order on the screen. */
  skills: readonly Skill[];
  activeId: string | null;
  selected: ReadonlySet<string>;
  onSelect: (id: string, selected: boolean) => void;
};

/** `j k` move the focus from name to name, where Enter opens; `x e r` act on the row that has it. */
export function useSkillKeys({ skills, activeId, selected, onSelect }: SkillKeys): void {
  const router = useRouter();
  const change = useSkillSwitch();
  const index = skills.findIndex((skill) => skill.id === activeId);
  const active = skills[index];
  const group = { group: "My skills" };

  const move = (by: 1 | -1) => {
    const next = index === -1 ? skills[0] : (skills[index + by] ?? active);
    if (next) focusRow(next.id);
  };
  useShortcut("j", "Next skill", () => move(1), group);
  useShortcut("k", "Previous skill", () => move(-1), group);
  useShortcut("x", "Select the skill", () => active && onSelect(active.id, !selected.has(active.id)), group);
  useShortcut(
    "e",
    "Switch the skill on or off",
    () => active && change({ skill: active, enabled: !active.enabled }),
    group,
  );
  useShortcut("r", "Run or use the skill", () => active && router.push(actionHref(active)), group);
}

function focusRow(id: string): void {
  const link = document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(id)}"]`);
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: "nearest" });
}
