import { z } from "zod";

/** What `@anthropic-ai/sdk` 1.12 declares of answers, written from its types and independently of our code. */
const Time = z.iso.datetime();

export const Skill = z.object({
  id: z.string().min(1),
  type: z.literal("skill"),
  display_name: z.string().min(1).max(255),
  latest_version_id: z.string().min(1),
  source: z.object({ type: z.enum(["custom", "anthropic", "anthropic_example", "plugin"]) }),
  created_at: Time,
  updated_at: Time,
});
export const Version = z.object({
  id: z.string().min(1),
  type: z.literal("skill_version"),
  skill_id: z.string().min(1),
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  description: z.string().min(1).max(1024),
  created_at: Time,
});
const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({ data: z.array(item), has_more: z.boolean(), next_page: z.string().nullable() });
export const Skills = pageOf(Skill);
export const Versions = pageOf(Version);

export const Failure = z.strictObject({
  type: z.literal("error"),
  error: z.strictObject({
    type: z.enum([
      "invalid_request_error",
      "authentication_error",
      "permission_error",
      "not_found_error",
      "conflict_error",
      "request_too_large",
      "rate_limit_error",
      "api_error",
    ]),
    message: z.string().min(10),
  }),
  request_id: z.string().min(1),
});
