import type { UrlPatch } from "@/components/state/use-url-params";
import { Input } from "@/components/ui/input";
import { Select, type SelectOption } from "@/components/ui/select";

type FilterProps = { name: string; label: string; params: URLSearchParams; onChange: (patch: UrlPatch) => void };

type FilterSelectProps = FilterProps & { options: readonly SelectOption[]; className: string };

/** One choice of a list's filters, kept in the address. What the address names stays chosen, also when it is no option (yet). */
export function FilterSelect({ name, label, params, onChange, options, className }: FilterSelectProps) {
  const current = params.get(name) ?? "";
  const isKnown = current === "" || options.some(({ value }) => value === current);
  return (
    <span className={`${className} max-md:w-[calc(50%-0.25rem)]`}>
      <Select
        aria-label={label}
        options={[
          { value: "", label: `Any ${label.toLowerCase()}` },
          ...options,
          ...(isKnown ? [] : [{ value: current, label: current }]),
        ]}
        value={current}
        onChange={({ target }) => onChange({ [name]: target.value })}
      />
    </span>
  );
}

/** A day of a list's filters, kept in the address. `of` names the list, so that two on a page do not share an id. */
export function FilterDay({ name, label, params, onChange, of }: FilterProps & { of: string }) {
  return (
    <span className="flex items-center gap-1.5 text-13 text-muted-foreground max-md:w-[calc(50%-0.25rem)]">
      <label htmlFor={`${of}-${name}`}>{label}</label>
      <Input
        id={`${of}-${name}`}
        type="date"
        value={params.get(name) ?? ""}
        onChange={({ target }) => onChange({ [name]: target.value })}
        className="w-36 max-md:min-w-0 max-md:flex-1"
      />
    </span>
  );
}
