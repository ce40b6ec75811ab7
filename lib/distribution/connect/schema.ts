import { z } from "zod";
import { CapabilityScopeKind } from "../capability-urls/schema";

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
