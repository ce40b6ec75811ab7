import { createPersona } from "@/lib/auth/personas";
import type { CreatePersonaInput } from "@/lib/auth/schema";
import { createToken } from "@/lib/auth/tokens/tokens";
import type { Role, Scope } from "@/lib/core/actor";
import { newId } from "@/lib/core/ids";
import { createCtx } from "@/lib/db/context";
import type { Database } from "@/lib/db/database";
import type { Grants } from "@/lib/policy/grants/schema";
import { decideVersion } from "@/lib/review/decide-version";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { zipUpload } from "./sample-packs";

type Given = { database: Database; person: (role: Role) => Promise<{ id: string }> };
type Agent = Partial<CreatePersonaInput> & { scopes?: Scope[] };

/** An admin, a reviewer and an owner whose skills are approved and switched on, and tokens for them and for agents. */
export async function skillPeople({ database, person }: Given) {
  const add = async (role: Role) => {
    const { id } = await person(role);
    const { email, name } = await database.reader.user.findUniqueOrThrow({ where: { id } });
    const actor = { kind: "user" as const, userId: id, name, email, role, sessionId: newId() };
    return { id, ctx: createCtx({ actor, database }) };
  };
  const [admin, reviewer, owner] = [await add("admin"), await add("reviewer"), await add("user")];
  return {
    owner,
    approved: async (files: SkillFile[], grants?: Partial<Grants>): Promise<string> => {
      const upload = await zipUpload("pack", files);
      const [skill] = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills;
      const id = skill?.id ?? "";
      const decision = { decision: "approve" as const, comment: "", ...(grants && { grants }) };
      await decideVersion(reviewer.ctx, id, skill?.pendingVersion?.digest ?? "", decision as never);
      await updateSkill(owner.ctx, id, { enabled: true });
      return id;
    },
    personal: () => createToken(owner.ctx, { name: "mine", scopes: ["read", "run"] }),
    agent: async ({ scopes = ["read", "run"], permissionMode = "mutating-with-confirm", ...policy }: Agent = {}) => {
      const persona = await createPersona(admin.ctx, { name: `Persona ${newId()}`, permissionMode, ...policy });
      return createToken(owner.ctx, { name: "agent", scopes, persona: persona.id });
    },
  };
}
