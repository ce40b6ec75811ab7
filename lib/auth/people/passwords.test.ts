import { expect, test } from "vitest";
import { assertAcceptablePassword, hashPassword, inHashingSlot, verifyPassword } from "./passwords";

test("a password fits its own hash only, and nothing fits where there is none", async () => {
  const stored = await hashPassword("a quiet long river");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(stored, "a quiet long river")).toBe(true);
  expect(await verifyPassword(stored, "a quiet long rivEr")).toBe(false);
  expect(await verifyPassword(null, "a quiet long river")).toBe(false);
});

test("more than 256 bytes are never hashed", async () => {
  await expect(hashPassword("ä".repeat(129))).rejects.toMatchObject({ code: "invalid" });
  const empty = await hashPassword("");
  expect(await verifyPassword(empty, "ä".repeat(129))).toBe(false);
});

test("two hashes run at once, twenty wait, and the next is rate limited", async () => {
  const releases: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => releases.push(resolve));
    running -= 1;
  };
  const accepted = Array.from({ length: 22 }, () => inHashingSlot(work));
  await expect(inHashingSlot(work)).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 1 });
  for (let done = 0; done < 22; done++) {
    releases.shift()?.();
    await accepted[done];
  }
  expect(most).toBe(2);
  await expect(inHashingSlot(async () => "free again")).resolves.toBe("free again");
});

test("a slot is freed when its work fails", async () => {
  for (let i = 0; i < 3; i++) await expect(inHashingSlot(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(inHashingSlot(async () => "free")).resolves.toBe("free");
});

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
