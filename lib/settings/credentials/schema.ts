import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import { CredentialName } from "@/lib/policy/grants/schema";

const MIN_LENGTH = 6;
const MAX_BYTES = 16 * 1024;

const Value = z
  .string()
  .refine(
    (value) => value.trim().length >= MIN_LENGTH,
    "must have at least 6 characters, or it could not be kept out of logs",
  )
  .refine((value) => new TextEncoder().encode(value).length <= MAX_BYTES, "must be at most 16 KiB long")
  .refine((value) => !/\0|\p{Cs}/u.test(value), "must be text without NUL");

const Description = z.string().trim().max(500);

export const CreateCredentialInput = z.strictObject({
  name: CredentialName,
  description: Description.default(""),
  value: Value.describe("At least 6 characters, at most 16 KiB. It is never answered again."),
});
export type CreateCredentialInput = z.infer<typeof CreateCredentialInput>;

export const PatchCredentialInput = z
  .strictObject({
    description: Description,
    value: Value.describe("The new value; runs get it from the next start on."),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "name a description or a value");
export type PatchCredentialInput = z.infer<typeof PatchCredentialInput>;

export const DeleteCredentialQuery = z.object({
  force: z.enum(["true", "false"]).optional().describe("Delete it although approved skills are given it."),
});

const SkillRef = z.object({ id: z.string(), name: z.string() });

/** A stored credential, without its value, which nobody can read again. */
export const Credential = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  createdAt: IsoTime,
  createdBy: z.string(),
  updatedAt: IsoTime.describe("When its value or its description was last set."),
  updatedBy: z.string(),
  lastUsedAt: IsoTime.nullable().describe("When a run last got it."),
  usedBy: z.array(SkillRef).describe("Skills with an approved version that is given it."),
});
export type Credential = z.infer<typeof Credential>;
export const CredentialList = z.object({ items: z.array(Credential) });
export type CredentialList = z.infer<typeof CredentialList>;

/** What somebody who reviews may know of the credentials there are. */
export const CredentialNames = z.object({ items: z.array(Credential.pick({ name: true, description: true })) });
export type CredentialNames = z.infer<typeof CredentialNames>;
