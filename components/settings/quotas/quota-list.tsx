import { Badge } from "@/components/ui/badge";
import { ProgressBar } from "@/components/ui/progress-bar";
import { RelativeTime } from "@/components/ui/relative-time";
import type { QuotaUsage } from "@/lib/client/quotas";
import { quotaLabels } from "./quota-words";

/** Each quota with what is used of it. */
export function QuotaList({ items }: { items: readonly QuotaUsage[] }) {
  return (
    <ul className="flex flex-col divide-y rounded-md border">
      {items.map((quota) => (
        <li key={quota.key} className="flex flex-col gap-1.5 px-4 py-2.5 text-13">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{quotaLabels[quota.key]}</span>
            <span className="text-muted-foreground tabular-nums">
              <Used quota={quota} /> {quota.own ? <Badge>set for this person</Badge> : null}
            </span>
          </span>
          {quota.limit === null ? null : (
            <ProgressBar label={quotaLabels[quota.key]} done={Math.min(quota.used, quota.limit)} total={quota.limit} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Used({ quota: { used, unit, limit, freesAt } }: { quota: QuotaUsage }) {
  const amount = used.toLocaleString("en");
  if (limit === null) return `${amount} ${unit}, no limit`;
  return (
    <>
      {amount} of {limit.toLocaleString("en")} {unit}
      {used >= limit && freesAt !== null ? (
        <>
          , begins to free <RelativeTime value={freesAt} />
        </>
      ) : null}
    </>
  );
}
