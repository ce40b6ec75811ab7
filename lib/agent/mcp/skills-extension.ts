import { z } from "zod";

// The messages of the skills extension (SEP-2640) that the SDK does not know yet.
const Uri = z.looseObject({ uri: z.string().max(2000) });

export const ListSkillsRequest = z.object({
  method: z.literal("skills/list"),
  params: z.looseObject({ cursor: z.string().max(200).optional() }).optional(),
});
export const SkillRequest = z.object({ method: z.literal("skills/get"), params: Uri });
export const ReadDirectoryRequest = z.object({ method: z.literal("resources/directory/read"), params: Uri });
