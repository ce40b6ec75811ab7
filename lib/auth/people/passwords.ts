import { hash, verify } from "@node-rs/argon2";
import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";

const MAX_ACTIVE = 2;

const MAX_WAITING = 20;

const MAX_BYTES = 256;
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hash of an unknown random value at the same cost, compared when there is no password. */
const DUMMY_HASH = "$argon2id$v=19$m=19456,t=2,p=1$sSAyJ3vO09Oi82pp/jkCjg$A7Hx8J/cOw413BYgcgtGyS/hBAC4fRm6exaN+pyhoJ0";

/** The password as an argon2id PHC string. */
export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_BYTES) {
    throw new AppError("invalid", `The password has more than ${MAX_BYTES} bytes, the limit.`);
  }
  return inHashingSlot(() => hash(password, COST));
}

/** Whether the password is correct; without a stored hash false, after the same work. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const isTooLong = Buffer.byteLength(password) > MAX_BYTES;
  const fits = await inHashingSlot(() => verify(stored ?? DUMMY_HASH, isTooLong ? "" : password));
  return fits && stored !== null && !isTooLong;
}

/** Runs `work` in one of two hashing slots (19 MiB and a core each). 20 callers wait, more are `rate_limited`. */
export async function inHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  const slots = processStore("hashing-slots", () => ({ active: 0, waiting: [] as (() => void)[] }));
  if (slots.active >= MAX_ACTIVE) {
    if (slots.waiting.length >= MAX_WAITING) {
      throw new AppError("rate_limited", "Too many sign-ins at the same time. Try again.", { retryAfterSeconds: 1 });
    }
    // A finished caller passes its slot on, so `active` stays unchanged.
    await new Promise<void>((resolve) => slots.waiting.push(resolve));
  } else {
    slots.active += 1;
  }
  try {
    return await work();
  } finally {
    const next = slots.waiting.shift();
    if (next) next();
    else slots.active -= 1;
  }
}

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
const MIN_OTHER_CHARACTERS = 6;

/** Refuses passwords that are easily guessed: common ones, and those that are little more than a known name. */
export function assertAcceptablePassword(password: string, email: string): void {
  const text = password.toLowerCase();
  if (COMMON_PASSWORDS.has(text) || new Set(text).size < 4) {
    throw refusal("is one of the most common passwords");
  }
  const localPart = email.split("@")[0] ?? "";
  for (const name of [PRODUCT_NAME, localPart.toLowerCase()]) {
    if (name.length < 3 || !text.includes(name)) continue;
    const rest = text.replaceAll(name, "").replace(/[^\p{L}\p{N}]/gu, "");
    if (rest.length < MIN_OTHER_CHARACTERS) throw refusal(`is little more than “${name}”`);
  }
}

function refusal(why: string): AppError {
  const message = `${why}. Choose another one`;
  return new AppError("invalid", `The password ${message}.`, { errors: [{ path: "password", message }] });
}
