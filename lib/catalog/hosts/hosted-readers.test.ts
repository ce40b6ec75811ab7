import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { GitRepository } from "@/e2e/fixtures/fake-github/git-repository";
import { startGitServer } from "@/e2e/fixtures/git-server/start-git-server";
import type { GitOptions } from "../git/git-remote";
import type { KnownSource } from "../sync/source-reader";
import { describeReader } from "../testing/reader-contract";
import { createHostedReader } from "./create-hosted-reader";

/*
 * One host of each kind: git's http-backend for git, and answers of the API made from its published documentation (fixtures, not
 * recordings of a real host). The addresses of the documentation are beside the schemas of each kind.
 */
type Kind = "gitlab" | "gitea" | "bitbucket" | "azure";
type Facts = { id: number; path: string; branch: string; isPrivate: boolean };
type Answer = { status?: number; body?: unknown; location?: string };

const server = await startGitServer();
const scratch = mkdtempSync(join(tmpdir(), "skillgate-hosted-"));
const host = new URL(server.origin).host;
const repositories = new Map<string, { repository: GitRepository; facts: Facts }>();
const asked: { url: string; headers: IncomingMessage["headers"] }[] = [];
let fault: "html" | "cut" | "down" | null = null;
afterAll(async () => {
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "127.0.0.1");
  return () => vi.unstubAllEnvs();
});

server.onOther((request, response) => {
  asked.push({ url: request.url ?? "", headers: request.headers });
  if (fault === "cut") response.writeHead(200, { "content-length": "500" }).write('{"id":');
  if (fault === "cut") response.destroy();
  else if (fault === "html")
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>\n<p>Sign in\n");
  else if (fault === "down") response.writeHead(503).end();
  else void answer(request, response);
  return true;
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", server.origin);
  const found =
    (await answerGitLab(url)) ?? (await answerGitea(url)) ?? (await answerBitbucket(url)) ?? (await answerAzure(url));
  const { status = 200, body, location } = found ?? { status: 404, body: { message: "404 Not Found" } };
  const text = JSON.stringify(body ?? {});
  const etag = `W/"${Buffer.from(text).toString("base64url").slice(0, 200)}"`;
  if (status === 200 && request.headers["if-none-match"] === etag) return void response.writeHead(304).end();
  response.writeHead(status, { "content-type": "application/json", etag, ...(location && { location }) }).end(text);
}

/** https://docs.gitlab.com/api/projects/ and https://docs.gitlab.com/api/commits/ */
async function answerGitLab(url: URL): Promise<Answer | null> {
  const [, name, ref] = /^\/api\/v4\/projects\/([^/]+)(?:\/repository\/commits\/([^/]+))?$/.exec(url.pathname) ?? [];
  if (name === undefined) return null;
  const one = find(decodeURIComponent(name));
  if (one === null) return { status: 404, body: { message: "404 Project Not Found" } };
  const { id, path, branch, isPrivate } = one.facts;
  if (ref === undefined) {
    if (one.isFormer) return { status: 301, location: `${server.origin}/api/v4/projects/${id}` };
    return {
      body: { id, path_with_namespace: path, default_branch: branch, visibility: isPrivate ? "private" : "public" },
    };
  }
  if (one.isFormer)
    return { status: 301, location: `${server.origin}/api/v4/projects/${id}/repository/commits/${ref}` };
  const commit = await one.repository.resolve(decodeURIComponent(ref));
  if (commit === null) return { status: 404, body: { message: "404 Commit Not Found" } };
  return { body: { id: commit.commit, short_id: commit.commit.slice(0, 8), title: "Change", parent_ids: [] } };
}

/** https://docs.gitea.com/api/: repoGet and repoGetAllCommits */
async function answerGitea(url: URL): Promise<Answer | null> {
  const [, name = "", commits] = /^\/api\/v1\/repos\/([^/]+\/[^/]+?)(\/commits)?$/.exec(url.pathname) ?? [];
  const one = find(name);
  if (name === "" || one === null) return name === "" ? null : { status: 404, body: { message: "not found" } };
  const { id, path, branch, isPrivate } = one.facts;
  if (one.isFormer) return { status: 301, location: `/api/v1/repos/${path}${commits ?? ""}` };
  if (commits === undefined)
    return { body: { id, full_name: path, private: isPrivate, empty: false, default_branch: branch } };
  const commit = await one.repository.resolve(url.searchParams.get("sha") ?? "");
  if (commit === null) return { status: 404, body: { message: "object does not exist" } };
  return { body: [{ sha: commit.commit, commit: { tree: { sha: commit.tree } } }] };
}

/** https://developer.atlassian.com/cloud/bitbucket/rest/ */
async function answerBitbucket(url: URL): Promise<Answer | null> {
  const [, name = "", commits] = /^\/2\.0\/repositories\/([^/]+\/[^/]+?)(\/commits)?$/.exec(url.pathname) ?? [];
  const one = find(name);
  if (name === "" || one === null) return name === "" ? null : { status: 404, body: { type: "error" } };
  const { id, path, branch, isPrivate } = one.facts;
  const uuid = `{00000000-0000-4000-8000-${String(id).padStart(12, "0")}}`;
  if (one.isFormer) return { status: 301, location: `${server.origin}/2.0/repositories/${path}${commits ?? ""}` };
  if (commits === undefined)
    return { body: { uuid, full_name: path, is_private: isPrivate, mainbranch: { name: branch } } };
  const commit = await one.repository.resolve(url.searchParams.get("include") ?? "");
  return commit === null ? { status: 404, body: { type: "error" } } : { body: { values: [{ hash: commit.commit }] } };
}

/** https://learn.microsoft.com/en-us/rest/api/azure/devops/git/ */
async function answerAzure(url: URL): Promise<Answer | null> {
  const [, above = "", name = "", commits] =
    /^\/(.+)\/_apis\/git\/repositories\/([^/]+?)(\/commits)?$/.exec(url.pathname) ?? [];
  const one = find(`${above}/_git/${name}`);
  if (name === "" || one === null)
    return name === "" ? null : { status: 404, body: { typeKey: "GitRepositoryNotFoundException" } };
  const { id, path, branch, isPrivate } = one.facts;
  const [project = "", repo = ""] = path.split("/_git/");
  const facts = { name: project.split("/").at(-1), visibility: isPrivate ? "private" : "public" };
  if (commits === undefined) {
    return { body: { id: `guid-${id}`, name: repo, defaultBranch: `refs/heads/${branch}`, project: facts } };
  }
  const type = url.searchParams.get("searchCriteria.itemVersion.versionType");
  const version = url.searchParams.get("searchCriteria.itemVersion.version") ?? "";
  const prefix = type === "branch" ? "refs/heads/" : type === "tag" ? "refs/tags/" : "";
  const commit = await one.repository.resolve(`${prefix}${version}`);
  return commit === null ? { status: 404, body: {} } : { body: { count: 1, value: [{ commitId: commit.commit }] } };
}

/** `isFormer`: the name is one that the repository had before. */
function find(nameOrId: string) {
  for (const [name, { repository, facts }] of repositories) {
    if (facts.path === nameOrId || String(facts.id) === nameOrId) return { repository, facts, isFormer: false };
    if (name === nameOrId) return { repository, facts, isFormer: true };
  }
  return null;
}

const NOW = new Date();
const BASE: GitOptions = { credential: null, scratch, timeoutMs: 10_000 };
const PATHS: Record<Kind, (number: number) => string> = {
  gitlab: (number) => `group/sub/repo-${number}`,
  gitea: (number) => `acme/repo-${number}`,
  bitbucket: (number) => `acme/bucket-${number}`,
  azure: (number) => `acme/project/_git/repo-${number}`,
};
let number = 0;

async function open(kind: Kind, options: { token?: string } = {}) {
  number += 1;
  const path = PATHS[kind](number);
  const repository = await server.repository(path, options);
  const facts: Facts = { id: number, path, branch: "main", isPrivate: options.token !== undefined };
  repositories.set(path, { repository, facts });
  const segments = path.split("/");
  const repo = segments.pop() ?? "";
  const owner = [host, ...segments].join("/");
  const place = { kind, owner, repo, repoUrl: `${server.origin}/${path}`, hostKeys: null };
  const unknown = { repositoryId: null, defaultBranch: null, identityCheckedAt: null, commit: null, commitEtag: null };
  const known: KnownSource = { owner, repo, isPrivate: false, ref: null, ...unknown };
  return {
    repository,
    facts,
    place,
    known,
    reader: (given: Partial<GitOptions> = {}) => createHostedReader(place, { ...BASE, ...given }),
  };
}

const KINDS: Kind[] = ["gitlab", "gitea", "bitbucket", "azure"];

for (const kind of KINDS) {
  describeReader(kind, async () => {
    const { repository, known, reader } = await open(kind);
    return {
      commit: (files) => repository.commit(files),
      truth: async (commit) => (await repository.listTree(commit, true)) ?? [],
      forcePush: async (files) => {
        await repository.orphan();
        return repository.commit(files);
      },
      known,
      reader: () => reader(),
      break: (how) => {
        fault = how;
        server.fail(how);
      },
      repair: () => {
        fault = null;
        server.fail(null);
      },
    };
  });
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe.each(KINDS)("%s", (kind) => {
  async function synced() {
    const opened = await open(kind);
    const sha = await opened.repository.commit({ "a/SKILL.md": "one" });
    const { commit, identity } = await opened.reader().changedSince(opened.known, NOW);
    if (commit === "unchanged" || identity === null) throw new Error("a first sync is new");
    const stored = { ...opened.known, ...identity, identityCheckedAt: NOW, commit: sha, commitEtag: commit.etag };
    return { ...opened, stored };
  }

  test("an unchanged repository is one conditional request", async () => {
    const { stored, reader } = await synced();
    asked.length = 0;
    const one = reader();
    expect((await one.changedSince(stored, NOW)).commit).toBe("unchanged");
    expect([asked.length, one.usage().requests]).toEqual([1, 1]);
    expect(asked[0]?.headers["if-none-match"]).toBe(stored.commitEtag);
  });

  test("another repository under the same name waits for an admin", async () => {
    const { stored, reader, facts, repository } = await synced();
    facts.id += 10_000;
    await repository.commit({ "a/SKILL.md": "two" });
    expect(await failureOf(reader().changedSince(stored, NOW))).toMatchObject({
      code: "confirmation_needed",
      pending: { reason: "replaced" },
    });
  });

  test("a name or ref that does not exist is named", async () => {
    const { reader, known, place } = await synced();
    expect(await failureOf(reader().changedSince({ ...known, ref: "nowhere" }, NOW))).toMatchObject({
      code: "ref_not_found",
    });
    const gone = createHostedReader(
      { ...place, repoUrl: `${server.origin}/acme/p/_git/gone`.replace(kind === "azure" ? "~" : "/p/_git", "") },
      BASE,
    );
    expect(await failureOf(gone.changedSince(known, NOW))).toMatchObject({ code: "not_found" });
  });

  test("the token goes to the API and to git, each in the host's own way", async () => {
    const opened = await open(kind, { token: "t0ken-of-the-test" });
    const sha = await opened.repository.commit({ "a/SKILL.md": "one" });
    const credential = { kind: "token" as const, token: "t0ken-of-the-test", username: null };
    asked.length = 0;
    const one = opened.reader({ credential });
    const { identity } = await one.changedSince(opened.known, NOW);
    expect(identity?.isPrivate).toBe(true);
    const sent = asked[0]?.headers ?? {};
    const text = String(sent["private-token"] ?? sent.authorization);
    expect(text).toBe(
      {
        gitlab: "t0ken-of-the-test",
        gitea: "token t0ken-of-the-test",
        bitbucket: "Bearer t0ken-of-the-test",
        azure: `Basic ${Buffer.from(":t0ken-of-the-test").toString("base64")}`,
      }[kind],
    );
    const listing = await one.listTree({ sha, treeSha: null }, { folder: null, etag: null, memory: null });
    expect(listing).toMatchObject({ truncated: false });
    expect(
      await failureOf(opened.reader().listTree({ sha, treeSha: null }, { folder: null, etag: null, memory: null })),
    ).toMatchObject({
      code: "token_refused",
    });
  });
});

test.each(["gitlab", "gitea", "bitbucket"] as const)("a renamed repository on %s waits for an admin", async (kind) => {
  const opened = await open(kind);
  await opened.repository.commit({ "a/SKILL.md": "one" });
  const { identity } = await opened.reader().changedSince(opened.known, NOW);
  const former = opened.facts.path;
  opened.facts.path = `${former}-renamed`;
  const stored = { ...opened.known, ...identity, identityCheckedAt: null, commit: "1".repeat(40) };
  expect(await failureOf(opened.reader().changedSince(stored, NOW))).toMatchObject({
    code: "confirmation_needed",
    pending: { reason: "renamed", fullName: `${host}/${former}-renamed` },
  });
});
