import { z } from "zod";

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
