"use client";
import { X } from "lucide-react";
import * as RadixDialog from "radix-ui/dialog";
import type { ReactNode } from "react";
import { useRef } from "react";
import { Button } from "./button";
import { cn } from "./cn";

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

/** The close button; last in the dialog, so that the first field gets the initial focus. */
export function DialogCloseButton({ className }: { className?: string }) {
  return (
    <RadixDialog.Close asChild>
      <Button variant="ghost" size="sm" aria-label="Close" className={cn("absolute top-3 right-3 w-7 px-0", className)}>
        <X aria-hidden />
      </Button>
    </RadixDialog.Close>
  );
}

type DialogFocus = { onOpenAutoFocus: (event: Event) => void; onCloseAutoFocus: (event: Event) => void };

/**
 * Focuses the first field on opening, or the dialog when it has no fields. On closing restores the focus, which Radix does
 * only for dialogs with a trigger.
 */
export function useDialogFocus({ seekField = true }: { seekField?: boolean } = {}): DialogFocus {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus(event) {
      opener.current = findOpener(document.activeElement);
      const dialog = event.target;
      if (!seekField || !(dialog instanceof HTMLElement) || dialog.querySelector("input, textarea, select")) return;
      event.preventDefault();
      dialog.focus();
    },
    onCloseAutoFocus(event) {
      if (!opener.current?.isConnected || opener.current === document.body) return;
      event.preventDefault();
      opener.current.focus();
    },
  };
}

/** For a menu item, which is unmounted by then, returns the button of the menu. */
function findOpener(focused: Element | null): HTMLElement | null {
  const buttonId = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = buttonId ? document.getElementById(buttonId) : focused;
  return opener instanceof HTMLElement ? opener : null;
}
