import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./button";
import { cn } from "./cn";
import { Tooltip } from "./tooltip";

type IconButtonProps = Omit<ButtonProps, "children" | "asChild" | "aria-label"> & {
  /** Accessible name and tooltip. */
  label: string;
  children: ReactNode;
  shortcut?: string;
  side?: "top" | "right" | "bottom" | "left";
};

const squares = { sm: "size-7", md: "size-8", lg: "size-10" } as const;

export function IconButton({
  label,
  shortcut,
  side,
  size = "md",
  variant = "ghost",
  className,
  ...props
}: IconButtonProps) {
  return (
    <Tooltip content={label} side={side} shortcut={shortcut}>
      <Button
        aria-label={label}
        variant={variant}
        size={size}
        className={cn("px-0", squares[size], className)}
        {...props}
      />
    </Tooltip>
  );
}
