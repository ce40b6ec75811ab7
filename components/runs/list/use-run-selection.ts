"use client";

import { useMemo, useState } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import type { Me } from "@/lib/client/me";
import { hasEnded, type Run } from "@/lib/client/runs";

export type RunSelection = {
  /** Those that can still be cancelled; what ends meanwhile leaves the selection. */
  chosen: readonly Run[];
  choosable: readonly Run[];
  isChosen: (run: Run) => boolean;
  isChoosable: (run: Run) => boolean;
  /** With `range`, all from the one chosen before. */
  toggle: (run: Run, options?: { range: boolean }) => void;
  setAll: (chosen: boolean) => void;
};

/** Which runs of a list are chosen, by id, so that new ones above them change nothing. `x` and Shift+`x` too. */
export function useRunSelection(runs: readonly Run[], active: Run | undefined, me: Me | undefined): RunSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const choosable = useMemo(() => runs.filter((run) => mayCancel(run, me)), [runs, me]);
  const chosen = choosable.filter((run) => ids.has(run.id));
  const isChoosable = (run: Run) => mayCancel(run, me);

  const toggle: RunSelection["toggle"] = (run, { range } = { range: false }) => {
    const from = range && anchor !== null ? runs.findIndex(({ id }) => id === anchor) : -1;
    const to = runs.findIndex(({ id }) => id === run.id);
    if (from !== -1) {
      const between = runs.slice(Math.min(from, to), Math.max(from, to) + 1).filter(isChoosable);
      setIds(new Set([...ids, ...between.map(({ id }) => id)]));
    } else if (isChoosable(run)) {
      const next = new Set(ids);
      if (!next.delete(run.id)) next.add(run.id);
      setIds(next);
      setAnchor(run.id);
    }
  };
  useShortcut("x", "Select the run", () => active && toggle(active), { enabled: choosable.length > 0 });
  useShortcut("shift+x", "Select up to the run", () => active && toggle(active, { range: true }), {
    enabled: choosable.length > 0,
  });
  return {
    chosen,
    choosable,
    isChosen: (run) => ids.has(run.id) && isChoosable(run),
    isChoosable,
    toggle,
    setAll: (all) => setIds(new Set(all ? choosable.map(({ id }) => id) : [])),
  };
}

/** One’s own runs, and for an admin all, while they have not ended. The server has the last word. */
function mayCancel(run: Run, me: Me | undefined): boolean {
  if (!me || hasEnded(run.state)) return false;
  return run.caller.id === me.user.id || me.user.role === "admin";
}
