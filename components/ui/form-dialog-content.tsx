"use client";

import { type ReactNode, useId } from "react";
import { Button } from "./button";
import { DialogClose, DialogContent } from "./dialog";

type FormDialogContentProps = {
  title: string;
  description?: ReactNode;
  size?: "sm" | "md" | "lg";
  /** The verb on the button: "Add key". */
  action: string;
  pending: boolean;
  disabled?: boolean;
  onSubmit: () => void;
  autoComplete?: "off";
  /** Of the form. */
  className?: string;
  children: ReactNode;
};

/** A dialog that is one form: its fields, then Cancel and the action, which Enter does too. */
export function FormDialogContent({
  title,
  description,
  size,
  action,
  pending,
  disabled,
  onSubmit,
  autoComplete,
  className = "flex flex-col gap-5",
  children,
}: FormDialogContentProps) {
  const id = useId();
  return (
    <DialogContent
      title={title}
      description={description}
      size={size}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" pending={pending} disabled={disabled}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        autoComplete={autoComplete}
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
    </DialogContent>
  );
}
