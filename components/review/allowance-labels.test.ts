import { expect, test } from "vitest";
import type { WorkerAllowanceItem } from "@/lib/client/workers";
import { WorkerAllowance } from "@/lib/policy/worker-allowance";
import { allowanceText, isOffered, noWorkerReason, refusedGrantTexts } from "./allowance-labels";

const worker = (name: string, allows: object = {}, more: Partial<WorkerAllowanceItem> = {}): WorkerAllowanceItem => ({
  ...{ id: name, name, manager: true, online: true, saysAllows: true },
  allows: WorkerAllowance.parse(allows),
  ...more,
});
const [narrow, wide] = [worker("narrow"), worker("wide", { paths: ["/srv"], proxy: true })];

test("grants that no worker allows are not offered; without workers all are", () => {
  expect(isOffered("paths", [narrow])).toBe(false);
  expect(isOffered("paths", [narrow, wide])).toBe(true);
  expect(isOffered("network", [narrow])).toBe(false);
  expect(isOffered("capabilities", [wide])).toBe(false);
  expect(isOffered("paths", [])).toBe(true);
});

test("the text names each worker's allowed values and the variable", () => {
  expect(allowanceText("paths", [narrow])).toBe(
    "No worker allows any. A worker’s operator sets the allowed values in SKILLGATE_WORKER_PATHS.",
  );
  expect(allowanceText("paths", [narrow, wide])).toBe(
    "Allowed on wide: /srv; on narrow: none (SKILLGATE_WORKER_PATHS).",
  );
  expect(allowanceText("network", [narrow, wide])).toBe(
    "narrow cannot isolate the network of a run and takes no runs with network access.",
  );
  expect(allowanceText("network", [wide])).toBe("");
  expect(allowanceText("paths", [])).toBe("No worker has connected yet, so the allowed values are unknown.");
  expect(allowanceText("env", [worker("old", {}, { saysAllows: false })])).toContain("old runs an older release");
});

test("each worker that refuses a grant is named, with the variable", () => {
  const grants = { paths: [{ path: "/srv/data", mode: "ro" as const }], capabilities: ["CAP_SYS_ADMIN"] };
  expect(refusedGrantTexts("paths", [narrow, wide], grants)).toEqual([
    "The worker narrow does not allow the path /srv/data: SKILLGATE_WORKER_PATHS.",
  ]);
  expect(refusedGrantTexts("capabilities", [wide], grants)).toEqual([
    "The worker wide does not allow the capability CAP_SYS_ADMIN, which no setting allows.",
  ]);
});

test("terms that no worker can run get the reason", () => {
  const grants = { paths: [{ path: "/srv/data", mode: "ro" as const }] };
  expect(noWorkerReason([narrow, wide], grants, "manager")).toBeNull();
  expect(noWorkerReason([narrow], grants, "manager")).toContain("SKILLGATE_WORKER_PATHS");
  expect(noWorkerReason([narrow, worker("edge", { paths: ["/"] }, { manager: false })], grants, "manager")).toContain(
    "“narrow”",
  );
  expect(noWorkerReason([], grants, "manager")).toBeNull();
});
