import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { JsonObject } from "@/lib/skill-format/schema";
import { findNamedSkill } from "@/lib/skills/skill-access";
import { isMachinery } from "../machinery";
import { splitReadPath } from "../read-path";

type Call = { name: string; args: unknown };

/** Id of the skill that a call which went wrong spoke of; null when the caller sees none of that name. */
export async function skillOfCall(ctx: Ctx, { name, args }: Call): Promise<string | null> {
  const given = JsonObject.safeParse(args);
  const { name: named, path } = given.success ? given.data : {};
  const asked = isMachinery(name) ? (named ?? (typeof path === "string" ? splitReadPath(path).name : null)) : name;
  if (typeof asked !== "string" || asked === "") return null;
  try {
    return (await findNamedSkill(ctx, asked)).id;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
