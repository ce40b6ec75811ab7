import { Search } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { Input } from "./input";

type SearchInputProps = Omit<ComponentProps<"input">, "type"> & {
  /** Accessible name, and the default placeholder. */
  label: string;
  /** Whether `/` focuses it; at most one per page. */
  isPageSearch?: boolean;
};

export function SearchInput({
  label,
  isPageSearch = true,
  placeholder = label,
  className,
  ...props
}: SearchInputProps) {
  return (
    <div className={cn("relative w-full md:max-w-72", className)}>
      <Search
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 size-4 text-muted-foreground"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        data-page-search={isPageSearch ? "" : undefined}
        className="pl-8"
        {...props}
      />
    </div>
  );
}
