import { modeWords } from "@/components/settings/persona-words";
import type { Consent } from "@/lib/client/oauth";

export type ConsentPersona = Consent["personas"][number];

export const scopeWords: Record<Consent["scopes"][number], string> = {
  read: "list and read the skills that its persona is offered",
  run: "start and cancel runs of them",
};

/** Which skills a persona reaches, in a sentence. */
export function listedSkills({ allow, deny }: ConsentPersona): string {
  const reach = allow.length === 0 ? "It reaches every skill you see" : `It reaches ${allow.join(", ")}`;
  return deny.length === 0 ? `${reach}.` : `${reach}, but not ${deny.join(", ")}.`;
}

export function modeSentence({ permissionMode }: ConsentPersona): string {
  return modeWords[permissionMode].explanation;
}
