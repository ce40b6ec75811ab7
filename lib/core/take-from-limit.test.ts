import { expect, test } from "vitest";
import { limitFields, takeFromLimit } from "./take-from-limit";

test("what is left of a limit counts down to a refusal, and each answer says so in header fields", async () => {
  const taken = [];
  for (let nth = 0; nth < 3; nth += 1) taken.push(await takeFromLimit("a-test", "somebody", 2));
  expect(taken.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(await takeFromLimit("a-test", "somebody else", 2)).toMatchObject({ allowed: true });
  expect(limitFields({ allowed: false, limit: 2, remaining: 0, resetSeconds: 60 })).toEqual({
    ...{ "ratelimit-limit": "2", "ratelimit-remaining": "0", "ratelimit-reset": "60" },
  });
});
