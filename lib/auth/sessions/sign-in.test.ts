import { expect, test } from "vitest";
import { hashPassword } from "@/lib/auth/people/passwords";
import type { RequestInfo } from "@/lib/core/actor";
import { newId } from "@/lib/core/ids";
import { createCtx } from "@/lib/db/context";
import { testDatabase } from "@/lib/testing/test-database";
import { emailDigest, signIn } from "./sign-in";

const { database } = await testDatabase();
const password = "a quiet long river";
const passwordHash = await hashPassword(password);
const start = Date.now();

async function storedPerson(state: "invited" | "active" | "disabled" = "active") {
  const id = newId();
  const at = new Date(start);
  const email = `${id}@example.test`;
  const hash = state === "invited" ? null : passwordHash;
  const data = { id, email, name: "Ada", role: "user", state, passwordHash: hash, createdAt: at, updatedAt: at };
  return database.writer.user.create({ data });
}

/** A request at this time; without an address it counts towards no address's limit. */
function requestAt(seconds = 0, address: string | null = null) {
  const request: RequestInfo = { requestId: null, address, userAgent: "vitest" };
  return createCtx({ actor: { kind: "anonymous" }, database, request, now: () => new Date(start + seconds * 1000) });
}

const events = (action: string, email: string) =>
  database.reader.auditEvent.findMany({ where: { action, data: { contains: emailDigest(email) } } });

test("the right password starts a session of twelve hours and says so in the audit trail", async () => {
  const { id, email } = await storedPerson();
  const actor = await signIn(requestAt(0, "203.0.113.9"), { email: ` ${email.toUpperCase()} `, password });
  expect(actor).toMatchObject({ kind: "user", userId: id, email, role: "user" });
  const session = await database.reader.session.findFirstOrThrow({ where: { userId: id } });
  expect(session).toMatchObject({ userAgent: "vitest", address: "203.0.113.9", revokedAt: null });
  expect(session.expiresAt.getTime() - session.createdAt.getTime()).toBe(12 * 60 * 60 * 1000);
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { action: "session.start", actorId: id } });
  expect(event).toMatchObject({ actorKind: "user", sessionId: session.id, address: "203.0.113.9" });
});

test.each(["a wrong password", "an unknown person", "an invited person", "a disabled person", "an overlong password"])(
  "%s gets the same answer and one event without what was typed",
  async (what) => {
    const state = what.includes("invited") ? "invited" : what.includes("disabled") ? "disabled" : "active";
    const email = what.includes("unknown") ? "nobody@example.test" : (await storedPerson(state)).email;
    const typed =
      what === "a wrong password" ? "not the password" : what.includes("overlong") ? "x".repeat(2000) : password;
    expect(await signIn(requestAt(), { email, password: typed })).toBeNull();
    const [event, ...others] = await events("sign_in.fail", email);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ actorKind: "anonymous", outcome: "refused" });
    expect(event?.data).not.toContain(typed);
    expect(event?.data).not.toContain(email);
  },
);

/** Seconds an account is locked after the first, second, … failure. */
const LOCKS = [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900];

test.each(["known", "unknown"])(
  "an account that is %s is locked longer with each failure, audited once",
  async (kind) => {
    const email = kind === "known" ? (await storedPerson()).email : "stranger@example.test";
    let seconds = 0;
    for (const lock of LOCKS) {
      expect(await signIn(requestAt(seconds), { email, password: "not the password" })).toBeNull();
      if (lock > 0) {
        await expect(signIn(requestAt(seconds), { email, password })).rejects.toMatchObject({
          code: "rate_limited",
          retryAfterSeconds: lock,
        });
        await expect(signIn(requestAt(seconds + lock - 0.5), { email, password })).rejects.toMatchObject({
          code: "rate_limited",
        });
      }
      seconds += lock;
    }
    expect(await events("sign_in.lock", email)).toHaveLength(1);
    expect(await events("sign_in.fail", email)).toHaveLength(LOCKS.length);
  },
);

test("a lock that was set while the clock was ahead does not outlast the longest, and its failures still count", async () => {
  const { email } = await storedPerson();
  const hour = 3_600;
  for (let i = 0; i < 5; i++) expect(await signIn(requestAt(hour), { email, password: "not the password" })).toBeNull();
  expect(await signIn(requestAt(0), { email, password: "not the password" })).toBeNull();
  await expect(signIn(requestAt(0), { email, password })).rejects.toMatchObject({
    code: "rate_limited",
    retryAfterSeconds: 2,
  });
  expect(await signIn(requestAt(2), { email, password })).not.toBeNull();
});

test("success forgets the failures of the account", async () => {
  const { email } = await storedPerson();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 4; i++) expect(await signIn(requestAt(), { email, password: "not the password" })).toBeNull();
    expect(await signIn(requestAt(), { email, password })).not.toBeNull();
  }
});

test("of many parallel guesses at one account five are looked at", async () => {
  const { email } = await storedPerson();
  const guesses = Array.from({ length: 50 }, (_, i) => signIn(requestAt(), { email, password: `guess number ${i}` }));
  const answers = await Promise.allSettled(guesses);
  expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(5);
  expect(await events("sign_in.fail", email)).toHaveLength(5);
});

test("an address is locked after thirty failures in fifteen minutes, whichever accounts they were for", async () => {
  const address = "198.51.100.7";
  for (let i = 0; i < 30; i++) {
    expect(
      await signIn(requestAt(i, address), { email: `a${i}@example.test`, password: "not the password" }),
    ).toBeNull();
  }
  const { email } = await storedPerson();
  await expect(signIn(requestAt(60, address), { email, password })).rejects.toMatchObject({ retryAfterSeconds: 840 });
  expect(await signIn(requestAt(60, "198.51.100.8"), { email, password })).not.toBeNull();
  expect(await signIn(requestAt(901, address), { email, password })).not.toBeNull();
  const locks = await database.reader.auditEvent.findMany({ where: { action: "sign_in.lock", address } });
  expect(locks).toHaveLength(1);
});

test("successes do not use up what an address may fail", async () => {
  const { email } = await storedPerson();
  for (let i = 0; i < 32; i++) {
    expect(await signIn(requestAt(i, "198.51.100.9"), { email, password })).not.toBeNull();
  }
});
