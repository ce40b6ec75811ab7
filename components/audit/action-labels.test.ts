import { expect, test } from "vitest";
import { actionLabel } from "./action-labels";

test.each([
  ["token.create", "Token created"],
  ["capability_url.revoke", "Capability URL revoked"],
  ["run.retry", "Run retried"],
  ["run.cancel", "Run cancelled"],
  ["run.fail", "Run failed"],
  ["sign_in.connect", "Sign-in connected"],
  ["version.restored", "Version restored"],
  ["sop.delete", "Procedure deleted"],
  ["skill.unadopt", "Adoption ended"],
  ["user.update", "Person changed"],
  ["run", "Run"],
])("%s is %s", (action, label) => {
  expect(actionLabel(action)).toBe(label);
});
