import { z } from "zod";

/** The parts of GitHub's REST answers that are read. https://docs.github.com/en/rest */
const Sha = z.string().regex(/^[0-9a-f]{40}$/);

/** `GET /repos/{owner}/{repo}`, `GET /repositories/{id}` */
export const RepositoryAnswer = z.object({
  id: z.number().int().positive(),
  full_name: z.string().regex(/^[^/]+\/[^/]+$/),
  private: z.boolean().default(false),
  default_branch: z.string().min(1),
});
export type RepositoryAnswer = z.infer<typeof RepositoryAnswer>;

/** `GET /repos/{owner}/{repo}/commits/{ref}` */
export const CommitAnswer = z.object({
  sha: Sha,
  commit: z.object({ tree: z.object({ sha: Sha }) }),
});

export const TreeEntry = z.object({
  path: z.string(),
  mode: z.string(),
  type: z.enum(["blob", "tree", "commit"]),
  sha: Sha,
  size: z.number().int().nonnegative().optional(),
});
export type TreeEntry = z.infer<typeof TreeEntry>;

/** `GET /repos/{owner}/{repo}/git/trees/{sha}` */
export const TreeAnswer = z.object({ tree: z.array(TreeEntry), truncated: z.boolean().default(false) });
