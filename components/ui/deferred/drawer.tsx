"use client";

import * as RadixDialog from "radix-ui/dialog";
import type { ReactNode } from "react";
import { cn } from "../cn";
import { DialogCloseButton } from "./dialog";
import { overlayStyles, useDialogFocus } from "./dialog-focus";
import type { OpenState } from "./open-state";

export type DrawerContentProps = {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Fixed below the scrolling content. */
  footer?: ReactNode;
  size?: "md" | "lg";
  className?: string;
};

const widths = { md: "md:w-[28rem]", lg: "md:w-[42rem]" } as const;

export function DrawerContent({
  state: { open, setOpen, contentId },
  title,
  description,
  actions,
  children,
  footer,
  size = "md",
  className,
}: DrawerContentProps & { state: OpenState }) {
  const focus = useDialogFocus();
  return (
    <RadixDialog.Root open={open} onOpenChange={setOpen}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayStyles} />
        <RadixDialog.Content
          id={contentId}
          {...focus}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cn(
            "fixed z-50 flex flex-col bg-popover text-popover-foreground shadow-float focus:outline-none",
            "max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[88dvh] max-md:animate-from-bottom max-md:rounded-t-lg max-md:border-t",
            "md:inset-y-0 md:right-0 md:max-w-[92vw] md:animate-from-right md:border-l",
            widths[size],
            className,
          )}
        >
          <header className="flex items-start gap-2 border-b py-3 pr-12 pl-5">
            <div className="min-w-0 flex-1">
              <RadixDialog.Title className="font-semibold text-base">{title}</RadixDialog.Title>
              {description ? (
                <RadixDialog.Description className="mt-0.5 text-13 text-muted-foreground">
                  {description}
                </RadixDialog.Description>
              ) : null}
            </div>
            {actions}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4">{children}</div>
          {footer ? <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</footer> : null}
          <DialogCloseButton />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
