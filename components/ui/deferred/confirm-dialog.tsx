"use client";

import * as RadixAlertDialog from "radix-ui/alert-dialog";
import { type ReactNode, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "../button";
import { cn } from "../cn";
import { overlayStyles, useDialogFocus } from "./dialog-focus";

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** A question that names the object: "Delete csv-summary?" */
  title: string;
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: "primary" | "danger";
  /** The dialog closes when the promise resolves, and shows the error when it rejects. */
  onConfirm: () => unknown;
  children?: ReactNode;
};

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = "Cancel",
  tone = "primary",
  onConfirm,
  children,
}: ConfirmDialogProps) {
  const focus = useDialogFocus({ seekField: false });
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const change = (next: boolean) => {
    setFailure(null);
    onOpenChange(next);
  };

  const confirm = async () => {
    setPending(true);
    setFailure(null);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (error) {
      setFailure(errorText(error));
    } finally {
      setPending(false);
    }
  };

  return (
    <RadixAlertDialog.Root open={open} onOpenChange={change}>
      <RadixAlertDialog.Portal>
        <RadixAlertDialog.Overlay
          className={cn(overlayStyles, "grid place-items-center overflow-y-auto p-4 max-md:items-end")}
        >
          <RadixAlertDialog.Content
            {...focus}
            className="w-full max-w-md animate-pop rounded-lg border bg-popover p-5 text-popover-foreground shadow-float focus:outline-none"
          >
            <RadixAlertDialog.Title className="font-semibold text-base">{title}</RadixAlertDialog.Title>
            <RadixAlertDialog.Description asChild>
              <div className="mt-1 text-13 text-muted-foreground">{description}</div>
            </RadixAlertDialog.Description>
            {children ? <div className="mt-4">{children}</div> : null}
            {failure ? (
              <p role="alert" className="mt-3 text-13 text-danger">
                {failure}
              </p>
            ) : null}
            <div className="mt-5 flex flex-wrap justify-end gap-2">
              <RadixAlertDialog.Cancel asChild>
                <Button disabled={pending}>{cancelLabel}</Button>
              </RadixAlertDialog.Cancel>
              <Button variant={tone} pending={pending} onClick={() => void confirm()}>
                {confirmLabel}
              </Button>
            </div>
          </RadixAlertDialog.Content>
        </RadixAlertDialog.Overlay>
      </RadixAlertDialog.Portal>
    </RadixAlertDialog.Root>
  );
}
