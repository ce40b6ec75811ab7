import { readPathOf } from "../read-path";
import type { OfferedEntry } from "./offered-skills";
import { OfferedSkill } from "./schema";

/** An offered skill as agents are told of it. */
export function describeOffered(skill: OfferedEntry): OfferedSkill {
  const { manifest, slug, marker } = skill;
  return OfferedSkill.parse({
    id: skill.id,
    name: skill.name,
    description: manifest.description,
    whenToUse: manifest.whenToUse,
    always: manifest.always,
    location: skill.address.location,
    readPath: readPathOf(slug, marker),
    uri: `skill://${slug}/${marker}`,
    digest: skill.digest,
    class: skill.class,
    runnable: skill.tool !== null,
    toolName: skill.tool,
    contextFork: manifest.contextFork,
    userInvocable: manifest.userInvocable,
    argumentHint: manifest.argumentHint,
    arguments: manifest.arguments,
    allowedTools: manifest.allowedTools,
    keywords: manifest.activation?.mode === "keyword" ? manifest.activation.keywords : null,
    overlay: skill.overlay,
  });
}
