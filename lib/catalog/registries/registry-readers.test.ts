import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, vi } from "vitest";
import type { FileChange } from "@/e2e/fixtures/fake-github/git-repository";
import { startGitServer } from "@/e2e/fixtures/git-server/start-git-server";
import type { RegistryKind } from "../sources/schema";
import type { KnownSource } from "../sync/source-reader";
import { type ContractHost, describeReader } from "../testing/reader-contract";
import { type HostedProtocol, startRegistryHost } from "../testing/registry-host";
import { createRegistryReader } from "./create-registry-reader";

const scratch = mkdtempSync(join(tmpdir(), "skillgate-registries-"));
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "127.0.0.1");
  return () => vi.unstubAllEnvs();
});

const UNKNOWN = { repositoryId: null, defaultBranch: null, identityCheckedAt: null, commit: null, commitEtag: null };
const KNOWN: KnownSource = { owner: "registry", repo: "list", ref: null, isPrivate: false, ...UNKNOWN };

function opened(kind: RegistryKind, repoUrl: string) {
  const reader = () =>
    createRegistryReader(
      { kind, owner: "registry", repo: "list", repoUrl, hostKeys: null },
      { credential: null, scratch, timeoutMs: 10_000 },
    );
  const current = async () => {
    const { commit } = await reader().changedSince(KNOWN, new Date());
    return commit === "unchanged" ? "" : commit.sha;
  };
  return { known: KNOWN, reader, current };
}

async function registry(kind: RegistryKind, protocol: HostedProtocol, address: string): Promise<ContractHost> {
  const host = await startRegistryHost(protocol);
  closing.push(host.close);
  const { current, ...rest } = opened(kind, `${host.origin}${address}`);
  return {
    ...rest,
    commit: async (files) => {
      await host.publish(files);
      return current();
    },
    truth: host.truth,
    forcePush: async (files) => {
      await host.restart();
      await host.publish(files);
      return current();
    },
    break: host.fail,
    repair: () => host.fail(null),
  };
}

/** A marketplace whose plugins are folders of one repository, read by git's http-backend. */
async function gitMarketplace(): Promise<ContractHost> {
  const server = await startGitServer();
  closing.push(server.close);
  const repository = await server.repository("acme/plugins");
  let fault: "html" | "cut" | "down" | null = null;
  let tops: string[] = [];
  server.onOther((_request, response) => {
    if (fault === "down") response.writeHead(503).end();
    else if (fault === "html") response.writeHead(200).end("<p>Sign in");
    else if (fault === "cut") response.writeHead(200, { "content-length": "500" }).destroy();
    else {
      const url = `${server.origin}/acme/plugins.git`;
      const plugins = tops.map((name) => ({ name, source: { source: "git-subdir", url, path: name, ref: "main" } }));
      response.writeHead(200).end(JSON.stringify({ name: "acme", plugins }));
    }
    return true;
  });
  const { current, ...rest } = opened("marketplace", `${server.origin}/marketplace.json`);
  const commit = async (files: Record<string, FileChange>) => {
    // A marketplace offers folders.
    await repository.commit(Object.fromEntries(Object.entries(files).filter(([path]) => path.includes("/"))));
    tops = ((await repository.listTree("HEAD", false)) ?? []).map(({ path }) => path);
    return current();
  };
  return {
    ...rest,
    commit,
    truth: async () => (await repository.listTree("HEAD", true)) ?? [],
    forcePush: async (files) => {
      await repository.orphan();
      return commit(files);
    },
    break: (how) => {
      fault = how;
      server.fail(how);
    },
    repair: () => {
      fault = null;
      server.fail(null);
    },
  };
}

describeReader("an index of Agent Skills Discovery 0.2", () => registry("index", "index", ""));
describeReader("the older index", () => registry("index", "first-index", ""));
describeReader("a registry like ClawHub", () => registry("clawhub", "clawhub", ""));
describeReader("a marketplace with packages of npm", () => registry("marketplace", "npm", "/marketplace.json"));
describeReader("a marketplace with repositories", gitMarketplace);
