"use client";

import { X } from "lucide-react";
import * as RadixDialog from "radix-ui/dialog";
import { Button } from "./button";
import { cn } from "./cn";

/** The cross of a dialog. It stands last in the dialog, so that the first field gets the focus, not this. */
export function DialogCloseButton({ className }: { className?: string }) {
  return (
    <RadixDialog.Close asChild>
      <Button variant="ghost" size="sm" aria-label="Close" className={cn("absolute top-3 right-3 w-7 px-0", className)}>
        <X aria-hidden />
      </Button>
    </RadixDialog.Close>
  );
}
