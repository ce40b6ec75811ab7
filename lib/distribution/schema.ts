import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";

export const CapabilityScopeKind = z.enum(["root", "skill", "publisher", "collection"]);
export type CapabilityScopeKind = z.infer<typeof CapabilityScopeKind>;

/** An address with which a client reads skills without signing in. Its token is stored hashed and never shown again. */
export const CapabilityUrl = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("The first characters of its token, by which people know it."),
  scope: z.object({
    kind: CapabilityScopeKind,
    id: z.string().nullable(),
    label: z.string().describe("What it covers, in words."),
  }),
  persona: z.string().nullable(),
  createdAt: IsoTime,
  expiresAt: IsoTime,
  lastUsedAt: IsoTime.nullable(),
  expired: z.boolean(),
});
export type CapabilityUrl = z.infer<typeof CapabilityUrl>;

export const CapabilityUrlPage = pageOf(CapabilityUrl);
export const ListCapabilityUrlsQuery = PageQuery;
export type ListCapabilityUrlsQuery = z.infer<typeof ListCapabilityUrlsQuery>;

export const CreateCapabilityUrlInput = z.strictObject({
  name: lineOfText(80),
  scope: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("root") }),
      z.strictObject({ kind: z.literal("skill"), id: z.string().min(1).max(200).describe("Id or name of a skill.") }),
      z.strictObject({ kind: z.literal("publisher"), id: z.string().min(1).max(100).describe("Handle or id.") }),
      z.strictObject({ kind: z.literal("collection"), id: z.string().min(1).max(200).describe("Slug or id.") }),
    ])
    .default({ kind: "root" }),
  expiresAt: IsoTime.optional().describe("At most a year ahead; 90 days when left out."),
  persona: z.string().max(100).optional().describe("Cuts it down to what agents under this persona see."),
});
export type CreateCapabilityUrlInput = z.input<typeof CreateCapabilityUrlInput>;

export const CreatedCapabilityUrl = CapabilityUrl.extend({
  url: z.string().describe("The whole address, with its token; shown this once."),
});
export type CreatedCapabilityUrl = z.infer<typeof CreatedCapabilityUrl>;

export const CapabilityUrlParams = z.object({ id: z.string().max(100) });

/** What the commands are for: one of these, or everything the caller sees. */
export const ConnectQuery = z.object({
  skill: z.string().max(100).optional().describe("Id or name."),
  publisher: z.string().max(39).optional().describe("Handle."),
  collection: z.string().max(64).optional().describe("Slug."),
});
export type ConnectQuery = z.infer<typeof ConnectQuery>;

/** What the commands with which clients reach this server are made of. */
export const Connection = z.object({
  /** The server’s address as it knows it itself, without a slash at the end. */
  url: z.url(),
  scope: z.object({
    kind: CapabilityScopeKind,
    /** Names it to `POST /api/capability-urls`; null for everything. */
    id: z.string().nullable(),
    label: z.string(),
    /** Below the server’s address: empty for everything. */
    path: z.string(),
  }),
  /** How Claude Code and Codex call the marketplace of the scope, and that of a capability URL. */
  marketplace: z.string(),
  privateMarketplace: z.string(),
  /** Name of the whole server’s marketplace. */
  instance: z.string(),
  /** A skill of the scope to take in commands; null while there is none that is approved and on. */
  example: z.object({ name: z.string(), publisher: z.string() }).nullable(),
  /** Skills of the scope that the caller sees, approved and on, and those of them that anybody sees without signing in. */
  skills: z.number().int(),
  publicSkills: z.number().int(),
});
export type Connection = z.infer<typeof Connection>;

const GitSubdir = z.object({
  source: z.literal("git-subdir"),
  url: z.string(),
  path: z.string(),
  ref: z.string(),
  sha: z.string(),
});

const Plugin = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  author: z.object({ name: z.string() }),
  category: z.string(),
  tags: z.array(z.string()),
  strict: z.literal(false),
  source: z.union([z.string(), GitSubdir]),
  skills: z.tuple([z.literal("./")]),
});

/** A plugin marketplace as Claude Code (2.1.329) and Codex (0.169.0) read it: one plugin for each skill. */
export const Marketplace = z.object({
  name: z.string(),
  owner: z.object({ name: z.string() }),
  metadata: z.object({ description: z.string() }),
  plugins: z.array(Plugin),
});
export type Marketplace = z.infer<typeof Marketplace>;
export type MarketplaceSource = Marketplace["plugins"][number]["source"];
