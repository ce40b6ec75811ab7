import { useNow } from "@/components/state/use-now";
import { Sparkline } from "@/components/ui/sparkline";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { countOf } from "../../skills/skill-labels";

const DAYS = 30;
const DAY_MS = 86_400_000;

type Health = Pick<CatalogSource, "outages" | "createdAt">;

/** The last 30 days of a source, one bar a day: tall and red where its syncs failed. */
export function SourceHealth({ source }: { source: Health }) {
  const now = useNow();
  if (now === null) return null;
  const days = healthOf(source, now);
  const failed = days.filter((day) => day === "failed").length;
  return (
    <Sparkline
      points={days.map((day) => ({
        value: day === "failed" ? 2 : 1,
        tone: day === "failed" ? "danger" : day === "good" ? "success" : "neutral",
      }))}
      width={118}
      label={`Last ${DAYS} days: ${failed === 0 ? "no failed syncs" : `failed syncs on ${countOf(failed, "day")}`}`}
    />
  );
}

/** Each of the last 30 days, the oldest first. */
export function healthOf({ outages, createdAt }: Health, now: number): ("good" | "failed" | "not added")[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const end = now - (DAYS - 1 - index) * DAY_MS;
    const isFailed = outages.some(
      ({ from, to }) => Date.parse(from) <= end && (to === null || Date.parse(to) > end - DAY_MS),
    );
    if (isFailed) return "failed";
    return Date.parse(createdAt) <= end ? "good" : "not added";
  });
}
