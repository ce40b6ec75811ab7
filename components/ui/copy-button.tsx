"use client";

import { Check, Copy } from "lucide-react";
import { useCopy } from "@/components/state/use-copy";
import { IconButton } from "./icon-button";

type CopyButtonProps = { value: string; label?: string; className?: string };

export function CopyButton({ value, label = "Copy", className = "" }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  return (
    <>
      <IconButton label={copied ? "Copied" : label} size="sm" className={className} onClick={() => void copy(value)}>
        {copied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />}
      </IconButton>
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}
