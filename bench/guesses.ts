import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "@/lib/audit/testing/tamper-audit";
import { type BenchOptions, seedOf } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { median } from "./harness/measure";
import { clockFileOf, setClock } from "./harness/server-clock";
import { openSignIn, type SignInClient } from "./harness/sign-in-client";
import { ADMIN, type Killable, prepareKillable } from "./harness/start-killable";
import { newestEvent } from "./harness/verify-served-audit";

const GUESSES = 10_000;
const AT_ONCE = 16;
/** The product's limits: this many wrong guesses are free, then the wait doubles. */
const FREE = 5;
const OF_ADDRESS = 30;
const LONGEST_LOCK_SECONDS = 15 * 60;
const TIMED = 120;
/** Accepted difference between known and unknown accounts, in ms or as a share of the time for a comparison. */
const [DIFFERENCE_MS, DIFFERENCE_SHARE] = [5, 0.1];
/** Accepted distance from half of the turns with the same sign: below one in a thousand by chance, with 120 turns. */
const ONE_WAY = 0.15;

type Flood = { seconds: number; checks: number; statuses: Map<number, number>; events: number };
type Timing = { known: number; unknown: number; differs: boolean };

/**
 * 10,000 guesses at one account from a thousand addresses, and as many from one address at as many accounts: how many reach
 * a comparison of hashes, how many events they cause, and whether the account's owner can sign in. Then how long the
 * refusal of a wrong password takes for an existing and for a missing account. `--rounds` is the number of guesses of each
 * flood.
 */
export async function benchGuesses({ quick, json, rounds, database, seed: given }: BenchOptions): Promise<void> {
  const seed = seedOf(given);
  const guesses = rounds ?? (quick ? 500 : GUESSES);
  const product = await start(database, false);
  const admin = openCaller(product.url, product.token);
  const client = await openWarmClient(product);
  try {
    const owner = await client.guess(ADMIN.email, ADMIN.password, "192.0.2.1");
    const timing = await compareTimes(client, seed, quick ? 30 : TIMED);
    const onAccount = await flood(product, admin, guesses, (number) =>
      client.guess(ADMIN.email, `wrong ${number}`, address(number % 1_000)),
    );
    const during = await client.guess(ADMIN.email, ADMIN.password, "192.0.2.1");
    const session = await statusWithCookie(product, owner.cookie ?? "");
    await setClock(product, (during.retryAfter + 1) * 1000);
    const after = await client.guess(ADMIN.email, ADMIN.password, "192.0.2.1");
    const onAddress = await flood(product, admin, guesses, (number) =>
      client.guess(`missing${number}@example.test`, "wrong password", "198.51.100.7"),
    );
    const elsewhere = await client.guess(ADMIN.email, ADMIN.password, "192.0.2.9");
    // With as many addresses as accounts no guess is limited, so each must reach a comparison.
    const control = await flood(product, admin, 20, (number) =>
      client.guess(`other${number}@example.test`, "wrong password", `203.0.113.${number + 1}`),
    );
    const most = FREE + Math.floor(Math.log2(onAccount.seconds + 1)) + 1;
    const forgetful = await timeForgetful(database, seed, quick ? 30 : TIMED);

    console.log(
      `guesses: ${guesses} at one account in ${onAccount.seconds.toFixed(0)} s: ${onAccount.checks} compared, at most ${most} allowed, ${onAccount.events} events; its owner meanwhile: ${during.status}, wait ${during.retryAfter} s, with the session they had ${session}, after the wait ${after.status}`,
    );
    console.log(
      `guesses: ${guesses} from one address at as many accounts in ${onAddress.seconds.toFixed(0)} s: ${onAddress.checks} compared, at most ${OF_ADDRESS} allowed, ${onAddress.events} events; from another address ${elsewhere.status}`,
    );
    console.log(
      `guesses: a wrong password is refused in ${timing.known} ms for an existing account, ${timing.unknown} ms for a missing one (medians); seed ${seed}`,
    );
    console.log(`Control, guesses without a limit: ${control.checks} of 20 compared; 20 expected.`);
    console.log(
      `Control, a server that compares nothing for missing accounts: ${forgetful.known} ms and ${forgetful.unknown} ms; ${forgetful.differs ? "detected" : "NOT DETECTED"}.`,
    );
    const floods = [onAccount, onAddress];
    const holds = [
      onAccount.checks <= most,
      onAddress.checks <= OF_ADDRESS,
      floods.every(({ checks, events }) => events <= 2 * checks + 20),
      floods.every(({ statuses }) => [...statuses.keys()].every((status) => status === 401 || status === 429)),
      during.status === 429 && during.retryAfter <= LONGEST_LOCK_SECONDS,
      session === 200 && after.status === 200 && elsewhere.status === 200,
      !timing.differs && forgetful.differs && control.checks === 20,
    ];
    if (json)
      console.log(
        JSON.stringify({
          bench: "guesses",
          seed,
          guesses,
          onAccount: onAccount.checks,
          onAddress: onAddress.checks,
          timing,
        }),
      );
    if (holds.includes(false)) {
      console.log(
        `FAILED: ${holds
          .map((held, index) => (held ? "" : `check ${index + 1}`))
          .filter(Boolean)
          .join(", ")}; answers ${JSON.stringify(floods.map(({ statuses }) => [...statuses]))}`,
      );
      process.exitCode = 1;
    }
  } finally {
    client.close();
    admin.close();
    await product.stop();
  }
}

async function start(database: string | null, isForgetful: boolean): Promise<Killable> {
  const product = await prepareKillable({
    database,
    withWorker: false,
    env: { SKILLGATE_TRUSTED_PROXIES: "127.0.0.1" },
    faultsFor: (folder) => ({
      clockFile: clockFileOf(folder),
      hashesFile: join(folder, "hashes"),
      ...(isForgetful ? { isForgetful } : {}),
    }),
  });
  await product.start();
  return product;
}

async function openWarmClient(product: Killable): Promise<SignInClient> {
  const client = await openSignIn(product.url);
  await client.guess("first@example.test", "wrong password", "192.0.2.200");
  return client;
}

async function flood(
  product: Killable,
  admin: Caller,
  guesses: number,
  guess: (number: number) => Promise<{ status: number }>,
): Promise<Flood> {
  const [checks, events] = [checksOf(product), await newestEvent(admin)];
  const statuses = new Map<number, number>();
  const startedAt = performance.now();
  let next = 0;
  const client = async () => {
    for (let number = next++; number < guesses; number = next++) {
      const { status } = await guess(number);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, checks: checksOf(product) - checks, statuses, events: (await newestEvent(admin)) - events };
}

async function compareTimes(client: SignInClient, seed: number, times: number): Promise<Timing> {
  const random = seededRandom(seed);
  const took = { known: [] as number[], unknown: [] as number[] };
  for (let turn = 0; turn < times; turn += 1) {
    const from = `198.18.${Math.floor(turn / 200)}.${(turn % 200) + 1}`;
    const known = async () => took.known.push((await client.guess(ADMIN.email, "wrong password", from)).ms);
    const unknown = async () =>
      took.unknown.push((await client.guess(`unknown${turn}@example.test`, "wrong password", from)).ms);
    for (const ask of random() < 0.5 ? [known, unknown] : [unknown, known]) await ask();
    if (turn % 3 === 2) await client.guess(ADMIN.email, ADMIN.password, from);
  }
  const differences = took.known.map((ms, turn) => ms - (took.unknown[turn] ?? ms));
  const [known, unknown] = [median(took.known), median(took.unknown)];
  const isLarge = Math.abs(median(differences)) > Math.max(DIFFERENCE_MS, known * DIFFERENCE_SHARE);
  // Under load medians vary; a real difference has the same sign in most turns.
  const oneWay = differences.filter((ms) => ms > 0).length / differences.length;
  return { known, unknown, differs: isLarge && Math.abs(oneWay - 0.5) > ONE_WAY };
}

async function timeForgetful(database: string | null, seed: number, times: number): Promise<Timing> {
  const product = await start(database, true);
  const client = await openWarmClient(product);
  try {
    return await compareTimes(client, seed, times);
  } finally {
    client.close();
    await product.stop();
  }
}

function checksOf({ folder }: Killable): number {
  const file = join(folder, "hashes");
  return existsSync(file) ? statSync(file).size : 0;
}

async function statusWithCookie(product: Killable, cookie: string): Promise<number> {
  const caller = openCaller(product.url, null);
  const answer = await caller.call("GET", "/api/me", { headers: { cookie } });
  caller.close();
  return answer.status;
}

function address(number: number): string {
  return `10.${Math.floor(number / 65_536)}.${Math.floor(number / 256) % 256}.${number % 256}`;
}
