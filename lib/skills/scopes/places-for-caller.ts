import { findPersona } from "@/lib/auth/personas";
import { isPerson } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { visibleTo } from "../skill-access";
import { findPlaces, type Place } from "./find-places";
import { scopeCaller } from "./scope-caller";

/** Where some skills stand for whoever asks; nowhere for callers who are no person. */
export async function placesForCaller(ctx: Ctx, skills: { id: string; slug: string }[]): Promise<Map<string, Place>> {
  const { actor } = ctx;
  if (!isPerson(actor)) return new Map();
  const persona = await findPersona(ctx, actor);
  return findPlaces(ctx, skills, {
    caller: scopeCaller(actor),
    visible: visibleTo(actor),
    persona: persona === "missing" ? null : persona,
  });
}
