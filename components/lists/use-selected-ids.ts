import { useCallback, useState } from "react";

const none: ReadonlySet<string> = new Set();

export function useSelectedIds() {
  const [selected, setSelected] = useState(none);
  const select = useCallback((id: string, isSelected: boolean) => {
    setSelected((before) => {
      const next = new Set(before);
      if (isSelected) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  return { selected, select, selectOnly: useCallback((ids: readonly string[]) => setSelected(new Set(ids)), []) };
}
