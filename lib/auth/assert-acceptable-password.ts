import { AppError } from "@/lib/core/errors";
import { COMMON_PASSWORDS } from "./common-passwords";

const PRODUCT_NAME = "skillgate";
const LEAST_OF_ITS_OWN = 6;

/** Refuses passwords that are guessed first: common ones, and those that are little more than a known name. */
export function assertAcceptablePassword(password: string, email: string): void {
  const text = password.toLowerCase();
  if (COMMON_PASSWORDS.has(text) || new Set(text).size < 4) {
    throw refusal("is one of the most common passwords");
  }
  const localPart = email.split("@")[0] ?? "";
  for (const name of [PRODUCT_NAME, localPart.toLowerCase()]) {
    if (name.length < 3 || !text.includes(name)) continue;
    const rest = text.replaceAll(name, "").replace(/[^\p{L}\p{N}]/gu, "");
    if (rest.length < LEAST_OF_ITS_OWN) throw refusal(`is little more than “${name}”`);
  }
}

function refusal(why: string): AppError {
  const message = `${why}; choose another one`;
  return new AppError("invalid", `The password ${message}.`, { errors: [{ path: "password", message }] });
}
