"use client";

import { CircleAlert, CircleCheck, X } from "lucide-react";
import * as RadixToast from "radix-ui/toast";
import { Button } from "../button";

export type ToastInput = {
  title: string;
  description?: string;
  tone?: "neutral" | "success" | "danger";
  /** Shows an Undo button for 10 seconds. */
  undo?: () => void;
  action?: { label: string; onClick: () => void };
};

export type ToastItem = ToastInput & { id: number };
type ToastListProps = { items: readonly ToastItem[]; onClose: (id: number) => void };

/** The messages at the edge of the page, over its content. */
export function ToastList({ items, onClose }: ToastListProps) {
  return (
    <RadixToast.Provider label="Message" swipeDirection="right">
      {items.map((item) => (
        <ToastView key={item.id} item={item} onClose={() => onClose(item.id)} />
      ))}
      <RadixToast.Viewport
        label="Messages ({hotkey})"
        className="-translate-x-1/2 fixed bottom-4 left-1/2 z-70 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2 max-xl:top-[calc(var(--topbar-height)+0.5rem)] max-xl:bottom-auto"
      />
    </RadixToast.Provider>
  );
}

function ToastView({ item, onClose }: { item: ToastItem; onClose: () => void }) {
  const action = item.undo ? { label: "Undo", onClick: item.undo } : item.action;
  const duration = action || item.tone === "danger" ? 10_000 : 5_000;
  return (
    <RadixToast.Root
      open
      onOpenChange={(open) => !open && onClose()}
      duration={duration}
      type="foreground"
      className="flex animate-from-bottom items-start gap-2 rounded-md border bg-popover py-2 pr-1.5 pl-3 text-13 text-popover-foreground shadow-float"
    >
      <ToneIcon tone={item.tone ?? "neutral"} />
      <div className="min-w-0 flex-1 py-1">
        <RadixToast.Title className="break-words font-medium">{item.title}</RadixToast.Title>
        {item.description ? (
          <RadixToast.Description className="break-words text-muted-foreground">
            {item.description}
          </RadixToast.Description>
        ) : null}
      </div>
      {action ? (
        <RadixToast.Action asChild altText={action.label} onClick={action.onClick}>
          <Button size="sm">{action.label}</Button>
        </RadixToast.Action>
      ) : null}
      <RadixToast.Close asChild>
        <Button size="sm" variant="ghost" aria-label="Dismiss" className="w-7 px-0">
          <X aria-hidden />
        </Button>
      </RadixToast.Close>
    </RadixToast.Root>
  );
}

function ToneIcon({ tone }: { tone: "neutral" | "success" | "danger" }) {
  if (tone === "success") return <CircleCheck aria-hidden className="mt-1.5 size-4 shrink-0 text-success" />;
  if (tone === "danger") return <CircleAlert aria-hidden className="mt-1.5 size-4 shrink-0 text-danger" />;
  return null;
}
