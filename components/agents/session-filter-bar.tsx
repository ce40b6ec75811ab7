"use client";

import { useQuery } from "@tanstack/react-query";
import { FilterDay, FilterSelect } from "@/components/state/address-filters";
import { useMe } from "@/components/state/use-me";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import type { SelectOption } from "@/components/ui/select";
import { SESSION_FILTER_KEYS, sessionFacetsQuery } from "@/lib/client/agents";
import { noSessionFilters } from "./session-filters";

type SessionFilterBarProps = { params: URLSearchParams; onChange: (patch: UrlPatch) => void };

export function SessionFilterBar({ params, onChange }: SessionFilterBarProps) {
  const { data } = useQuery(sessionFacetsQuery);
  const isAdmin = useMe()?.user.role === "admin";
  const address = { params, onChange };
  const pick = (key: "persona" | "token" | "user" | "client", label: string, options: readonly SelectOption[]) => (
    <FilterSelect {...address} name={key} label={label} options={options} className="w-44" />
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
      <FilterDay {...address} name="from" label="From" of="sessions" />
      <FilterDay {...address} name="to" label="To" of="sessions" />
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
