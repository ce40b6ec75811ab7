import { z } from "zod";
import { Role, Scope } from "@/lib/core/actor";
import { IsoTime, lineOfText, PageQuery, pageOf, QueryFlag } from "@/lib/core/schema";
import { PermissionMode } from "@/lib/policy/schema";
import { Isolation } from "@/lib/policy/worker-allowance";

export const IdParams = z.object({ id: z.string().max(100) });

/** At least 12 characters; at most 256 bytes, which bounds the cost of hashing. */
export const Password = z
  .string()
  .min(12, "must have at least 12 characters")
  .refine((text) => new TextEncoder().encode(text).length <= 256, "must have at most 256 bytes");

export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email("must be an email address"));

export const PersonName = lineOfText(100);

/** Checks only sizes: a malformed input must look like a wrong password. */
export const SignInInput = z.object({ email: z.string().max(1000), password: z.string().max(2000) });
export type SignInInput = z.infer<typeof SignInInput>;

export const LinkToken = z.string().min(1).max(200);

export const SetupInput = z.strictObject({ token: LinkToken, name: PersonName, email: Email, password: Password });
export type SetupInput = z.infer<typeof SetupInput>;

export const AcceptInviteInput = z.strictObject({ password: Password });

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
export const SetupAnswer = z.object({ user: User });
export const AcceptedInvite = z.object({ email: z.string() });

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
  persona: z.string().nullable().describe("Id of the persona it acts under."),
  personaName: z.string().nullable(),
  createdAt: IsoTime,
  expiresAt: IsoTime.nullable(),
  lastUsedAt: IsoTime.nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;
export const ApiTokenPage = pageOf(ApiToken);

export const ListTokensQuery = PageQuery.extend({
  user: z.string().max(100).optional().describe("Tokens of this person; admins only, unless it is the caller."),
  all: QueryFlag.optional().describe("Tokens of all people; admins only."),
});
export type ListTokensQuery = z.infer<typeof ListTokensQuery>;

export const CreateTokenInput = z.strictObject({
  name: lineOfText(100),
  scopes: z.array(Scope).min(1, "choose at least one scope"),
  expiresAt: IsoTime.optional().describe("By default in 90 days."),
  persona: z.string().max(100).optional().describe("Id of a persona; such a token never reviews or administers."),
  userId: z.string().max(100).optional().describe("Admins only, and never with review or admin."),
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

export const SignedOut = z.object({ revoked: z.number().int() });

/** An armoured SSH signature, as `ssh-keygen -Y sign` writes it. */
export const ArmouredSignature = z.string().max(16_384);

export const AddSshKeyInput = z.object({
  name: lineOfText(100),
  proof: ArmouredSignature.describe("Made by the key over your id (GET /api/me), in the namespace “skillgate-key”."),
});
export type AddSshKeyInput = z.infer<typeof AddSshKeyInput>;

export const SshKey = z.object({
  id: z.string(),
  name: z.string(),
  publicKey: z.string().describe("Type and base64, as in authorized_keys."),
  fingerprint: z.string(),
  createdAt: IsoTime,
});
export type SshKey = z.infer<typeof SshKey>;
export const SshKeyList = z.object({ items: z.array(SshKey) });
export type SshKeyList = z.infer<typeof SshKeyList>;

const Globs = z.array(lineOfText(200)).max(200);

export const Persona = z.object({
  id: z.string(),
  name: z.string(),
  permissionMode: PermissionMode,
  allow: z.array(z.string()),
  deny: z.array(z.string()),
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type Persona = z.infer<typeof Persona>;
export const PersonaPage = pageOf(Persona);

export const CreatePersonaInput = z.strictObject({
  name: PersonName,
  permissionMode: PermissionMode,
  allow: Globs.optional(),
  deny: Globs.optional(),
});
export type CreatePersonaInput = z.infer<typeof CreatePersonaInput>;

export const PatchPersonaInput = CreatePersonaInput.partial().refine(
  (patch) => Object.keys(patch).length > 0,
  "name at least one field to change",
);
export type PatchPersonaInput = z.infer<typeof PatchPersonaInput>;

export const Rights = z.object({
  via: z.enum(["session", "token"]),
  scopes: z.array(Scope),
  persona: Persona.pick({ id: true, name: true, permissionMode: true, allow: true, deny: true }).nullable(),
  runs: z.record(
    z.enum(["safe", "mutating", "dangerous"]),
    z.object({ outcome: z.enum(["start", "confirm", "park", "refuse"]), rule: z.string(), reason: z.string() }),
  ),
});
export type Rights = z.infer<typeof Rights>;

export const Me = z.object({
  rights: Rights.optional(),
  user: z.object({ id: z.string(), name: z.string(), email: z.string(), role: Role }),
  counts: z.object({ reviews: z.number().int(), approvals: z.number().int() }),
  /** Name of this server, a setting. */
  instanceName: z.string(),
  soloMode: z.boolean(),
  /** Number of reviewers; solo mode is unnecessary with two. */
  reviewers: z.number().int(),
  workersOnline: z.number().int(),
  isolation: Isolation,
  version: z.string(),
});
export type Me = z.infer<typeof Me>;

export const ChangePasswordInput = z.strictObject({ current: z.string().min(1).max(256), password: Password });
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>;

export const DeviceScope = z.enum(["read", "run", "write"]);
export type DeviceScope = z.infer<typeof DeviceScope>;

/** Request of a program (RFC 8628, section 3.1, as JSON); unknown fields are ignored. */
export const DeviceCodeInput = z.object({
  scope: z.string().max(200).optional(),
  label: z.string().max(200).optional(),
});
export type DeviceCodeInput = z.infer<typeof DeviceCodeInput>;

export const DeviceTokenInput = z.object({
  device_code: z.string().max(200),
  grant_type: z.literal("urn:ietf:params:oauth:grant-type:device_code"),
});

/** Eight unambiguous letters; accepts lower case, blanks and a missing hyphen. */
export const UserCode = z
  .string()
  .max(20)
  .transform((text) => text.toUpperCase().replace(/[^A-Z]/g, ""))
  .refine((text) => /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(text), "must be eight letters, such as WDJB-MJHT")
  .transform((text) => `${text.slice(0, 4)}-${text.slice(4)}`);

export const DeviceLogin = z.object({
  userCode: z.string(),
  clientName: z.string(),
  scopes: z.array(DeviceScope),
  address: z.string().nullable(),
  createdAt: IsoTime,
  expiresAt: IsoTime,
});
export type DeviceLogin = z.infer<typeof DeviceLogin>;

export const DeviceDecision = z.strictObject({ decision: z.enum(["approve", "deny"]) });
export type DeviceDecision = z.infer<typeof DeviceDecision>;

/** RFC 8628, section 3.2. */
export const DeviceCode = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  interval: z.number(),
});
/** RFC 6749, section 5.1. */
export const DeviceToken = z.object({ access_token: z.string(), token_type: z.literal("Bearer"), scope: z.string() });
