import { getEnv } from "@/lib/core/env";

/** Where GitHub is: its API, its raw file host and its website, each without a slash at the end. */
export type GitHubHosts = { apiUrl: string; rawUrl: string; webUrl: string };

/** From `GITHUB_API_URL` and `GITHUB_RAW_URL`. The website of GitHub Enterprise is the host of its API. */
export function githubHosts(): GitHubHosts {
  const { GITHUB_API_URL, GITHUB_RAW_URL } = getEnv();
  const api = new URL(GITHUB_API_URL);
  return {
    apiUrl: GITHUB_API_URL.replace(/\/+$/, ""),
    rawUrl: GITHUB_RAW_URL.replace(/\/+$/, ""),
    webUrl: api.host === "api.github.com" ? "https://github.com" : api.origin,
  };
}
