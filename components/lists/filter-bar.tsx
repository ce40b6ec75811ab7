"use client";

import { CalendarDays } from "lucide-react";
import type { ReactNode } from "react";
import { type UrlPatch, useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Select, type SelectOption } from "@/components/ui/select";

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

type FilterSelectProps = {
  name: string;
  label: string;
  options: readonly SelectOption[];
  any?: string;
  className: string;
};

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

/** The first and the last day, `from` and `to` of the address, behind one button that shows them. */
export function FilterDates() {
  const [params, setParams] = useUrlParams();
  const chosen = { from: params.get("from") ?? "", to: params.get("to") ?? "" };
  const day = (name: "from" | "to", label: string) => (
    <Field label={label}>
      <Input type="date" value={chosen[name]} onChange={({ target }) => setParams({ [name]: target.value })} />
    </Field>
  );
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button className="max-md:w-[calc(50%-0.25rem)]">
          <CalendarDays aria-hidden />
          {describeDays(chosen)}
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label="Dates" className="flex w-56 flex-col gap-3">
        {day("from", "From")}
        {day("to", "To")}
      </PopoverContent>
    </Popover>
  );
}

/** "Any date", "Since 12 Nov", "Until 20 Nov", "12 Nov – 20 Nov" */
export function describeDays({ from, to }: { from: string; to: string }): string {
  const [first, last] = [from, to].map((day) => {
    const time = Date.parse(`${day}T00:00`);
    return Number.isNaN(time) ? "" : new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  });
  if (first && last) return `${first} – ${last}`;
  if (first) return `Since ${first}`;
  return last ? `Until ${last}` : "Any date";
}
