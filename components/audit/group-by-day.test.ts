import { describe, expect, it } from "vitest";
import type { AuditEvent } from "@/lib/audit/schema";
import { groupByDay } from "./group-by-day";

const at = (iso: string) => ({ at: iso }) as AuditEvent;
// Tests run in Kathmandu, at +05:45: a day begins at 18:15 UTC.
const now = Date.parse("2026-11-20T06:00:00Z");

describe("groupByDay", () => {
  it("splits at the reader's midnight and labels today and yesterday", () => {
    const events = [
      "2026-11-20T05:00:00Z",
      "2026-11-19T18:20:00Z",
      "2026-11-19T18:10:00Z",
      "2026-11-18T12:00:00Z",
      "2025-11-20T12:00:00Z",
    ];
    const days = groupByDay(events.map(at), now);
    expect(days.map(({ label, events: of }) => [label, of.length])).toEqual([
      ["Today", 2],
      ["Yesterday", 1],
      ["Wednesday 18 November", 1],
      ["Thursday 20 November 2025", 1],
    ]);
  });

  it("keeps the order of the events", () => {
    const days = groupByDay([at("2026-11-20T05:00:00Z"), at("2026-11-20T04:00:00Z")], now);
    expect(days[0]?.events.map((event) => event.at)).toEqual(["2026-11-20T05:00:00Z", "2026-11-20T04:00:00Z"]);
  });
});
