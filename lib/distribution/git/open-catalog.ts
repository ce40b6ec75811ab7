import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { cachedSettings } from "@/lib/settings/settings";
import { findUnservable } from "@/lib/skills/approval/check-servable";

import { filesOf } from "../archive-of";
import { listApproved, listPublished } from "../list-published";
import { composeMarketplace, folderOf, nameMarketplace } from "../marketplace";
import { describePublished, type Published } from "../published";
import { nameVersions } from "../version-names";
import type { Viewer } from "../viewer-of";
import { type Snapshot, type SnapshotContent, type SnapshotFile, writeSnapshot } from "./write-snapshot";

/** Views (a viewer and what they look at) whose repository is kept at the same time. */
const MAX_VIEWS = 64;

type Repository = { folder: string; made: Promise<Snapshot>; users: number };

type Store = { views: LRUCache<string, string>; repositories: Map<string, Repository>; cleared: Promise<void> | null };

export type OpenSnapshot = {
  folder: string;
  /** The commit of each version, by version id. */
  commits: Snapshot["commits"];
  /** Gives it back: a repository that no view needs any more goes when nobody reads it. */
  close(): void;
};

type Wanted = {
  /** The instance's data directory. */
  dataDir: string;
  /** Who looks at what: a view has one repository, its newest. */
  view: string;
  /** Hash of all that the repository holds. */
  key: string;
  content: SnapshotContent;
};

// What HFS+ ignores in names.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const READ_BY_GIT = /^(?:\.git(?:modules)?|git~\d+|gi7eba~\d+)[ .]*(?::.*)?$/i;

/** Raised when the same skills would be written in another way. */
const FORMAT = 2;

type Catalog = {
  /** What it is called as a marketplace. */
  name: string;
  instance: string;
  /** What the branch holds, by name: of each skill the version that serves. */
  skills: Published[];
  /** What can be fetched by its commit: every approved version. */
  versions: Published[];
  /** Version names by version id. */
  names: Map<string, string>;
};

// No client changes line ends of what was reviewed.
const ATTRIBUTES: SnapshotFile = file(".gitattributes", "* -text\n");

/** The repository of what the viewer is offered at this moment; asked anew at each request. Close it. */
export async function openCatalog(viewer: Viewer): Promise<{ catalog: Catalog; snapshot: OpenSnapshot }> {
  const catalog = await readCatalog(viewer);
  const { key, content } = composeCatalog(viewer.ctx, catalog);
  const view = JSON.stringify([viewer.isPublic ? "public" : viewer.key, viewer.scope]);
  const snapshot = await openSnapshot({ dataDir: viewer.ctx.database.workFolder, view, key, content });
  return { catalog, snapshot };
}

/** What the repository of a viewer holds at this moment. Left out is what is not stored as it was approved. */
async function readCatalog({ ctx, scope, base }: Viewer): Promise<Catalog> {
  const all = (await listApproved(ctx, scope)).filter(fitsGit);
  const unsound = await findUnservable(ctx, all);
  warnOnce(unsound);
  const versions = all.filter(({ version }) => !unsound.has(version.id));
  const known = new Set(versions.map(({ version }) => version.id));
  const skills = (await listPublished(ctx, scope)).filter(({ version }) => known.has(version.id));
  const ids = [...new Set(versions.map(({ skill }) => skill.id))];
  const [settings, names] = [await cachedSettings(ctx), await nameVersions(ctx, ids)];
  const name = nameMarketplace(settings.marketplaceName, { scope, base });
  return { name, instance: settings.instanceName, skills, versions, names };
}

const MAX_WARNED = 10_000;

/** A clone asks many times, and the log needs to say each problem once. */
function warnOnce(unsound: ReadonlyMap<string, string>): void {
  const said = processStore("git-left-out", () => new LRUCache<string, string>({ max: MAX_WARNED }));
  for (const [versionId, problem] of unsound) {
    if (said.get(versionId) === problem) continue;
    said.set(versionId, problem);
    logger.warn({ versionId, problem }, "a version was left out of the git repository: it is not what was approved");
  }
}

/** The same as the content of a repository, and the hash of all that goes into it. */
function composeCatalog(ctx: Ctx, catalog: Catalog): { key: string; content: SnapshotContent } {
  const versions = catalog.versions.map((one) => ({
    id: one.version.id,
    message: `${one.name} ${catalog.names.get(one.version.id) ?? one.version.number}\n`,
    // When it came in: a second approval of the same version, under other terms, must not change its commit.
    seconds: Math.floor(one.version.createdAt.getTime() / 1000),
    files: () => filesOfVersion(ctx, one),
  }));
  const branch = (written: ReadonlySet<string>) => branchOf(catalog, written);
  const { seconds, message, files } = branch(new Set(versions.map(({ id }) => id)));
  const key = sha256Hex(
    JSON.stringify([
      [FORMAT, seconds, message],
      files.map(({ path, bytes }) => [path, sha256Hex(bytes)]),
      catalog.skills.map(({ version }) => version.id),
      catalog.versions.map((one, index) => [
        [one.version.id, folderOf(one), versions[index]?.seconds, versions[index]?.message],
        one.files.map(({ path, mode, sha256 }) => [path, mode, sha256]),
      ]),
    ]),
  );
  return { key, content: { versions, branch } };
}

async function filesOfVersion(ctx: Ctx, one: Published): Promise<SnapshotFile[]> {
  const files = await filesOf(ctx, one);
  return [ATTRIBUTES, ...files.map(({ path, mode, bytes }) => ({ path: `${folderOf(one)}/${path}`, mode, bytes }))];
}

/** The commit of the branch, dated by the newest decision, of the versions that could be written. */
function branchOf(catalog: Catalog, written: ReadonlySet<string>): ReturnType<SnapshotContent["branch"]> {
  const skills = catalog.skills.filter(({ version }) => written.has(version.id));
  const dates = skills.map(({ version }) => (version.decidedAt ?? version.createdAt).getTime());
  return {
    seconds: Math.floor(Math.max(0, ...dates) / 1000),
    message: `${skills.length} approved ${skills.length === 1 ? "skill" : "skills"}\n`,
    versions: skills.map(({ version }) => version.id),
    files: ownFiles({ ...catalog, skills }),
  };
}

/** Codex reads the same marketplace at a place of its own. Within the repository a source is a folder: no address, no secret. */
function ownFiles(catalog: Catalog): SnapshotFile[] {
  const marketplace = json(composeMarketplace({ ...catalog, sourceOf: (one) => `./${folderOf(one)}` }));
  const titles = [...new Set(catalog.skills.map(({ skill }) => skill.category))].sort();
  const groupings = titles.map((title) => ({
    title,
    skills: catalog.skills.filter(({ skill }) => skill.category === title).map(({ name }) => name),
  }));
  return [
    file(".agents/plugins/marketplace.json", marketplace),
    file(".claude-plugin/marketplace.json", marketplace),
    ATTRIBUTES,
    file("README.md", readme(catalog)),
    file("skills.sh.json", json({ groupings })),
  ];
}

function file(path: string, text: string): SnapshotFile {
  return { path, mode: "644", bytes: new TextEncoder().encode(text) };
}

function readme({ instance, skills, names }: Catalog): string {
  const intro = `# Skills of ${instance}\n\nEach was reviewed and approved. This is what is approved now; there is no history.\n`;
  const lines = skills.map((one) => {
    const version = names.get(one.version.id) ?? "";
    return `- [${one.name}](${folderOf(one)}/SKILL.md) ${version}: ${describePublished(one).replaceAll(/\s+/g, " ")}`;
  });
  return `${[intro, ...lines].join("\n")}\n`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Whether a skill can lie in a repository that every client checks out. Git refuses a whole clone in which one path looks
 * like its own files on any file system, so such a skill is left out.
 */
export function fitsGit({ files }: Pick<Published, "files">): boolean {
  return files.every(({ path }) =>
    path.split(/[/\\]/).every((part) => !READ_BY_GIT.test(part.replaceAll(IGNORED, ""))),
  );
}

/**
 * The repository of what a view shows now, made at the first request for this content. Equal content is one repository,
 * whoever looks. What a view showed before is removed, so nothing of it can be reached.
 */
async function openSnapshot({ dataDir, view, key, content }: Wanted): Promise<OpenSnapshot> {
  const root = join(dataDir, "git-snapshots");
  const store = storeOf(root);
  store.cleared ??= clear(root);
  await store.cleared;
  const repository = store.repositories.get(key) ?? begin(store, { root, key, content });
  repository.users += 1;
  store.views.set(view, key);
  sweep(store);
  const close = once(() => {
    repository.users -= 1;
    if (repository.users === 0 && store.repositories.get(key) !== repository) remove(repository);
    sweep(store);
  });
  try {
    const { commits, isWhole } = await repository.made;
    // What could not be read may be readable again: the next request tries anew.
    if (!isWhole && store.repositories.get(key) === repository) store.repositories.delete(key);
    return { folder: repository.folder, commits, close };
  } catch (error) {
    if (store.repositories.get(key) === repository) store.repositories.delete(key);
    close();
    throw error;
  }
}

function storeOf(root: string): Store {
  const stores = processStore("git-snapshots", () => new Map<string, Store>());
  const store = stores.get(root) ?? {
    views: new LRUCache<string, string>({ max: MAX_VIEWS }),
    repositories: new Map(),
    cleared: null,
  };
  stores.set(root, store);
  return store;
}

/** What an earlier process left is not trusted to be whole. */
async function clear(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const name of await readdir(root)) await rm(join(root, name), { recursive: true, force: true });
}

function begin(store: Store, { root, key, content }: { root: string; key: string; content: SnapshotContent }) {
  // A folder of its own each time: one of the same content may be on its way out.
  const folder = join(root, `${key}-${process.hrtime.bigint().toString(36)}`);
  const repository: Repository = { folder, made: writeSnapshot(folder, content), users: 0 };
  store.repositories.set(key, repository);
  return repository;
}

function sweep(store: Store): void {
  const needed = new Set(store.views.values());
  for (const [key, repository] of store.repositories) {
    if (repository.users > 0 || needed.has(key)) continue;
    store.repositories.delete(key);
    remove(repository);
  }
}

function remove({ folder }: Repository): void {
  void rm(folder, { recursive: true, force: true }).catch(() => {});
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
