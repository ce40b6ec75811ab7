"use client";

import type { QueryKey } from "@tanstack/react-query";
import { type ComponentProps, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useAction } from "./use-action";

type ConfirmButtonProps<Answer> = Pick<ComponentProps<typeof Button>, "size" | "variant" | "className" | "disabled"> &
  Pick<ComponentProps<typeof ConfirmDialog>, "title" | "description" | "confirmLabel" | "tone"> & {
    children: React.ReactNode;
    "aria-label"?: string;
    onConfirm: () => Promise<Answer>;
    refresh?: readonly QueryKey[];
    onDone?: (answer: Answer) => unknown;
    done?: string;
  };

export function ConfirmButton<Answer>({
  title,
  description,
  confirmLabel,
  tone = "danger",
  onConfirm,
  refresh,
  onDone,
  done,
  size = "sm",
  ...button
}: ConfirmButtonProps<Answer>) {
  const [isOpen, setOpen] = useState(false);
  const action = useAction(onConfirm, { refresh, onDone, done });
  return (
    <>
      <Button {...button} size={size} onClick={() => setOpen(true)} />
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={title}
        description={description}
        confirmLabel={confirmLabel}
        tone={tone}
        onConfirm={() => action.mutateAsync()}
      />
    </>
  );
}
