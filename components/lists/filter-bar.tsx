"use client";

import type { ReactNode } from "react";
import { type UrlPatch, useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select, type SelectOption } from "@/components/ui/select";

type FilterProps = { name: string; label: string };

/** Filters in a row, kept in the address; one button takes those of `keys` out of it again. */
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

/** Takes these out of the address. */
export function noFilters(keys: readonly string[]): UrlPatch {
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/** The address's filters as the API takes them; the days `from` and `to` become moments of the reader's zone. */
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

/** A day as the API takes it: its first or last moment in the reader's zone, in UTC; null for what is no day. */
export function dayBoundary(day: string, end: "from" | "to"): string | null {
  const time = new Date(`${day}T${end === "from" ? "00:00:00.000" : "23:59:59.999"}`);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(time.getTime()) ? time.toISOString() : null;
}

/** With what the address names, also when it is no option (yet), so that it stays chosen. */
export function withCurrent(options: readonly SelectOption[], current: string | null): readonly SelectOption[] {
  if (!current || options.some(({ value }) => value === current)) return options;
  return [...options, { value: current, label: current }];
}

type FilterSelectProps = FilterProps & { options: readonly SelectOption[]; any?: string; className: string };

/** One choice of a list's filters. */
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

/** A day of a list's filters. `of` names the list, so that two on a page do not share an id. */
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
