import { clearGitHubToken, getGitHubToken, setGitHubToken } from "@/lib/catalog/github/github-token";
import { GitHubTokenInput, GitHubTokenStatus } from "@/lib/catalog/sources/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "Whether a GitHub token is stored for the catalog, without the token",
  answer: GitHubTokenStatus,
  answersFrom: "rows",
  handle: ({ ctx }) => getGitHubToken(ctx),
});

export const PUT = route({
  access: "admin",
  summary: "Store the GitHub token of the catalog",
  body: GitHubTokenInput,
  answer: GitHubTokenStatus,
  handle: ({ ctx, body }) => setGitHubToken(ctx, body),
});

export const DELETE = route({
  access: "admin",
  summary: "Delete the GitHub token of the catalog",
  status: 204,
  handle: ({ ctx }) => clearGitHubToken(ctx),
});
