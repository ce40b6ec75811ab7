import { z } from "zod";
import { createGitReader } from "../git/create-git-reader";
import { readGitAddress } from "../git/git-address";
import { githubHosts } from "../github/hosts";
import { isGitSha, isOwner, isRef, isRepository, isRepositoryPath } from "../github/names";
import type { ListingMemory, SourceReader } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import type { ReadRelease, Registry, RegistryList, RegistryOptions, Release } from "./registry";
import { releaseOfFiles } from "./registry";
import { assertDigest, createRegistryClient, type RegistryClient, unpack } from "./registry-client";

/** https://code.claude.com/docs/en/plugin-marketplaces#plugin-sources */
const Text = z.string().trim().max(2_000).catch("");
const Short = z.string().trim().min(1).max(200);
const Optional = Short.nullish().catch(null);
const Pinned = { ref: Optional, sha: Optional };
const PluginSource = z.discriminatedUnion("source", [
  z.object({ source: z.literal("github"), repo: Short, path: Optional, ...Pinned }),
  z.object({ source: z.literal("url"), url: z.string().min(1).max(500), path: Optional, ...Pinned }),
  z.object({ source: z.literal("git-subdir"), url: z.string().min(1).max(500), path: Short, ...Pinned }),
  z.object({ source: z.literal("npm"), package: Short, version: Optional, registry: z.url().nullish() }),
]);
const Plugin = z.object({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
  description: Text.default(""),
  version: Optional,
  category: Optional,
  tags: z.array(Short).max(50).catch([]).default([]),
  author: z.object({ name: Short }).nullish().catch(null),
  source: z.unknown(),
});
const Marketplace = z.object({
  owner: z.object({ name: Short }).nullish().catch(null),
  plugins: z.array(z.unknown()).max(500),
});
type Plugin = z.infer<typeof Plugin>;
type GitSource = { repoUrl: string; path: string | null; ref: string | null; sha: string | null };

/** https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
const Packument = z.object({
  "dist-tags": z.record(z.string(), z.string()).default({}),
  versions: z.record(
    z.string(),
    z.object({ dist: z.object({ tarball: z.url(), integrity: z.string().optional(), shasum: z.string().optional() }) }),
  ),
});
const NPM = "https://registry.npmjs.org";

/** Opens a plugin marketplace of Claude Code by the address of its file. Each plugin is a folder, and a pack of its skills. */
export function openMarketplace(address: string, options: RegistryOptions): Registry {
  const client = createRegistryClient(address, options);
  const readers = new Map<string, SourceReader>();
  const gitReader = (repoUrl: string) => {
    const isOwn = new URL(repoUrl).origin === new URL(address).origin;
    const open = () =>
      createGitReader({ repoUrl, hostKeys: null }, { ...options, credential: isOwn ? options.credential : null });
    const reader = readers.get(repoUrl) ?? open();
    readers.set(repoUrl, reader);
    return reader;
  };
  return {
    requests: () => [...readers.values()].reduce((sum, reader) => sum + reader.usage().requests, client.requests()),
    list: async () => {
      const answer = await client.json(address, {
        what: `the marketplace ${new URL(address).host}`,
        schema: Marketplace,
      });
      if (answer === "unchanged") throw new Error("the host answered 304 to a request without a tag");
      // Without a tag: branches of plugins move while the file stays.
      const list: RegistryList = { releases: [], groups: [], skipped: [], etag: null };
      const skip = (name: string, reason: string) =>
        list.skipped.push({
          folder: name,
          code: "plugin_unreadable",
          reason: `The plugin “${name}” is not listed: ${reason}`,
        });
      for (const item of answer.data.plugins) {
        const plugin = Plugin.safeParse(item);
        if (!plugin.success) {
          skip("", "it has no plain name.");
          continue;
        }
        const { name, description, category = null } = plugin.data;
        const publisher = plugin.data.author?.name ?? answer.data.owner?.name ?? null;
        try {
          const release = await releaseOf(plugin.data, publisher, { client, gitReader });
          list.releases.push(release);
          list.groups.push({ folder: name, name, description, category, version: release.version });
        } catch (error) {
          options.signal?.throwIfAborted();
          if (!(error instanceof SyncFailure)) throw error;
          skip(name, error.message);
        }
      }
      return list;
    },
  };
}

type Readers = { client: RegistryClient; gitReader(repoUrl: string): SourceReader };

async function releaseOf(plugin: Plugin, publisher: string | null, readers: Readers): Promise<Release> {
  if (typeof plugin.source === "string") {
    throw new SyncFailure(
      "not_found",
      "its files are beside the marketplace. Add the repository of the marketplace as a source.",
    );
  }
  const parsed = PluginSource.safeParse(plugin.source);
  if (!parsed.success) throw new SyncFailure("malformed_answer", "its source is of an unknown kind.");
  const source = parsed.data;
  const stated = { folder: plugin.name, publisher, tags: plugin.tags };
  if (source.source === "npm") return { ...stated, ...(await npmRelease(source, readers.client)) };
  const git = gitSourceOf(source);
  return { ...stated, ...(await gitRelease(git, readers.gitReader(git.repoUrl))), version: plugin.version ?? git.ref };
}

function gitSourceOf(source: Exclude<z.infer<typeof PluginSource>, { source: "npm" }>): GitSource {
  const { path = null, ref = null, sha = null } = source;
  const repoUrl = source.source === "github" ? githubAddress(source.repo) : source.url;
  const address = readGitAddress(repoUrl);
  if (address === null || address.scheme === "ssh") {
    throw new SyncFailure("address_not_allowed", "its address is not one of a git repository over https.");
  }
  const folder = path?.replace(/^\.?\/+|\/+$/g, "") ?? "";
  if (folder !== "" && !isRepositoryPath(folder))
    throw new SyncFailure("malformed_answer", "its folder is not a plain path.");
  if ((ref !== null && !isRef(ref)) || (sha !== null && !isGitSha(sha))) {
    throw new SyncFailure("ref_not_found", "its branch, tag or commit is not a valid name.");
  }
  return { repoUrl, path: folder === "" ? null : folder, ref, sha };
}

function githubAddress(name: string): string {
  const [owner = "", repo = "", more] = name.split("/");
  if (!isOwner(owner) || !isRepository(repo) || more !== undefined) {
    throw new SyncFailure("malformed_answer", `“${name.slice(0, 100)}” is not a repository on GitHub.`);
  }
  return `${githubHosts().webUrl}/${owner}/${repo}.git`;
}

/** Nothing is known of a plugin; with a memory, a listing has the sizes of files. */
const FRESH: ListingMemory = {
  async *formerFiles() {},
  async *formerSkills() {},
  keptTree: async () => null,
  keepTree: async () => undefined,
  wants: () => false,
  keepBlob: async () => undefined,
};

/** A pinned commit costs no request; a branch or tag is one `ls-remote`. */
async function gitRelease({ repoUrl, path, ref, sha }: GitSource, reader: SourceReader) {
  const commit = sha ?? (await resolve(reader, repoUrl, ref));
  const prefix = path === null ? "" : `${path}/`;
  const read = async (): Promise<ReadRelease> => {
    const listing = await reader.listTree({ sha: commit, treeSha: null }, { folder: path, etag: null, memory: FRESH });
    if (listing === "unchanged") throw new Error("unchanged without a tag");
    const files = listing.entries.filter((entry) => entry.type !== "tree" && entry.path.startsWith(prefix));
    return {
      entries: files.map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) })),
      blobs: (wanted) =>
        reader.readBlobs(
          { sha: commit },
          wanted.map((one) => ({ ...one, path: `${prefix}${one.path}` })),
          [],
        ),
    };
  };
  return { digest: `git:${commit}`, key: `${repoUrl} ${commit} ${path}`, read };
}

async function resolve(reader: SourceReader, repoUrl: string, ref: string | null): Promise<string> {
  const known = { owner: "", repo: repoUrl, ref, repositoryId: null, defaultBranch: null, identityCheckedAt: null };
  const { commit } = await reader.changedSince(
    { ...known, isPrivate: false, commit: null, commitEtag: null },
    new Date(),
  );
  if (commit === "unchanged") throw new Error("a repository without a known commit has changed");
  return commit.sha;
}

/** One request for the versions of the package; the archive must have the digest that they state. */
async function npmRelease(
  source: { package: string; version?: string | null | undefined; registry?: string | null | undefined },
  client: RegistryClient,
) {
  const { package: name } = source;
  if (!/^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i.test(name)) {
    throw new SyncFailure("malformed_answer", `“${name}” is not the name of a package.`);
  }
  const registry = (source.registry ?? NPM).replace(/\/$/, "");
  const answer = await client.json(`${registry}/${name.replace("/", "%2f")}`, {
    what: `the package ${name}`,
    schema: Packument,
  });
  if (answer === "unchanged") throw new Error("the host answered 304 to a request without a tag");
  const wanted = source.version ?? "latest";
  const version = answer.data["dist-tags"][wanted] ?? wanted;
  const dist = answer.data.versions[version]?.dist;
  if (dist === undefined)
    throw new SyncFailure("not_found", `the package ${name} has no version “${wanted}”. A range is not resolved.`);
  const { integrity, tarball } = dist;
  if (integrity === undefined)
    throw new SyncFailure("integrity", `the package ${name} ${version} has no digest that can be relied on.`);
  const read = async () => {
    const bytes = await client.bytes(tarball, name);
    assertDigest(bytes, integrity, `${name} ${version}`);
    return releaseOfFiles(await unpack(bytes, name, { isPackage: true }));
  };
  return { version, digest: integrity, key: `${name} ${integrity}`, read };
}
