import { expect, test } from "vitest";
import type { AuditVerification } from "@/lib/audit/chain/schema";
import { describeVerification } from "./audit-page";

const good: AuditVerification = {
  ...{ state: "done", ok: true, checked: 12_345, total: 12_345, startedAt: "2026-01-01T00:00:00.000Z", durationMs: 5 },
  ...{ firstBroken: null, head: null, unsigned: 0, chainedLater: 0, segments: { present: 0, absent: [] } },
};

test("reports an intact log and the events that could not be checked", () => {
  expect(describeVerification(good)).toEqual({ title: "The audit log is intact: 12,345 events checked.", details: [] });
  const head = { seq: 12_344, hash: "", at: "", keyId: "" };
  const segments = { present: 0, absent: [{ fromSeq: 1, toSeq: 500 }] };
  expect(describeVerification({ ...good, head, unsigned: 1, segments }).details).toEqual([
    "Newest signed event: 12344.",
    "1 newer event is not signed yet.",
    "Missing sealed files: events 1 to 500.",
  ]);
});

test("names the first broken event", () => {
  const firstBroken = { seq: 7, problem: "edited" as const, message: "Event 7 was changed." };
  expect(describeVerification({ ...good, ok: false, firstBroken }).title).toBe("Event 7 was changed.");
});
