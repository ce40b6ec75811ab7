"use client";

import * as RadixDialog from "radix-ui/dialog";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { DialogCloseButton } from "./dialog-close-button";
import { useDialogFocus } from "./use-dialog-focus";

/** `open`, `onOpenChange`, `defaultOpen`; holds a DialogTrigger (optional) and a DialogContent. */
export const Dialog = RadixDialog.Root;
export const DialogTrigger = RadixDialog.Trigger;
export const DialogClose = RadixDialog.Close;

type DialogContentProps = {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, right-aligned: DialogClose first, the action last. */
  footer?: ReactNode;
  size?: "sm" | "md" | "lg";
  className?: string;
};

const widths = { sm: "max-w-sm", md: "max-w-lg", lg: "max-w-3xl" } as const;

export const overlayStyles = "fixed inset-0 z-50 animate-fade bg-overlay";

export function DialogContent({ title, description, children, footer, size = "md", className }: DialogContentProps) {
  const focus = useDialogFocus();
  return (
    <RadixDialog.Portal>
      <RadixDialog.Overlay
        className={cn(overlayStyles, "grid place-items-center overflow-y-auto p-4 max-md:items-end")}
      >
        <RadixDialog.Content
          {...focus}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cn(
            "relative w-full animate-pop rounded-lg border bg-popover text-popover-foreground shadow-float focus:outline-none",
            widths[size],
            className,
          )}
        >
          <header className="pt-4 pr-12 pl-5">
            <RadixDialog.Title className="font-semibold text-base">{title}</RadixDialog.Title>
            {description ? (
              <RadixDialog.Description className="mt-1 text-13 text-muted-foreground">
                {description}
              </RadixDialog.Description>
            ) : null}
          </header>
          <div className="px-5 py-4">{children}</div>
          {footer ? <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</footer> : null}
          <DialogCloseButton />
        </RadixDialog.Content>
      </RadixDialog.Overlay>
    </RadixDialog.Portal>
  );
}
