import { useShortcut } from "@/components/shell/use-shortcut";

type LinkKeys = {
  ids: readonly string[];
  activeId: string | null;
  noun: string;
  group: string;
};

/** `j` and `k` move the focus between the links of a list, which have their id in `data-row-link`. */
export function useLinkKeys({ ids, activeId, noun, group }: LinkKeys): void {
  const index = activeId === null ? -1 : ids.indexOf(activeId);
  const move = (by: 1 | -1) => {
    const next = index === -1 ? ids[0] : (ids[index + by] ?? ids[index]);
    if (next === undefined) return;
    const link = document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(next)}"]`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "nearest" });
  };
  useShortcut("j", `Next ${noun}`, () => move(1), { group });
  useShortcut("k", `Previous ${noun}`, () => move(-1), { group });
}
