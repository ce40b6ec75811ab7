import fc from "fast-check";
import { expect, test } from "vitest";
import "@/lib/testing/property-seed";
import { assignVersionNames, isNewerName, parseVersionName } from "./version-names";

test.each([
  [
    [null, null, null],
    ["1.0.0", "1.1.0", "1.2.0"],
  ],
  [
    ["2.0.0", "2.0.1"],
    ["2.0.0", "2.0.1"],
  ],
  [
    ["2.0.0", "2.0.0", null],
    ["2.0.0", "2.1.0", "2.2.0"],
  ],
  [
    ["2.0.0", "1.5.0"],
    ["2.0.0", "2.1.0"],
  ],
  [
    ["v1.2", "1.2", "1.2.3-beta", "01.2.3"],
    ["1.0.0", "1.1.0", "1.2.0", "1.3.0"],
  ],
  [
    [null, "1.0.1", "0.9.0"],
    ["1.0.0", "1.0.1", "1.1.0"],
  ],
])("%j are named %j", (stated, names) => {
  expect(assignVersionNames(stated)).toEqual(names);
});

const part = fc.nat({ max: 12 });
const stated = fc.oneof(
  fc.constant(null),
  fc.string(),
  fc.tuple(part, part, part).map((parts) => parts.join(".")),
);

test("names rise, and a later version never changes an earlier one’s", () => {
  fc.assert(
    fc.property(fc.array(stated, { maxLength: 12 }), stated, (before, next) => {
      const names = assignVersionNames(before);
      expect(assignVersionNames([...before, next]).slice(0, -1)).toEqual(names);
      for (const [index, name] of names.entries()) {
        expect(parseVersionName(name)).not.toBeNull();
        if (index > 0) expect(isNewerName(name, names[index - 1] ?? "")).toBe(true);
      }
    }),
  );
});
