import { LoaderCircle } from "lucide-react";
import * as Slot from "radix-ui/slot";
import type { ComponentProps } from "react";
import { type ButtonLook, buttonStyles } from "./button-styles";
import { cn } from "./cn";

export type ButtonProps = ComponentProps<"button"> &
  ButtonLook & {
    /** Keeps the width, shows a spinner and refuses clicks. */
    pending?: boolean;
    /** Renders its single child, such as a link, with the button's styles. */
    asChild?: boolean;
  };

export function Button({ variant, size, pending = false, asChild = false, className, ...props }: ButtonProps) {
  const classes = cn(buttonStyles({ variant, size }), className);
  if (asChild) return <Slot.Root className={classes} {...props} />;
  const { children, onClick, type = "button", ...rest } = props;
  return (
    // Not `disabled` while pending, which would drop the focus.
    <button
      type={type}
      className={classes}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      <span className={pending ? "inline-flex items-center gap-1.5 opacity-0" : "contents"}>{children}</span>
      {pending ? <LoaderCircle aria-hidden className="absolute animate-spin" /> : null}
    </button>
  );
}
