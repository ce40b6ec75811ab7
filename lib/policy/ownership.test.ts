import fc from "fast-check";
import { expect, test } from "vitest";
import {
  integrationKey,
  isShared,
  ORG,
  ownerIdOf,
  parseOwnerKey,
  personaKey,
  rankSkills,
  type ScopedSkill,
  SKILL_SCOPES,
  scopeFor,
} from "./ownership";

const ME = "u-me";
const caller = { userId: ME, personaId: "p-mine" };

const ownerKeys = fc.constantFrom(
  ...[ORG, ME, "u-other", personaKey("p-mine"), personaKey("p-other")],
  ...[integrationKey("mail", null), integrationKey("mail", ME), integrationKey("mail", "u-other")],
);
const skills = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    ownerKey: ownerKeys,
    source: fc.constantFrom("authored", "imported", "catalog", "integration", "worker"),
    isAdopted: fc.boolean(),
  }),
  { selector: ({ id }) => id },
);

const cases: [what: string, skill: Omit<ScopedSkill, "id">, scope: string | null][] = [
  ["the persona’s own", { ownerKey: personaKey("p-mine"), source: "authored", isAdopted: false }, "persona"],
  ["another persona’s", { ownerKey: personaKey("p-other"), source: "authored", isAdopted: false }, null],
  ["one’s own", { ownerKey: ME, source: "catalog", isAdopted: false }, "personal"],
  ["an adopted one of the organisation", { ownerKey: ORG, source: "authored", isAdopted: true }, "personal"],
  ["an adopted one of another person", { ownerKey: "u-other", source: "authored", isAdopted: true }, "personal"],
  ["one of the organisation", { ownerKey: ORG, source: "imported", isAdopted: false }, "organisation"],
  [
    "an integration for all",
    { ownerKey: integrationKey("mail", null), source: "integration", isAdopted: false },
    "integration",
  ],
  [
    "one’s own integration",
    { ownerKey: integrationKey("mail", ME), source: "integration", isAdopted: false },
    "integration",
  ],
  [
    "another person’s integration",
    { ownerKey: integrationKey("mail", "u-other"), source: "integration", isAdopted: false },
    null,
  ],
  ["one a worker brings", { ownerKey: ORG, source: "worker", isAdopted: false }, "worker"],
  ["another person’s", { ownerKey: "u-other", source: "authored", isAdopted: false }, null],
];

test.each(cases)("%s lies in its scope", (_what, skill, scope) => {
  expect(scopeFor({ id: "s", ...skill }, caller)).toBe(scope);
});

test("an earlier scope always comes before a later one, and skills outside all scopes come last", () => {
  fc.assert(
    fc.property(skills, (given) => {
      const positions = rankSkills(given, caller).map((skill) => {
        const scope = scopeFor(skill, caller);
        return scope === null ? SKILL_SCOPES.length : SKILL_SCOPES.indexOf(scope);
      });
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
    }),
  );
});

test("the order does not depend on the order in which skills are found, and loses none", () => {
  fc.assert(
    fc.property(skills, fc.func(fc.integer()), (given, salt) => {
      const shuffled = [...given].sort((a, b) => salt(a.id) - salt(b.id));
      expect(rankSkills(shuffled, caller)).toEqual(rankSkills(given, caller));
      expect(rankSkills(given, caller)).toHaveLength(given.length);
    }),
  );
});

test("one’s own comes before an adopted one, and one’s own integration before that of all", () => {
  const own = { id: "z", ownerKey: ME, source: "authored", isAdopted: false };
  const adopted = { id: "a", ownerKey: ORG, source: "authored", isAdopted: true };
  expect(rankSkills([adopted, own], caller)[0]).toBe(own);
  const forAll = { id: "a", ownerKey: integrationKey("mail", null), source: "integration", isAdopted: false };
  const mine = { id: "z", ownerKey: integrationKey("mail", ME), source: "integration", isAdopted: false };
  expect(rankSkills([forAll, mine], caller)[0]).toBe(mine);
});

test("every owner key parses back to its owner", () => {
  expect(parseOwnerKey(integrationKey("mail", "u1"))).toEqual({ kind: "integration", domain: "mail", userId: "u1" });
  expect(ownerIdOf(integrationKey("mail", null))).toBeNull();
  expect(ownerIdOf("u1")).toBe("u1");
  expect(
    [ORG, integrationKey("mail", null), integrationKey("mail", "u1"), personaKey("p"), "u1"].map(isShared),
  ).toEqual([true, true, false, false, false]);
});
