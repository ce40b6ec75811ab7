"use client";

import type { ReactNode } from "react";
import { type UrlPatch, useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select, type SelectOption } from "@/components/ui/select";

type FilterProps = { name: string; label: string };

/** A row of filters stored in the address, with a button that clears those of `keys`. */
export function FilterBar({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  const [params, setParams] = useUrlParams();
  return (
    <div className="flex flex-wrap items-center gap-2">
      {children}
      {keys.some((key) => params.get(key)) ? (
        <Button variant="ghost" onClick={() => setParams(noFilters(keys))}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}

export function noFilters(keys: readonly string[]): UrlPatch {
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/** Reads the filters of the address for the API; the days `from` and `to` become times in the browser's time zone. */
export function readFilters<Key extends string>(
  params: URLSearchParams,
  keys: readonly Key[],
): Partial<Record<Key, string>> {
  const filters: Partial<Record<Key, string>> = {};
  for (const key of keys) {
    const raw = params.get(key);
    const value = raw && isDayKey(key) ? dayBoundary(raw, key) : raw;
    if (value) filters[key] = value;
  }
  return filters;
}

function isDayKey(key: string): key is "from" | "to" {
  return key === "from" || key === "to";
}

/** The first or last millisecond of a day in the browser's time zone, as UTC; null when it is not a date. */
export function dayBoundary(day: string, end: "from" | "to"): string | null {
  const time = new Date(`${day}T${end === "from" ? "00:00:00.000" : "23:59:59.999"}`);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(time.getTime()) ? time.toISOString() : null;
}

export function withCurrent(options: readonly SelectOption[], current: string | null): readonly SelectOption[] {
  if (!current || options.some(({ value }) => value === current)) return options;
  return [...options, { value: current, label: current }];
}

type FilterSelectProps = FilterProps & { options: readonly SelectOption[]; any?: string; className: string };

export function FilterSelect({
  name,
  label,
  options,
  any = `Any ${label.toLowerCase()}`,
  className,
}: FilterSelectProps) {
  const [params, setParams] = useUrlParams();
  const current = params.get(name) ?? "";
  return (
    <span className={`${className} max-md:w-[calc(50%-0.25rem)]`}>
      <Select
        aria-label={label}
        options={[{ value: "", label: any }, ...withCurrent(options, current)]}
        value={current}
        onChange={({ target }) => setParams({ [name]: target.value })}
      />
    </span>
  );
}

/** A date filter; `of` makes its id unique per list. */
export function FilterDay({ name, label, of }: FilterProps & { of: string }) {
  const [params, setParams] = useUrlParams();
  return (
    <span className="flex items-center gap-1.5 text-13 text-muted-foreground max-md:w-[calc(50%-0.25rem)]">
      <label htmlFor={`${of}-${name}`}>{label}</label>
      <Input
        id={`${of}-${name}`}
        type="date"
        value={params.get(name) ?? ""}
        onChange={({ target }) => setParams({ [name]: target.value })}
        className="w-36 max-md:min-w-0 max-md:flex-1"
      />
    </span>
  );
}
