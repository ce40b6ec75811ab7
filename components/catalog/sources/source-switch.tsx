"use client";

import { Switch } from "@/components/ui/switch";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { useSourceActions } from "./use-source-actions";

/** Whether the catalog shows what the source holds. What is installed is not touched. */
export function SourceSwitch({ source }: { source: CatalogSource }) {
  const { show } = useSourceActions(source);
  const isOn = show.isPending ? show.variables : source.enabled;
  return (
    <Switch
      aria-label={`${source.label} is ${isOn ? "shown" : "hidden"}`}
      checked={isOn}
      onCheckedChange={(enabled) => show.mutate(enabled)}
    />
  );
}
