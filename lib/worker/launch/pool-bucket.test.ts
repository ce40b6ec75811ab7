import { describe, expect, it } from "vitest";
import { createDemand } from "./pool-bucket";

const SLOTS = 4;
const MOST = 8 * SLOTS;

function startDemand() {
  let ms = 0;
  const demand = createDemand(SLOTS, () => ms);
  const run = (count: number, apartMs = 0) => {
    for (let index = 0; index < count; index += 1) {
      demand.begin();
      demand.end();
      ms += apartMs;
    }
  };
  return { demand, run, wants: () => [demand.base(), demand.wanted()] };
}

describe("the demand for a pack", () => {
  it("is one process at first, and one more than runs at once, at most one for each slot", () => {
    const { demand, wants } = startDemand();
    expect(wants()).toEqual([1, 1]);
    for (const base of [2, 3, 4, 4]) {
      demand.begin();
      expect(wants()).toEqual([base, base]);
    }
  });

  it("is as many as were run within a second, at most eight for each slot", () => {
    const { run, wants } = startDemand();
    run(20, 50);
    expect(wants()).toEqual([2, 20]);
    run(60, 10);
    expect(wants()).toEqual([2, MOST]);
  });

  it("counts none that were run a second apart", () => {
    const { run, wants } = startDemand();
    run(20, 1000);
    expect(wants()).toEqual([2, 2]);
    run(20, 500);
    expect(wants()).toEqual([2, 2]);
    run(20, 300);
    expect(wants()).toEqual([2, 4]);
  });

  it("is forgotten after two calm whiles, and not what still runs", () => {
    const { demand, run, wants } = startDemand();
    demand.begin();
    demand.begin();
    run(10);
    demand.age();
    expect(wants()).toEqual([4, 12]);
    demand.age();
    expect(wants()).toEqual([3, 3]);
    demand.end();
    demand.end();
    expect(demand.isRunning()).toBe(false);
    demand.age();
    demand.age();
    expect(wants()).toEqual([1, 1]);
  });

  it("does not fall below nothing when an end is told twice", () => {
    const { demand, wants } = startDemand();
    demand.end();
    demand.end();
    demand.begin();
    expect(demand.isRunning()).toBe(true);
    expect(wants()).toEqual([2, 2]);
  });
});
