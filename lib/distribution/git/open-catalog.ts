import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { cachedSettings } from "@/lib/settings/settings";
import { findUnservable } from "@/lib/skills/approval/check-servable";

import { getPackagedFiles } from "../build-archive";
import type { Viewer } from "../identify-viewer";
import { listApproved, listPublished } from "../list-published";
import { composeMarketplace, folderOf, nameMarketplace } from "../marketplace";
import { describePublished, type Published } from "../published";
import { nameVersions } from "../version-names";
import { type Snapshot, type SnapshotContent, type SnapshotFile, writeSnapshot } from "./write-snapshot";

/** Views (viewer and scope) whose repository is kept. */
const MAX_VIEWS = 64;

type Repository = { folder: string; made: Promise<Snapshot>; users: number };

type Store = { views: LRUCache<string, string>; repositories: Map<string, Repository>; cleared: Promise<void> | null };

export type OpenSnapshot = {
  folder: string;
  commits: Snapshot["commits"];
  /** Releases the repository, which is removed once no view or reader needs it. */
  close(): void;
};

type Wanted = {
  dataDir: string;
  /** Viewer and scope; each view keeps its newest repository only. */
  view: string;
  key: string;
  content: SnapshotContent;
};

// Characters that HFS+ ignores in file names.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const READ_BY_GIT = /^(?:\.git(?:modules)?|git~\d+|gi7eba~\d+)[ .]*(?::.*)?$/i;

/** Raise it when the same skills would be written differently. */
const FORMAT = 2;

type Catalog = {
  name: string;
  instance: string;
  /** Content of the branch: the active version of each skill, by name. */
  skills: Published[];
  /** Every approved version; each can be fetched by its commit. */
  versions: Published[];
  names: Map<string, string>;
};

// Keeps clients from converting line ends of reviewed files.
const ATTRIBUTES: SnapshotFile = file(".gitattributes", "* -text\n");

/** Opens the repository of what the viewer is offered now. Call `close` after use. */
export async function openCatalog(viewer: Viewer): Promise<{ catalog: Catalog; snapshot: OpenSnapshot }> {
  const catalog = await readCatalog(viewer);
  const { key, content } = composeCatalog(viewer.ctx, catalog);
  const view = JSON.stringify([viewer.isPublic ? "public" : viewer.key, viewer.scope]);
  const snapshot = await openSnapshot({ dataDir: viewer.ctx.database.workFolder, view, key, content });
  return { catalog, snapshot };
}

/** Content of a viewer's repository, without versions whose stored files differ from the approved ones. */
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

/** A clone sends many requests; each problem is logged once. */
function warnOnce(tampered: ReadonlyMap<string, string>): void {
  const logged = processStore("git-left-out", () => new LRUCache<string, string>({ max: MAX_WARNED }));
  for (const [versionId, problem] of tampered) {
    if (logged.get(versionId) === problem) continue;
    logged.set(versionId, problem);
    logger.warn(
      { versionId, problem },
      "a version was left out of the git repository: it differs from the approved one",
    );
  }
}

function composeCatalog(ctx: Ctx, catalog: Catalog): { key: string; content: SnapshotContent } {
  const versions = catalog.versions.map((one) => ({
    id: one.version.id,
    message: `${one.name} ${catalog.names.get(one.version.id) ?? one.version.number}\n`,
    // The creation time: approving the same version again must not change its commit.
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
  const files = await getPackagedFiles(ctx, one);
  return [ATTRIBUTES, ...files.map(({ path, mode, bytes }) => ({ path: `${folderOf(one)}/${path}`, mode, bytes }))];
}

/** The branch commit of the versions that could be written, dated by the newest decision. */
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

/** Codex reads the marketplace at another path. Sources are folders of the repository, without URLs or secrets. */
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
 * Whether git clients accept the file names. Git rejects a whole clone for one path that resembles its own files on any
 * file system, so such a skill is left out.
 */
export function fitsGit({ files }: Pick<Published, "files">): boolean {
  return files.every(({ path }) =>
    path.split(/[/\\]/).every((part) => !READ_BY_GIT.test(part.replaceAll(IGNORED, ""))),
  );
}

/**
 * Opens the repository of a view, written at the first request for its content. Views with equal content share it. The
 * former repository of the view is removed.
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
    // Incomplete: the next request tries again.
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

/** Repositories of an earlier process may be incomplete. */
async function clear(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const name of await readdir(root)) await rm(join(root, name), { recursive: true, force: true });
}

function begin(store: Store, { root, key, content }: { root: string; key: string; content: SnapshotContent }) {
  // Unique, since a folder with the same content may be under removal.
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
