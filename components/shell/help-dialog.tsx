"use client";

import { useId } from "react";
import { useStoredValue } from "@/components/state/use-stored-value";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { Label } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Switch } from "@/components/ui/switch";
import { type Shortcut, singleKeysStorageKey, useShortcuts } from "./use-shortcut";

/** The keyboard shortcuts of the open page. */
export function HelpDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Keyboard shortcuts" size="lg">
        <ShortcutGroups />
        <SingleKeysSwitch />
      </DialogContent>
    </Dialog>
  );
}

function ShortcutGroups() {
  const groups = groupShortcuts(useShortcuts());
  return (
    <div className="gap-x-8 sm:columns-2">
      {groups.map(([group, shortcuts]) => (
        <section key={group} className="mb-5 break-inside-avoid">
          <h3 className="mb-1 text-muted-foreground text-xs">{group}</h3>
          <dl>
            {shortcuts.map(({ keys, description }) => (
              <div key={keys} className="flex min-h-8 items-center justify-between gap-4 text-13">
                <dt>{description}</dt>
                <dd>
                  <Kbd keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function SingleKeysSwitch() {
  const id = useId();
  const [singleKeys, setSingleKeys] = useStoredValue<"on" | "off">(singleKeysStorageKey, "on");
  return (
    <div className="flex items-center justify-between gap-4 border-t pt-4">
      <div>
        <Label htmlFor={id}>Single-key shortcuts</Label>
        <p className="text-muted-foreground text-xs">
          Switch them off if you use speech input or press keys by accident. Shortcuts with Ctrl or ⌘ stay on.
        </p>
      </div>
      <Switch
        id={id}
        checked={singleKeys === "on"}
        onCheckedChange={(checked) => setSingleKeys(checked ? "on" : "off")}
      />
    </div>
  );
}

/** Groups of the page first. Of shortcuts with the same keys, only the active one is listed. */
function groupShortcuts(shortcuts: readonly Shortcut[]): [string, Shortcut[]][] {
  const active = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]));
  const groups = new Map<string, Shortcut[]>();
  for (const shortcut of active.values()) {
    groups.set(shortcut.group, [...(groups.get(shortcut.group) ?? []), shortcut]);
  }
  const last = ["Go to", "Everywhere"];
  return [...groups].sort(([a], [b]) => last.indexOf(a) - last.indexOf(b));
}
