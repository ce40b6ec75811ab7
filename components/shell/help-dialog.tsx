"use client";

import { useId } from "react";
import { useStoredValue } from "@/components/state/use-stored-value";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { Label } from "@/components/ui/label";
import { Switch } from "@/components/ui/switch";
import type { Shortcut } from "./shortcut-registry";
import { singleKeysStorageKey, useShortcuts } from "./use-shortcut";

type HelpDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function HelpDialog({ open, onOpenChange }: HelpDialogProps) {
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
        <Label htmlFor={id}>Shortcuts of single keys</Label>
        <p className="text-muted-foreground text-xs">
          Turn them off if you speak to your computer or press keys by accident. Those with Ctrl or ⌘ stay.
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

/** The page's own first; of two with the same keys the one that acts. */
function groupShortcuts(shortcuts: readonly Shortcut[]): [string, Shortcut[]][] {
  const acting = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]));
  const groups = new Map<string, Shortcut[]>();
  for (const shortcut of acting.values()) {
    groups.set(shortcut.group, [...(groups.get(shortcut.group) ?? []), shortcut]);
  }
  const last = ["Go to", "Everywhere"];
  return [...groups].sort(([a], [b]) => last.indexOf(a) - last.indexOf(b));
}
