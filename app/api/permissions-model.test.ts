import { expect, test } from "vitest";
import { checkSequences } from "./permissions-model/check-sequences";
import { createWorld } from "./permissions-model/world";

const SEQUENCES = Number(process.env.PERMISSION_SEQUENCES ?? 2_000);
const world = await createWorld();

test("x", { timeout: SEQUENCES * 1_000 }, async () => {
  const known = process.env.PERMISSION_KNOWN ? new RegExp(process.env.PERMISSION_KNOWN) : undefined;
  const t = Date.now();
  const checked = await checkSequences(world, {
    sequences: SEQUENCES,
    seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_123),
    known,
  });
  console.info(Date.now() - t, checked.statistics.write());
  console.info(checked.brokenAfter, checked.log.join("\n"), checked.violations);
  expect(checked.violations).toEqual([]);
});
