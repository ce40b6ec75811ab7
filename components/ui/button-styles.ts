const base =
  "relative inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium text-13 transition-colors duration-100 disabled:pointer-events-none disabled:opacity-50 aria-disabled:cursor-default [&_svg]:size-4 [&_svg]:shrink-0";

const variants = {
  primary: "border-transparent bg-primary text-primary-foreground hover:bg-primary-hover",
  secondary: "border-border bg-background hover:bg-accent data-[state=open]:bg-accent",
  ghost: "border-transparent hover:bg-accent data-[state=open]:bg-accent",
  danger: "border-transparent bg-danger-solid text-white hover:bg-danger-solid-hover",
  link: "h-auto border-transparent px-0 text-primary underline-offset-2 hover:underline",
};

const sizes = { sm: "h-7 px-2", md: "h-8 px-3", lg: "h-10 px-4 text-sm" };

export type ButtonLook = { variant?: keyof typeof variants | undefined; size?: keyof typeof sizes | undefined };

/** Classes of a button. On their own where a page must stay small; otherwise use Button. */
export function buttonStyles({ variant = "secondary", size = "md" }: ButtonLook = {}): string {
  return `${base} ${variants[variant]} ${sizes[size]}`;
}
