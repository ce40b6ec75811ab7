import { expect, test } from "vitest";
import { createPersona } from "@/lib/auth/personas";
import { deleteSkill, updateSkill } from "@/lib/skills/edit-skills";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { findCollection, getCollection, listCollections } from "./collections";
import {
  addToCollection,
  createCollection,
  deleteCollection,
  orderCollection,
  removeFromCollection,
  updateCollection,
} from "./edit-collections";

const { as, database, person } = await testDatabase();
const admin = await person("admin", "Root");
const owner = await person("user", "Ada");
const other = await person("user", "Ben");

const skills: string[] = [];
for (const name of ["alpha_pack", "beta_pack", "gamma_pack"]) {
  skills.push((await approvedSkill(owner.ctx, admin.ctx, { name })).id);
}
const [alpha = "", beta = "", gamma = ""] = skills;

async function filled(title: string, visibility: "private" | "public" = "private") {
  const { slug } = await createCollection(owner.ctx, { title, visibility });
  for (const skill of skills) await addToCollection(owner.ctx, slug, { skill });
  return slug;
}

test("its address is made of the title, with a number when that is taken", async () => {
  const slugs: string[] = [];
  for (const title of ["Café: data & more", "Cafe data more", "!!!"]) {
    slugs.push((await createCollection(owner.ctx, { title })).slug);
  }
  expect(slugs).toEqual(["cafe-data-more", "cafe-data-more-2", "collection"]);
  await expect(createCollection(owner.ctx, { title: "x", slug: "collection" })).rejects.toMatchObject({
    code: "invalid",
    errors: [{ path: "slug" }],
  });
});

test("skills keep their order, are in it once, and can be put in another order", async () => {
  const slug = await filled("Ordered");
  await addToCollection(owner.ctx, slug, { skill: alpha });
  const names = async () => (await getCollection(owner.ctx, slug)).skills.map(({ name }) => name);
  expect(await names()).toEqual(["alpha_pack", "beta_pack", "gamma_pack"]);
  await orderCollection(owner.ctx, slug, { skills: [gamma, alpha, beta] });
  expect(await names()).toEqual(["gamma_pack", "alpha_pack", "beta_pack"]);
  for (const wrong of [
    [alpha, beta],
    [alpha, beta, gamma, gamma],
    [alpha, beta, "x"],
  ]) {
    await expect(orderCollection(owner.ctx, slug, { skills: wrong })).rejects.toMatchObject({ code: "conflict" });
  }
  await removeFromCollection(owner.ctx, slug, alpha);
  expect(await names()).toEqual(["gamma_pack", "beta_pack"]);
  expect((await findCollection(owner.ctx, slug))?.skills.map(({ skillId }) => skillId)).toEqual([gamma, beta]);
});

test("a private collection is visible to its owner only; a public one to all, each with the skills that they see", async () => {
  const [hidden, open] = [await filled("Hidden"), await filled("Open", "public")];
  const anonymous = as({ kind: "anonymous" });
  await expect(getCollection(other.ctx, hidden)).rejects.toMatchObject({ code: "not_found" });
  expect(await findCollection(anonymous, hidden)).toBeNull();
  expect((await findCollection(anonymous, open))?.skills).toHaveLength(3);
  expect(await getCollection(other.ctx, open)).toMatchObject({ count: 0, skills: [], editable: false });
  await updateSkill(admin.ctx, beta, { visibility: "public" });
  expect((await getCollection(other.ctx, open)).skills.map(({ name }) => name)).toEqual(["beta_pack"]);
  const slugs = (await listCollections(other.ctx, { limit: 100 })).items.map(({ slug }) => slug);
  expect(slugs).toContain(open);
  expect(slugs).not.toContain(hidden);
  await updateSkill(admin.ctx, beta, { visibility: "private" });
});

test("others change nothing of it; an admin may", async () => {
  const slug = await filled("Guarded", "public");
  const refused = [
    () => updateCollection(other.ctx, slug, { title: "x" }),
    () => deleteCollection(other.ctx, slug),
    () => orderCollection(other.ctx, slug, { skills: [] }),
    () => removeFromCollection(other.ctx, slug, alpha),
    () => addToCollection(other.ctx, slug, { skill: alpha }),
    () => updateCollection(owner.token(["read"]), slug, { title: "x" }),
  ];
  for (const attempt of refused) await expect(attempt()).rejects.toMatchObject({ code: "forbidden" });
  expect(await updateCollection(admin.ctx, slug, { title: "By Root" })).toMatchObject({ title: "By Root", count: 3 });
});

test("what its owner does not see stays when the rest is put in order", async () => {
  const slug = (await createCollection(other.ctx, { title: "Mixed" })).slug;
  await updateSkill(admin.ctx, alpha, { visibility: "public" });
  await updateSkill(admin.ctx, beta, { visibility: "public" });
  for (const skill of [alpha, beta]) await addToCollection(other.ctx, slug, { skill });
  await addToCollection(admin.ctx, slug, { skill: gamma });
  await orderCollection(other.ctx, slug, { skills: [beta, alpha] });
  expect((await findCollection(admin.ctx, slug))?.skills.map(({ skillId }) => skillId)).toEqual([beta, alpha, gamma]);
  await expect(addToCollection(other.ctx, slug, { skill: gamma })).rejects.toMatchObject({ code: "not_found" });
});

test("an agent sees of it what its persona’s lists leave", async () => {
  const slug = await filled("For agents");
  const persona = await createPersona(admin.ctx, { name: "Narrow", permissionMode: "read-only", deny: ["beta*"] });
  const agent = owner.token(["read"], persona.id);
  expect((await getCollection(agent, slug)).skills.map(({ name }) => name)).toEqual(["alpha_pack", "gamma_pack"]);
});

test("deleting it leaves the skills; a deleted skill leaves it", async () => {
  const slug = await filled("Short lived");
  const extra = await approvedSkill(owner.ctx, admin.ctx, { name: "extra_pack" });
  await addToCollection(owner.ctx, slug, { skill: extra.id });
  await deleteSkill(owner.ctx, extra.id);
  expect((await getCollection(owner.ctx, slug)).count).toBe(3);
  await deleteCollection(owner.ctx, slug);
  await expect(getCollection(owner.ctx, slug)).rejects.toMatchObject({ code: "not_found" });
  expect(await database.reader.skill.count({ where: { id: { in: skills }, deletedAt: null } })).toBe(3);
  expect(await database.reader.collectionSkill.count({ where: { skillId: extra.id } })).toBe(0);
});
