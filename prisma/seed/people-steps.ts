import { acceptInvite, inviteUser } from "@/lib/auth/people/invites";
import { hashPassword } from "@/lib/auth/people/passwords";
import { createFirstAdmin, hasAdmin } from "@/lib/auth/people/setup";
import { updateUser } from "@/lib/auth/people/users";
import type { Ctx } from "@/lib/db/context";
import { createWorker, registerWorker } from "@/lib/runner/workers/workers";
import { updateSettings } from "@/lib/settings/update-settings";
import { deprecateSkill } from "@/lib/skills/community/deprecation";
import { addToCollection, createCollection } from "@/lib/skills/community/edit-collections";
import { setStar } from "@/lib/skills/community/popularity";
import { updatePublisher, verifyPublisher } from "@/lib/skills/community/publisher-profiles";
import { createReport } from "@/lib/skills/community/reports";
import { SEED_WORKER } from "./simulate-run";
import { type Clock, later, PEOPLE, type PersonKey, type Step, skillId, type World } from "./world";

/** Sets up the server, invites people, disables one, and signs people in. */
export function peopleSteps({ daysAgo, minutesAgo }: Clock): Step[] {
  const invite = (key: PersonKey, at: Date): Step => ({ at, run: (world) => invitePerson(world, key, at) });
  const join = (key: PersonKey, at: Date): Step => ({ at, run: (world) => joinTeam(world, key, at) });
  const signIn = (key: PersonKey, at: Date): Step => ({ at, run: (world) => world.signIn(key, at) });
  return [
    { at: daysAgo(14, "08:00"), run: createAdmin },
    invite("mara", daysAgo(14, "08:10")),
    invite("ben", daysAgo(14, "08:11")),
    invite("aiko", daysAgo(14, "08:12")),
    invite("priya", daysAgo(14, "08:12")),
    invite("lena", daysAgo(14, "08:13")),
    join("mara", daysAgo(14, "09:02")),
    join("ben", daysAgo(14, "09:31")),
    { at: daysAgo(14, "09:40"), run: requireTwoPeople },
    { at: daysAgo(14, "10:05"), run: addWorker },
    join("aiko", daysAgo(14, "10:20")),
    join("lena", daysAgo(14, "13:45")),
    join("priya", daysAgo(13, "08:30")),
    signIn("mara", daysAgo(7, "07:40")),
    signIn("ben", daysAgo(7, "07:55")),
    signIn("aiko", daysAgo(6, "08:05")),
    signIn("priya", daysAgo(4, "08:20")),
    { at: daysAgo(5, "15:10"), run: disableLena },
    signIn("tomas", daysAgo(2, "08:00")),
    invite("jonas", daysAgo(2, "08:15")),
    ...(["tomas", "mara", "ben", "priya", "aiko"] as const).map((key, index) =>
      signIn(key, minutesAgo(230 - 3 * index)),
    ),
  ];
}

/** When the server has an admin already, the seed acts once in their name to invite the seeded admin. */
async function createAdmin(world: World, at: Date): Promise<void> {
  const ctx = world.system(at);
  const { name, email } = PEOPLE.tomas;
  if (await hasAdmin(ctx)) {
    await inviteAs(await firstAdmin(world, at), world, "tomas");
    await joinTeam(world, "tomas", later(at, 60_000));
    return;
  }
  await createFirstAdmin(ctx, { name, email, passwordHash: await hashPassword(world.password) });
  await world.signIn("tomas", later(at, 60_000));
}

async function firstAdmin(world: World, at: Date): Promise<Ctx> {
  const where = { role: "admin", state: "active" };
  const { id, name, email } = await world.system(at).db.user.findFirstOrThrow({ where, orderBy: { id: "asc" } });
  const scopes = ["admin" as const];
  const token = { tokenId: "seed", tokenName: "npm run seed", scopes, personaId: null };
  return world.as({ kind: "token", userId: id, name, email, role: "admin", ...token }, at);
}

async function invitePerson(world: World, key: PersonKey, at: Date): Promise<void> {
  await inviteAs(world.person("tomas", at), world, key);
}

async function inviteAs(ctx: Ctx, world: World, key: PersonKey): Promise<void> {
  world.invitations.set(key, (await inviteUser(ctx, PEOPLE[key])).token);
}

async function joinTeam(world: World, key: PersonKey, at: Date): Promise<void> {
  await acceptInvite(world.visitor(at), { token: world.invitations.get(key) ?? "", password: world.password });
  await world.signIn(key, later(at, 20_000));
}

async function requireTwoPeople(world: World, at: Date): Promise<void> {
  await updateSettings(world.person("tomas", at), { soloMode: false, maxTimeoutSeconds: 600 });
}

async function addWorker(world: World, at: Date): Promise<void> {
  const { worker } = await createWorker(world.person("tomas", at), { name: SEED_WORKER.name, manager: true });
  world.worker = { id: worker.id, name: worker.name };
  await registerWorker(
    world.as({ kind: "worker", workerId: worker.id, name: worker.name, manager: true }, later(at, 90_000)),
    SEED_WORKER,
  );
}

async function disableLena(world: World, at: Date): Promise<void> {
  const ctx = world.person("tomas", at);
  const { id } = await ctx.db.user.findUniqueOrThrow({ where: { email: PEOPLE.lena.email } });
  await updateUser(ctx, { id, patch: { state: "disabled" } });
}

/** Stars, a collection, a deprecation and a report. */
export function communitySteps({ daysAgo }: Clock): Step[] {
  const star = (skill: string, at: Date, by: PersonKey): Step => ({
    at,
    run: async (world) => void (await setStar(world.person(by, at), skillId(world, skill), true)),
  });
  return [
    { at: daysAgo(5, "08:50"), run: nameTheOrganisation },
    star("csv-summary", daysAgo(5, "09:10"), "aiko"),
    star("csv-summary", daysAgo(5, "09:40"), "priya"),
    star("commit-helper", daysAgo(4, "16:02"), "mara"),
    { at: daysAgo(4, "16:20"), run: collect },
    { at: daysAgo(2, "16:10"), run: deprecate },
    { at: daysAgo(1, "15:05"), run: report },
  ];
}

async function nameTheOrganisation(world: World, at: Date): Promise<void> {
  const ctx = world.person("tomas", at);
  await updatePublisher(ctx, "org", { bio: "Skills that the platform team maintains for all teams." });
  await verifyPublisher(ctx, "org", true);
}

async function collect(world: World, at: Date): Promise<void> {
  const ctx = world.person("mara", at);
  const { slug } = await createCollection(ctx, {
    title: "First week",
    description: "Skills for the first week: numbers, commits and full disks.",
    visibility: "public",
  });
  for (const skill of ["csv-summary", "commit-helper", "disk-usage-report"]) {
    await addToCollection(ctx, slug, { skill: skillId(world, skill) });
  }
}

async function deprecate(world: World, at: Date): Promise<void> {
  await deprecateSkill(world.person("ben", at), skillId(world, "slow-progress"), {
    reason: "It was made to try runs. It will be removed at the end of the quarter.",
  });
}

async function report(world: World, at: Date): Promise<void> {
  await createReport(world.person("aiko", at), skillId(world, "log-tail-summary"), {
    reason: "broken",
    text: "It stops at the first line that is not UTF-8, without a message about the rest of the file.",
  });
}
