"use client";
import { X } from "lucide-react";
import * as RadixDialog from "radix-ui/dialog";
import type { ReactNode } from "react";
import { Button } from "../button";
import { cn } from "../cn";
import { overlayStyles, useDialogFocus } from "./dialog-focus";
import type { OpenState } from "./open-state";

export type DialogContentProps = {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, right-aligned: DialogClose first, the action last. */
  footer?: ReactNode;
  size?: "sm" | "md" | "lg";
  className?: string;
};

const widths = { sm: "max-w-sm", md: "max-w-lg", lg: "max-w-3xl" } as const;

export function DialogContent({
  state: { open, setOpen, contentId },
  title,
  description,
  children,
  footer,
  size = "md",
  className,
}: DialogContentProps & { state: OpenState }) {
  const focus = useDialogFocus();
  return (
    <RadixDialog.Root open={open} onOpenChange={setOpen}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay
          className={cn(overlayStyles, "grid place-items-center overflow-y-auto p-4 max-md:items-end")}
        >
          <RadixDialog.Content
            id={contentId}
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
    </RadixDialog.Root>
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
