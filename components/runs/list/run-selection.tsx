import { useMemo, useState } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import type { Me } from "@/lib/auth/schema";
import { hasEnded } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";

export type RunSelection = ReturnType<typeof useRunSelection>;

/** Selects runs by id, so that new runs in the list do not change the selection. Binds `x` and Shift+`x`. */
export function useRunSelection(runs: readonly Run[], active: Run | undefined, me: Me | undefined) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const choosable = useMemo(() => runs.filter((run) => mayCancel(run, me)), [runs, me]);
  const chosen = choosable.filter((run) => ids.has(run.id));
  const isChoosable = (run: Run) => mayCancel(run, me);

  /** With `range`, selects all runs from the previously selected one. */
  const toggle = (run: Run, { range } = { range: false }) => {
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
  useShortcut("x", "Select run", () => active && toggle(active), { enabled: choosable.length > 0 });
  useShortcut("shift+x", "Select range up to run", () => active && toggle(active, { range: true }), {
    enabled: choosable.length > 0,
  });
  return {
    chosen,
    choosable,
    isChosen: (run: Run) => ids.has(run.id) && isChoosable(run),
    isChoosable,
    toggle,
    setAll: (all: boolean) => setIds(new Set(all ? choosable.map(({ id }) => id) : [])),
  };
}

/** Users may cancel their own unfinished runs, admins all. The server checks again. */
function mayCancel(run: Run, me: Me | undefined): boolean {
  if (!me || hasEnded(run.state)) return false;
  return run.caller.id === me.user.id || me.user.role === "admin";
}
