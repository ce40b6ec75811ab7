import { assert } from "./assert";
import type { Access, Client } from "./client";
import type { Scoreboard } from "./scoreboard";
import { playbook, playbookText, type World } from "./world";

const PUBLIC = "tide-notes";
const PRIVATE = "harbour-notes";
/** Installed after the revoked one, and updated after that. */
const LATER = "wake-notes";

type Scenario = { world: World; clients: Client[]; board: Scoreboard; skipsRevocation: boolean };

/**
 * One scenario for all clients: a skill is approved, each client installs it, it gets a second version, the clients publish other
 * skills, and at last it is revoked and no client gets it.
 */
export async function playScenario({ world, clients, board, skipsRevocation }: Scenario): Promise<void> {
  const each = async (title: string, work: (client: Client) => Promise<unknown>, among = clients) => {
    for (const client of among) await board.step(client.name, title, () => work(client));
  };
  const publicFor = (client: Client): Access => client.asks[0] ?? "owner";
  const installs = async (client: Client, skill: string, access: Access, edition: string) => {
    const text = await client.install(skill, access);
    assert(text !== null, `${skill} was not installed`);
    assert(text.includes(`Edition ${edition}.`), `it installed another text: ${text.slice(-100)}`);
  };
  const isRefused = async (client: Client, skill: string, access: Access) => {
    assert(!(await client.list(access)).includes(skill), `${skill} is in its list`);
    assert((await client.install(skill, access)) === null, `${skill} was installed`);
  };

  const tide = await world.offer(PUBLIC, playbook(PUBLIC, "one"), "public");
  await world.offer(PRIVATE, playbook(PRIVATE, "one"), "private");
  const pins = new Map<string, () => Promise<string | null>>();
  for (const client of clients) {
    const made = await client.pin?.(PUBLIC);
    if (made !== undefined) pins.set(client.name, made);
  }
  const pinning = clients.filter((client) => pins.has(client.name));
  await world.offer(LATER, playbook(LATER, "one"), "public");
  await each(
    "fetches a pinned skill after another one was approved",
    async (client) =>
      assert((await pins.get(client.name)?.())?.includes("Edition one.") === true, "its pin leads nowhere"),
    pinning,
  );
  const together = new Map<string, () => Promise<(string | null)[]>>();
  for (const client of clients) {
    const made = await client.installTogether?.([PUBLIC, LATER]);
    if (made !== undefined) together.set(client.name, made);
  }

  await each("lists what is approved", async (client) =>
    assert((await client.list(publicFor(client))).includes(PUBLIC), `${PUBLIC} is not in its list`),
  );
  const searching = clients.filter((client) => client.search !== undefined);
  await each(
    "finds it by a search",
    async (client) =>
      assert((await client.search?.("tide", publicFor(client)))?.includes(PUBLIC) === true, "its search finds nothing"),
    searching,
  );
  await each("installs it", (client) => installs(client, PUBLIC, publicFor(client), "one"));
  for (const client of clients)
    for (const { title, work } of client.extras?.(PUBLIC) ?? []) await board.step(client.name, title, work);

  const anonymous = clients.filter((client) => client.asks.includes("anonymous"));
  await each(
    "does not get a private skill as anonymous",
    (client) => isRefused(client, PRIVATE, "anonymous"),
    anonymous,
  );
  await each("installs a private skill as its owner", (client) => installs(client, PRIVATE, "owner", "one"));

  await each("installs it into another folder", (client) => installs(client, PUBLIC, publicFor(client), "one"));
  const second = await world.handIn(PUBLIC, playbook(PUBLIC, "two"));
  await each("does not get a second version that waits for review", async (client) =>
    assert((await client.update(PUBLIC))?.includes("Edition one.") === true, "it has another text"),
  );
  await world.approve(second);
  await each("updates to the second version once it is approved", async (client) =>
    assert((await client.update(PUBLIC))?.includes("Edition two.") === true, "it does not have the second version"),
  );

  await each(
    "fetches the pinned version while a newer one is approved",
    async (client) =>
      assert((await pins.get(client.name)?.())?.includes("Edition one.") === true, "its pin leads nowhere"),
    pinning,
  );

  for (const publisher of clients.filter((client) => client.publish !== undefined)) {
    const skill = `lamp-${publisher.name
      .split("@")[0]
      ?.replaceAll(/[^a-z]/gi, "")
      .toLowerCase()}`;
    await board.step(publisher.name, "publishes into the review queue", async () =>
      publisher.publish?.(skill, playbookText(skill, "one")),
    );
    await each(`does not get ${skill} before its approval`, (client) => isRefused(client, skill, publicFor(client)));
    await board.step("reviewer", `approves ${skill}, as a second person`, () => world.approveFromQueue(skill));
    await each(`installs ${skill}`, (client) => installs(client, skill, publicFor(client), "one"));
  }
  const removing = clients.filter((client) => client.remove !== undefined);
  await each(
    "removes what it installed",
    async (client) => assert((await client.remove?.(PRIVATE)) === true, "it is still on the disk"),
    removing,
  );

  const addresses = [tide, second].flatMap(({ digest }) => addressesByDigest(PUBLIC, digest));
  addresses.push(`/api/v1/download?slug=${PUBLIC}`);
  for (const tag of ["1.0.0", "1.1.0"]) addresses.push(`/v2/${world.publisher}/${PUBLIC}/manifests/${tag}`);
  await board.step("http", "serves both versions by their digests", () => answerAll(world, addresses, 200));
  if (!skipsRevocation) {
    await world.revoke(second);
    await world.revoke(tide);
  }
  await world.approve(await world.handIn(LATER, playbook(LATER, "two")));
  await each(
    "updates the skills after one that was revoked",
    async (client) => {
      const [revoked, later] = (await together.get(client.name)?.()) ?? [];
      assert(later?.includes("Edition two.") === true, "the skill after the revoked one stayed as it was");
      assert(revoked?.includes("Edition one.") === true, "the revoked skill was updated");
    },
    clients.filter((client) => together.has(client.name)),
  );
  await each(
    "is refused the pin of a revoked version",
    async (client) => assert((await pins.get(client.name)?.()) === null, "it fetched what is revoked"),
    pinning,
  );
  await each("finds nothing of a revoked skill, and installs it no more", async (client) => {
    assert(!(await client.list(publicFor(client))).includes(PUBLIC), `${PUBLIC} is in its list`);
    assert((await client.install(PUBLIC, publicFor(client))) === null, `${PUBLIC} was installed`);
  });
  const told = clients.filter((client) => client.removesRevoked);
  await each(
    "takes a revoked skill away with the next update",
    async (client) => assert((await client.update(PUBLIC)) === null, "it still has it"),
    told,
  );
  await board.step("http", "answers 410 at every address of both versions", () => answerAll(world, addresses, 410));

  await world.revokeAccess();
  await each("has no access to private skills once token and address are revoked", async (client) => {
    const text = await client.install(PRIVATE, "owner").catch(() => null);
    assert(text === null, `${PRIVATE} was installed`);
  });
  await board.step("http", "answers 410 at the revoked address", () =>
    answerAll(world, [`${new URL(world.capability).pathname}/.well-known/agent-skills/index.json`], 410),
  );
}

function addressesByDigest(name: string, digest: string): string[] {
  const address = `/a/${name}/${digest.replace(/^sha256:/, "")}`;
  return [`${address}.zip`, `${address}.tar.gz`, `${address}/SKILL.md`];
}

async function answerAll({ app }: World, addresses: string[], wanted: number): Promise<void> {
  for (const address of addresses) {
    const { status } = await fetch(app.url + address);
    assert(status === wanted, `${address} answers ${status}`);
  }
}
