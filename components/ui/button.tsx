import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import * as Slot from "radix-ui/slot";
import type { ComponentProps } from "react";
import { cn } from "./cn";

const buttonStyles = cva(
  "relative inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium text-13 transition-colors duration-100 disabled:pointer-events-none disabled:opacity-50 aria-disabled:cursor-default [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "border-transparent bg-primary text-primary-foreground hover:bg-primary-hover",
        secondary: "border-border bg-background hover:bg-accent data-[state=open]:bg-accent",
        ghost: "border-transparent hover:bg-accent data-[state=open]:bg-accent",
        danger: "border-transparent bg-danger-solid text-white hover:bg-danger-solid-hover",
        link: "h-auto border-transparent px-0 text-primary underline-offset-2 hover:underline",
      },
      size: {
        sm: "h-7 px-2",
        md: "h-8 px-3",
        lg: "h-10 px-4 text-sm",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonStyles> & {
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
