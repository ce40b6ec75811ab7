import { AppError } from "@/lib/core/errors";

/** The most common passwords of twelve and more characters, in lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  "000000000000",
  "112233445566",
  "123123123123",
  "1234567890123",
  "12345678901234567890",
  "123456781234",
  "123456789012",
  "123456789123",
  "123456789abc",
  "1234qwerasdf",
  "1q2w3e4r5t6y",
  "1q2w3e4r5t6y7u8i",
  "1qaz2wsx3edc",
  "1qaz2wsx3edc4rfv",
  "1qazxsw23edc",
  "987654321098",
  "abc123456789",
  "abcdefghijkl",
  "abcdefghijklm",
  "abcd12345678",
  "admin1234567",
  "admin12345678",
  "adminadmin123",
  "adminadminadmin",
  "administrator",
  "administrator1",
  "asdfghjkl123",
  "asdfghjkl1234",
  "asdfghjklqwerty",
  "changeme1234",
  "changemechangeme",
  "changethispassword",
  "defaultpassword",
  "iloveyou1234",
  "iloveyouforever",
  "letmein12345",
  "letmeinletmein",
  "mypassword123",
  "p@ssw0rd1234",
  "p@ssword1234",
  "passw0rd1234",
  "password!123",
  "password1234",
  "password12345",
  "password123456",
  "passwordpassword",
  "q1w2e3r4t5y6",
  "qazwsxedcrfv",
  "qwerty123456",
  "qwerty1234567",
  "qwertyqwerty",
  "qwertyuiop12",
  "qwertyuiop123",
  "qwertyuiopasdf",
  "qwertyuiopasdfghjkl",
  "secretsecret",
  "thisisapassword",
  "trustno1trustno1",
  "welcome12345",
  "welcomewelcome",
  "zaq12wsxcde3",
  "zxcvbnm12345",
]);

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
