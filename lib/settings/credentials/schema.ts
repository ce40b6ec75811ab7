import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import { CredentialName } from "@/lib/policy/grants/schema";

const MIN_LENGTH = 6;
const MAX_BYTES = 16 * 1024;

const Value = z
  .string()
  .refine(
    (value) => value.trim().length >= MIN_LENGTH,
    "must have at least 6 characters, so that it can be removed from logs",
  )
  .refine((value) => new TextEncoder().encode(value).length <= MAX_BYTES, "must be at most 16 KiB long")
  .refine((value) => !/\0|\p{Cs}/u.test(value), "must be text without NUL");

const Description = z.string().trim().max(500);

export const CreateCredentialInput = z.strictObject({
  name: CredentialName,
  description: Description.default(""),
  value: Value.describe("At least 6 characters, at most 16 KiB. The API never returns it."),
});
export type CreateCredentialInput = z.infer<typeof CreateCredentialInput>;

export const PatchCredentialInput = z
  .strictObject({
    description: Description,
    value: Value.describe("The new value, for runs that start from now on."),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "enter a description or a value");
export type PatchCredentialInput = z.infer<typeof PatchCredentialInput>;

export const DeleteCredentialQuery = z.object({
  force: z.enum(["true", "false"]).optional().describe("Delete it although approved skills use it."),
});

const SkillRef = z.object({ id: z.string(), name: z.string() });

export const Credential = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  createdAt: IsoTime,
  createdBy: z.string(),
  updatedAt: IsoTime.describe("When its value or description last changed."),
  updatedBy: z.string(),
  lastUsedAt: IsoTime.nullable().describe("When a run last used it."),
  usedBy: z.array(SkillRef).describe("Skills with an approved version that uses it."),
});
export type Credential = z.infer<typeof Credential>;
export const CredentialList = z.object({ items: z.array(Credential) });
export type CredentialList = z.infer<typeof CredentialList>;

/** The fields that reviewers may see. */
export const CredentialNames = z.object({ items: z.array(Credential.pick({ name: true, description: true })) });
export type CredentialNames = z.infer<typeof CredentialNames>;
