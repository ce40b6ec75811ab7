import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { healthOf, SourceHealth } from "./source-health";

afterEach(cleanup);

const now = Date.parse("2026-05-31T12:00:00Z");
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();

it("marks the days of an outage, and those before the source was added", () => {
  const days = healthOf(
    {
      createdAt: daysAgo(10),
      outages: [
        { from: daysAgo(5.5), to: daysAgo(3.5) },
        { from: daysAgo(0.1), to: null },
      ],
    },
    now,
  );
  expect(days).toHaveLength(30);
  expect(days.slice(0, 19)).toEqual(Array.from({ length: 19 }, () => "not added"));
  expect(days.slice(19)).toEqual([
    ...["good", "good", "good", "good", "good", "failed", "failed", "failed"],
    ...["good", "good", "failed"],
  ]);
});

it("says in words what the bars show", () => {
  render(<SourceHealth source={{ createdAt: daysAgo(10), outages: [] }} />);
  expect(screen.getByRole("img", { name: "Last 30 days: no failed syncs" })).toBeTruthy();
});
