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

test("what no worker gives is not offered, and without any worker everything is", () => {
  expect(isOffered("paths", [narrow])).toBe(false);
  expect(isOffered("paths", [narrow, wide])).toBe(true);
  expect(isOffered("network", [narrow])).toBe(false);
  expect(isOffered("capabilities", [wide])).toBe(false);
  expect(isOffered("paths", [])).toBe(true);
});

test("it says which worker allows what, and which variable opens it", () => {
  expect(allowanceText("paths", [narrow])).toBe(
    "No worker allows any. The operator of a worker opens them with SKILLGATE_WORKER_PATHS.",
  );
  expect(allowanceText("paths", [narrow, wide])).toBe(
    "Allowed on wide: /srv; on narrow: none (SKILLGATE_WORKER_PATHS).",
  );
  expect(allowanceText("network", [narrow, wide])).toBe(
    "narrow cannot give a run a network of its own, so it takes no runs with network.",
  );
  expect(allowanceText("network", [wide])).toBe("");
  expect(allowanceText("paths", [])).toBe("No worker has connected yet, so it is not known what will be allowed.");
  expect(allowanceText("env", [worker("old", {}, { saysAllows: false })])).toContain("old is of an older release");
});

test("each worker that refuses what is granted is named, with the variable", () => {
  const grants = { paths: [{ path: "/srv/data", mode: "ro" as const }], capabilities: ["CAP_SYS_ADMIN"] };
  expect(refusedGrantTexts("paths", [narrow, wide], grants)).toEqual([
    "The worker narrow does not allow the path /srv/data: SKILLGATE_WORKER_PATHS.",
  ]);
  expect(refusedGrantTexts("capabilities", [wide], grants)).toEqual([
    "The worker wide does not allow the capability CAP_SYS_ADMIN, which no setting opens.",
  ]);
});

test("a decision hears when no worker could serve it", () => {
  const grants = { paths: [{ path: "/srv/data", mode: "ro" as const }] };
  expect(noWorkerReason([narrow, wide], grants, "manager")).toBeNull();
  expect(noWorkerReason([narrow], grants, "manager")).toContain("SKILLGATE_WORKER_PATHS");
  expect(noWorkerReason([narrow, worker("edge", { paths: ["/"] }, { manager: false })], grants, "manager")).toContain(
    "“narrow”",
  );
  expect(noWorkerReason([], grants, "manager")).toBeNull();
});
