import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";

export const CapabilityScopeKind = z.enum(["root", "skill", "publisher", "collection"]);
export type CapabilityScopeKind = z.infer<typeof CapabilityScopeKind>;

/** A URL with which clients read skills without signing in. Its token is stored hashed and never shown again. */
export const CapabilityUrl = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("The first characters of its token, shown in lists."),
  scope: z.object({
    kind: CapabilityScopeKind,
    id: z.string().nullable(),
    label: z.string().describe("What it covers, as text."),
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
  expiresAt: IsoTime.optional().describe("At most a year ahead; defaults to 90 days."),
  persona: z.string().max(100).optional().describe("Limits it to what agents with this persona see."),
});
export type CreateCapabilityUrlInput = z.input<typeof CreateCapabilityUrlInput>;

export const CreatedCapabilityUrl = CapabilityUrl.extend({
  url: z.string().describe("The whole URL with its token, shown only once."),
});
export type CreatedCapabilityUrl = z.infer<typeof CreatedCapabilityUrl>;

export const CapabilityUrlParams = z.object({ id: z.string().max(100) });

/** Scope of the commands; by default everything the caller sees. */
export const ConnectQuery = z.object({
  skill: z.string().max(100).optional().describe("Id or name."),
  publisher: z.string().max(39).optional().describe("Handle."),
  collection: z.string().max(64).optional().describe("Slug."),
});
export type ConnectQuery = z.infer<typeof ConnectQuery>;

export const Connection = z.object({
  /** The server's own URL, without a trailing slash. */
  url: z.url(),
  scope: z.object({
    kind: CapabilityScopeKind,
    /** As for `POST /api/capability-urls`; null for everything. */
    id: z.string().nullable(),
    label: z.string(),
    /** Path below the server's URL; empty for everything. */
    path: z.string(),
  }),
  /** Marketplace names in Claude Code and Codex, of the scope and of a capability URL. */
  marketplace: z.string(),
  privateMarketplace: z.string(),
  instance: z.string(),
  /** An approved skill of the scope for example commands; null without one. */
  example: z.object({ name: z.string(), publisher: z.string() }).nullable(),
  /** Offered skills of the scope, and how many of them are public. */
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

/**
 * A plugin marketplace as Claude Code (2.1.329) and Codex (0.169.0) read it: one plugin for each skill
 * (code.claude.com/docs/en/plugins/marketplace-reference).
 */
export const Marketplace = z.object({
  name: z.string(),
  owner: z.object({ name: z.string() }),
  metadata: z.object({ description: z.string() }),
  forceRemoveDeletedPlugins: z.literal(true),
  plugins: z.array(Plugin),
});
export type Marketplace = z.infer<typeof Marketplace>;
export type MarketplaceSource = Marketplace["plugins"][number]["source"];
