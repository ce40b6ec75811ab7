import { expect, test, vi } from "vitest";
import { checkSequences } from "./testing/permissions-model/check-sequences";
import { createWorld } from "./testing/permissions-model/world";

// Control of the model: the former rules, under which owners could grant themselves anything. Signatures are stored as a
// reviewer's, so that later checks do not recognise an owner's own approval.
vi.mock("@/lib/policy/signatures-needed", async (load) => {
  const { formerWhyNotSign } = await import("./testing/permissions-model/former-rule");
  const judgeSigner = (question: Parameters<typeof formerWhyNotSign>[0]) => {
    const whyNot = formerWhyNotSign(question);
    return whyNot === null ? { right: "review" } : { whyNot };
  };
  return { ...(await load<object>()), whyNotSign: formerWhyNotSign, judgeSigner };
});

const SEED = Number(process.env.FAST_CHECK_SEED ?? 20_261_123);
const PREPARES = /register|exchange|settings|cancel|users|credentials|GET/;

test("with the former rule the model finds the takeover within 500 sequences, and shortens it", {
  timeout: 500_000,
}, async () => {
  const found = await checkSequences(await createWorld(), { sequences: 500, seed: SEED });
  const story = `after ${found.brokenAfter} sequences:\n${found.log.join("\n")}\n${found.violations.join("\n")}`;
  expect(found.brokenAfter).not.toBeNull();
  expect(found.violations.join(), story).toContain("only its owner signed");
  // Import, approval, switch and run suffice; steps that only prepare are not counted.
  const done = found.log.filter((line) => !PREPARES.test(line) && / → 20\d/.test(line));
  expect(done.length, story).toBeLessThanOrEqual(6);
});
