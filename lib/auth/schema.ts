import { z } from "zod";
import { Role, Scope } from "@/lib/core/actor";
import { IsoTime, pageOf } from "@/lib/core/schema";

/** At least 12 characters; at most 256 bytes, so that hashing cannot be made expensive. */
export const Password = z
  .string()
  .min(12, "must have at least 12 characters")
  .refine((text) => new TextEncoder().encode(text).length <= 256, "must have at most 256 bytes");

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email("must be an email address"));

export const PersonName = z.string().trim().min(1).max(100);

export const SetupInput = z.strictObject({ token: z.string().max(200), name: PersonName, email: Email, password: Password });
export type SetupInput = z.infer<typeof SetupInput>;

export const AcceptInviteInput = z.strictObject({ password: Password });
export type AcceptInviteInput = z.infer<typeof AcceptInviteInput>;

export const User = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  state: z.enum(["invited", "active", "disabled"]),
  createdAt: IsoTime,
  lastSeenAt: IsoTime.nullable(),
});
export type User = z.infer<typeof User>;
export const UserPage = pageOf(User);

export const InviteUserInput = z.strictObject({ email: Email, name: PersonName, role: Role });
export type InviteUserInput = z.infer<typeof InviteUserInput>;
export const InvitedUser = z.object({ user: User, inviteUrl: z.string() });

export const PatchUserInput = z
  .strictObject({ name: PersonName, role: Role, state: z.enum(["active", "disabled"]) })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "name at least one field to change");
export type PatchUserInput = z.infer<typeof PatchUserInput>;

export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  userId: z.string(),
  userName: z.string(),
  scopes: z.array(Scope),
  persona: z.string().nullable(),
  createdAt: IsoTime,
  expiresAt: IsoTime.nullable(),
  lastUsedAt: IsoTime.nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;
export const ApiTokenPage = pageOf(ApiToken);

export const CreateTokenInput = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(Scope).min(1, "choose at least one scope"),
  expiresAt: IsoTime.optional(),
  persona: z.string().optional(),
  userId: z.string().optional().describe("Admins only, and never with review or admin."),
});
export type CreateTokenInput = z.infer<typeof CreateTokenInput>;
export const CreatedToken = ApiToken.extend({ token: z.string() });
export type CreatedToken = z.infer<typeof CreatedToken>;

export const SessionInfo = z.object({
  id: z.string(),
  current: z.boolean(),
  createdAt: IsoTime,
  lastSeenAt: IsoTime,
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;
export const SessionPage = pageOf(SessionInfo);

export const Me = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string(), role: Role }),
  counts: z.object({ reviews: z.number().int(), approvals: z.number().int() }),
  soloMode: z.boolean(),
  workersOnline: z.number().int(),
  isolation: z.enum(["none", "process", "sandbox"]),
  version: z.string(),
});
export type Me = z.infer<typeof Me>;
