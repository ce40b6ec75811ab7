import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

/**
 * Anthropic's Skills API as `@anthropic-ai/sdk` 1.12 reads it (`GET /v1/skills…`). Its releases before 1.0 read
 * `display_title`, `latest_version`, `directory`, `version` and `has_more`, which are beside the newer names.
 */
const Name = z.string().describe("The name in SKILL.md, and the folder of the files in the archive.");

export const SkillsApiSkill = z.object({
  id: z.string(),
  type: z.literal("skill"),
  display_name: z.string(),
  display_title: z.string().describe("As `display_name`."),
  latest_version_id: z.string().describe("The active version."),
  latest_version: z.string().describe("Its number."),
  source: z.object({ type: z.literal("custom") }),
  created_at: IsoTime,
  updated_at: IsoTime,
});
export type SkillsApiSkill = z.infer<typeof SkillsApiSkill>;

export const SkillsApiVersion = z.object({
  id: z.string().describe("The digest of the version."),
  type: z.literal("skill_version"),
  skill_id: z.string(),
  name: Name,
  directory: Name,
  description: z.string(),
  version: z.string().describe("The number of the version, which also works in addresses."),
  created_at: IsoTime,
});
export type SkillsApiVersion = z.infer<typeof SkillsApiVersion>;

const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({ data: z.array(item), has_more: z.boolean(), next_page: z.string().nullable() });

export const SkillsApiSkillPage = pageOf(SkillsApiSkill);
export const SkillsApiVersionPage = pageOf(SkillsApiVersion);
export type SkillsApiPage<T> = { data: T[]; has_more: boolean; next_page: string | null };

export const SkillsApiPageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(20),
  page: z.string().max(500).optional().describe("The `next_page` of the answer before."),
});
export type SkillsApiPageQuery = z.infer<typeof SkillsApiPageQuery>;

export const SkillsApiListQuery = SkillsApiPageQuery.extend({
  source: z.string().max(50).optional().describe("`custom`: every skill of this server. Any other source has none."),
});
export type SkillsApiListQuery = z.infer<typeof SkillsApiListQuery>;

export const SkillsApiParams = z.object({ id: z.string().max(100) });
export const SkillsApiVersionParams = SkillsApiParams.extend({
  version: z.string().max(100).describe("Digest or number; `latest` where one version is read."),
});
