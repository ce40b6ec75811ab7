"use client";

import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/components/state/use-me";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select, type SelectOption } from "@/components/ui/select";
import { SESSION_FILTER_KEYS, sessionFacetsQuery } from "@/lib/client/agents";
import { noSessionFilters } from "./session-filters";

type SessionFilterBarProps = { params: URLSearchParams; onChange: (patch: UrlPatch) => void };

export function SessionFilterBar({ params, onChange }: SessionFilterBarProps) {
  const { data } = useQuery(sessionFacetsQuery);
  const isAdmin = useMe()?.user.role === "admin";
  const pick = (key: "persona" | "token" | "user" | "client", label: string, options: readonly SelectOption[]) => {
    const current = params.get(key) ?? "";
    const isKnown = current === "" || options.some(({ value }) => value === current);
    return (
      <span className="w-44 max-md:w-[calc(50%-0.25rem)]">
        <Select
          aria-label={label}
          options={[
            { value: "", label: `Any ${label.toLowerCase()}` },
            ...options,
            // What the address names stays chosen, also when it is no option (yet).
            ...(isKnown ? [] : [{ value: current, label: current }]),
          ]}
          value={current}
          onChange={({ target }) => onChange({ [key]: target.value })}
        />
      </span>
    );
  };
  const day = (key: "from" | "to", label: string) => (
    <span className="flex items-center gap-1.5 text-13 text-muted-foreground max-md:w-[calc(50%-0.25rem)]">
      <label htmlFor={`sessions-${key}`}>{label}</label>
      <Input
        id={`sessions-${key}`}
        type="date"
        value={params.get(key) ?? ""}
        onChange={({ target }) => onChange({ [key]: target.value })}
        className="w-36 max-md:min-w-0 max-md:flex-1"
      />
    </span>
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {pick("persona", "Persona", named(data?.personas))}
      {pick("token", "Token", named(data?.tokens))}
      {isAdmin ? pick("user", "Person", named(data?.people)) : null}
      {pick(
        "client",
        "Client",
        (data?.clients ?? []).map(({ client }) => ({ value: client, label: client })),
      )}
      {day("from", "From")}
      {day("to", "To")}
      {SESSION_FILTER_KEYS.some((key) => params.get(key)) ? (
        <Button variant="ghost" onClick={() => onChange(noSessionFilters)}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}

function named(items: readonly { id: string; name: string | null }[] | undefined): SelectOption[] {
  return (items ?? []).map(({ id, name }) => ({ value: id, label: name ?? `Gone (${id.slice(0, 8)})` }));
}
