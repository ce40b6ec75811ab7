import { deprecateSkill } from "@/lib/skills/community/deprecation";
import { addToCollection, createCollection } from "@/lib/skills/community/edit-collections";
import { setStar } from "@/lib/skills/community/popularity";
import { updatePublisher, verifyPublisher } from "@/lib/skills/community/publisher-profiles";
import { createReport } from "@/lib/skills/community/reports";
import { type Clock, type PersonKey, type Step, skillId, type World } from "./world";

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
