import { expect, it } from "vitest";
import { signaturesText } from "./signatures-text";

const people = (...names: string[]) => names.map((name) => ({ id: name, name }));

it("names who may give the missing approvals", () => {
  const none = { given: 0, needed: 2, by: [] };
  expect(signaturesText(none, people("Ben", "Mara", "Tomás"))).toBe("Needs 2 of: Ben, Mara, Tomás. ");
  const one = { given: 1, needed: 2, by: ["Ben"] };
  expect(signaturesText(one, people("Mara"))).toBe("1 of 2 approvals (Ben). Needs 1 of: Mara. ");
});

it("gives no names to people who may not see them", () => {
  expect(signaturesText({ given: 1, needed: 2, by: ["Ben"] }, null)).toBe("1 of 2 approvals (Ben). ");
  expect(signaturesText({ given: 0, needed: 1, by: [] }, null)).toBe("0 of 1 approval. ");
});

it("says when too few people are left", () => {
  expect(signaturesText({ given: 1, needed: 2, by: ["Ben"] }, [])).toContain(
    "Too few people may approve this version.",
  );
});
