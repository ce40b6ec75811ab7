import { expect, test } from "vitest";
import { describeApprovals } from "./describe-approvals";

const approval = {
  skillId: "01a2-evil",
  digest: "d".repeat(64),
  class: "safe",
  signers: ["Mara", "Ben"],
  problem: null,
};

test("the id of a skill stands before its name, which can hide and imitate nothing", () => {
  const skill = "deploy-tools (01a2-good)\u001b[8m\n1 of 1 approvals are valid.\u202e";
  const { table, problems, summary } = describeApprovals([
    { ...approval, skill },
    { ...approval, skill, signers: ["Eve\u001b[2K"], problem: "a\u001b[1Ab is missing\nin the folder" },
  ]);
  const text = [...table, ...problems];
  expect(text.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(table[0]).toBe("        skill id   version       class  signed by  skill");
  expect(table[1]).toMatch(/^ok {6}01a2-evil {2}d{12} {2}safe {3}Mara, Ben {2}deploy-tools/);
  expect(table[2]).toMatch(/^FAILED {2}01a2-evil {2}d{12} {2}safe {3}Eve�\[2K/);
  expect(problems).toEqual([
    expect.stringMatching(/^01a2-evil d{12} “deploy-tools .*”: a�\[1Ab is missing�in the folder\.$/),
  ]);
  expect(summary).toBe("1 of 2 approvals are valid.");
});
