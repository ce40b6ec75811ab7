"use client";

import * as RadixTooltip from "radix-ui/tooltip";
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useState } from "react";
import { Kbd } from "../kbd";
import type { TooltipEntry, TooltipHandlers } from "./tooltip-entries";

export function TooltipHost({ entries }: { entries: readonly TooltipEntry[] }) {
  return (
    <RadixTooltip.Provider delayDuration={300} skipDelayDuration={200}>
      {entries.map((entry) => (
        <HostedTooltip key={entry.id} entry={entry} />
      ))}
    </RadixTooltip.Provider>
  );
}

function HostedTooltip({ entry }: { entry: TooltipEntry }) {
  const [open, setOpen] = useState(false);
  const { content, shortcut, side, enabled } = entry.view;
  return (
    <RadixTooltip.Root open={enabled && open} onOpenChange={setOpen}>
      <RadixTooltip.Trigger asChild>
        <TriggerStandIn entry={entry} />
      </RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 flex max-w-72 animate-fade items-center gap-2 rounded-md bg-foreground px-2 py-1 text-background text-xs shadow-float"
        >
          {content}
          {shortcut ? <Kbd keys={shortcut} inverted /> : null}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}

type TriggerStandInProps = TooltipHandlers & {
  entry: TooltipEntry;
  ref?: Ref<HTMLElement>;
  "aria-describedby"?: string | undefined;
};

/** Stands in for the element, which the page renders: hands Radix the element, and the element Radix's handlers. */
function TriggerStandIn({ entry, ref, "aria-describedby": describedBy, ...handlers }: TriggerStandInProps) {
  const { target, handlers: heard, replay } = entry;
  useImperativeHandle(ref, () => target.current as HTMLElement, [target]);
  useLayoutEffect(() => {
    heard.current = handlers;
  });
  useEffect(() => {
    replay.current?.();
    replay.current = null;
    return () => {
      heard.current = {};
    };
  }, [heard, replay]);
  useEffect(() => {
    const element = target.current;
    // An element that already has a description keeps it.
    if (!element || !describedBy || element.hasAttribute("aria-describedby")) return;
    element.setAttribute("aria-describedby", describedBy);
    return () => element.removeAttribute("aria-describedby");
  }, [target, describedBy]);
  return null;
}
