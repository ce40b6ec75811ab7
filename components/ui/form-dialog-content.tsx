"use client";

import { type ReactNode, useId } from "react";
import { Button } from "./button";
import { DialogClose, DialogContent } from "./dialog";

type FormDialogContentProps = {
  title: string;
  description?: ReactNode;
  size?: "sm" | "md" | "lg";
  action: string;
  pending: boolean;
  disabled?: boolean;
  onSubmit: () => void;
  autoComplete?: "off";
  className?: string;
  children: ReactNode;
};

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
