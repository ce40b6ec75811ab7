import { getEnv } from "@/lib/core/env";

/** Base URLs of GitHub's API, raw file host and website, without a slash at the end. */
export type GitHubHosts = { apiUrl: string; rawUrl: string; webUrl: string };

/** A host for error messages, and the environment variable that sets it. */
export type GitHubEndpoint = { host: string; variable: "GITHUB_API_URL" | "GITHUB_RAW_URL" };

export function apiEndpoint({ apiUrl }: GitHubHosts): GitHubEndpoint {
  return { host: new URL(apiUrl).host, variable: "GITHUB_API_URL" };
}

export function rawEndpoint({ rawUrl }: GitHubHosts): GitHubEndpoint {
  return { host: new URL(rawUrl).host, variable: "GITHUB_RAW_URL" };
}

/** Reads `GITHUB_API_URL` and `GITHUB_RAW_URL`. On GitHub Enterprise the website has the host of the API. */
export function githubHosts(): GitHubHosts {
  const { GITHUB_API_URL, GITHUB_RAW_URL } = getEnv();
  const api = new URL(GITHUB_API_URL);
  return {
    apiUrl: GITHUB_API_URL.replace(/\/+$/, ""),
    rawUrl: GITHUB_RAW_URL.replace(/\/+$/, ""),
    webUrl: api.host === "api.github.com" ? "https://github.com" : api.origin,
  };
}
