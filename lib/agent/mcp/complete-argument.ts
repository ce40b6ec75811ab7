import type { CompleteRequest } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { offeredSkills } from "../offers/offered-skills";
import { mayModelRead } from "../sessions/session-limits";
import type { RequestContext } from "./request-context";
import { contentOf, readableFiles } from "./skill-manifests";

const MAX_COMPLETIONS = 100;

const Property = z.object({ enum: z.array(z.unknown()) });

/** Values of a prompt's argument, names of skills, or paths of a skill's files that begin with the given text. */
export async function completeArgument({ ctx, session }: RequestContext, { params }: CompleteRequest) {
  const { ref, argument, context } = params;
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const find = (name: string | undefined) => skills.find((skill) => skill.name === name);
  let candidates: string[] = [];
  if (ref.type === "ref/prompt") {
    const properties = find(ref.name)?.manifest.schema?.properties;
    const property = Property.safeParse(z.record(z.string(), z.unknown()).safeParse(properties).data?.[argument.name]);
    candidates = property.data?.enum.map(String) ?? [];
  } else if (argument.name === "name") {
    candidates = skills
      .filter(({ manifest }) => !manifest.disableModelInvocation)
      .map(({ name }) => name)
      .sort();
  } else if (argument.name === "path") {
    const skill = find(context?.arguments?.name);
    const mayRead = skill !== undefined && (await mayModelRead(ctx, session.id, skill));
    const files = mayRead ? readableFiles(skill, (await contentOf(ctx, skill)).files) : [];
    candidates = files.map(({ path }) => path);
  }
  const values = candidates.filter((value) => value.toLowerCase().startsWith(argument.value.toLowerCase()));
  return {
    completion: {
      values: values.slice(0, MAX_COMPLETIONS),
      total: values.length,
      hasMore: values.length > MAX_COMPLETIONS,
    },
  };
}
