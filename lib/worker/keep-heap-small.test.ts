import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { HEAP_FLAGS } from "./keep-heap-small";

const MIB = 1024 ** 2;

/** Objects that live for a while, as those of a run do: how large the two parts of the heap become. */
const program = (flags: string[]) => `
  const v8 = require("node:v8");
  for (const flag of ${JSON.stringify(flags)}) v8.setFlagsFromString(flag);
  const sizeOf = (name) => v8.getHeapSpaceStatistics().find((space) => space.space_name === name).space_size;
  const kept = [];
  const most = { nursery: 0, old: 0 };
  for (let i = 0; i < 1_000_000; i += 1) {
    kept[i % 50_000] = { i, text: [i, i, i] };
    if (i % 5_000 > 0) continue;
    most.nursery = Math.max(most.nursery, sizeOf("new_space"));
    most.old = Math.max(most.old, sizeOf("old_space"));
  }
  console.log(JSON.stringify(most));
`;

function measure(flags: string[]): { nursery: number; old: number; complaints: string } {
  const env = { NODE_ENV: "test" } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", program(flags)], { encoding: "utf8", env });
  return { ...JSON.parse(stdout), complaints: stderr };
}

it("this Node knows every flag, and the nursery stays as it is, which alone would let the rest grow", () => {
  const [untold, partly, told] = [measure([]), measure(HEAP_FLAGS.slice(0, 1)), measure(HEAP_FLAGS)];
  expect(told.complaints).toBe("");
  expect(told.nursery).toBe(2 * MIB);
  expect(untold.nursery).toBeGreaterThan(told.nursery);
  expect(partly.old).toBeGreaterThan(1.25 * told.old);
});
