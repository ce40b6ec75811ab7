import { expect, test } from "vitest";
import { assertAcceptablePassword } from "./passwords";

test.each([
  ["a common one", "Password1234"],
  ["one character repeated", "xxxxxxxxxxxxxxxx"],
  ["the product name and some digits", "Skillgate-12345"],
  ["the own name and some digits", "ada.lovelace2024"],
])("%s is refused", (_what, password) => {
  expect(() => assertAcceptablePassword(password, "ada.lovelace@example.test")).toThrow(
    expect.objectContaining({ code: "invalid", errors: [expect.objectContaining({ path: "password" })] }),
  );
});

test.each([
  ["a phrase", "correct horse battery staple"],
  ["a name with enough of its own", "skillgate-rainy-harbour"],
  ["any text when the address begins with two letters", "albatross sails"],
])("%s is accepted", (_what, password) => {
  expect(() => assertAcceptablePassword(password, "al@example.test")).not.toThrow();
});
