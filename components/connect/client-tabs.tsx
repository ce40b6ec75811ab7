"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { tabListStyles, tabStyles } from "@/components/ui/tab-styles";
import { sightingsQuery } from "@/lib/client/connect";
import { type ClientKey, clients, lastSeen } from "./clients";

/** A tab for each client, with a dot on those that have called. */
export function ClientTabs({ current }: { current: ClientKey }) {
  const params = useSearchParams();
  const { data } = useQuery(sightingsQuery);
  const hrefOf = (key: ClientKey) => {
    const next = new URLSearchParams(params);
    next.set("client", key);
    return `/connect?${next}`;
  };
  return (
    <nav aria-label="Clients" className={tabListStyles}>
      {clients.map(({ key, label }) => (
        <Link
          key={key}
          href={hrefOf(key)}
          replace
          scroll={false}
          aria-current={key === current ? "page" : undefined}
          data-active={key === current}
          className={tabStyles}
        >
          {label}
          {data && lastSeen(key, data.items) ? (
            <span className="size-2 rounded-full bg-success-mark">
              <span className="sr-only">, seen</span>
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
