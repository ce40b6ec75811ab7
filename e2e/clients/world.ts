import { apiOf, type PackFile } from "../fixtures/api";
import type { App } from "../fixtures/start-app";
import { assert } from "./assert";

const PASSWORD = "a long password of the author";

type Review = { skill: { id: string; name: string }; digest: string; submittedBy: { name: string } };
export type Offered = { id: string; digest: string };
export type World = Awaited<ReturnType<typeof createWorld>>;

/** An author with a token, and an admin who decides, since authors cannot approve their own skills. */
export async function createWorld(app: App) {
  const admin = apiOf(app);
  await admin.json("PATCH", "/api/admin/settings", { soloMode: false });
  const invited = { email: "ada@example.test", name: "Ada", role: "user" };
  const { user, inviteUrl } = await admin.json("POST", "/api/admin/users", invited);
  await admin.json("POST", `/api/invites/${inviteUrl.split("/").at(-1)}`, { password: PASSWORD });
  const { id: tokenId, token } = await admin.json("POST", "/api/tokens", {
    ...{ name: "clients", scopes: ["read", "run", "write"], userId: user.id },
  });
  const author = apiOf(app, token);
  const capability = await author.json("POST", "/api/capability-urls", { name: "clients" });

  const decide = (skill: Offered, decision: string) =>
    admin.json("POST", `/api/skills/${skill.id}/versions/${skill.digest}/decisions`, { decision, comment: "" });
  const handIn = async (name: string, files: PackFile[]): Promise<Offered> => {
    const { id, pendingVersion } = await author.importPack(name, files);
    return { id, digest: pendingVersion.digest };
  };
  const switchOn = (id: string, visibility: "public" | "private") =>
    admin.json("PATCH", `/api/skills/${id}`, { enabled: true, visibility });

  return {
    app,
    token,
    /** The author's handle. */
    publisher: "ada",
    /** The author's capability URL, without a slash at the end. */
    capability: capability.url.replace(/\/$/, "") as string,
    handIn,
    approve: (skill: Offered) => decide(skill, "approve"),
    revoke: (skill: Offered) => decide(skill, "revoke"),
    offer: async (name: string, files: PackFile[], visibility: "public" | "private") => {
      const skill = await handIn(name, files);
      await decide(skill, "approve");
      await switchOn(skill.id, visibility);
      return skill;
    },
    /** A second person finds it in the review queue, approves it, and it is switched on for all people. */
    approveFromQueue: async (name: string) => {
      const { items } = (await admin.json("GET", "/api/reviews")) as { items: Review[] };
      const found = items.find(({ skill }) => skill.name === name);
      assert(found !== undefined, `${name} is not in the review queue`);
      assert(found.submittedBy.name === invited.name, `it was handed in by ${found.submittedBy.name}`);
      await decide({ id: found.skill.id, digest: found.digest }, "approve");
      await switchOn(found.skill.id, "public");
    },
    revokeAccess: async () => {
      await author.send("DELETE", `/api/capability-urls/${capability.id}`);
      await admin.send("DELETE", `/api/tokens/${tokenId}`);
    },
  };
}

/** A playbook with a reference and a script; the edition distinguishes its versions. */
export function playbook(name: string, edition: string): PackFile[] {
  return [
    { path: "SKILL.md", text: playbookText(name, edition) },
    { path: "references/table.md", text: `# Table\n\nOf ${name}.\n` },
    { path: "scripts/show.sh", text: "#!/bin/sh\necho shown\n", executable: true },
  ];
}

export function playbookText(name: string, edition: string): string {
  return `---\nname: ${name}\ndescription: Says what ${name} is about.\n---\n\n# ${name}\n\nEdition ${edition}.\n`;
}
