import fs, { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert } from "./assert";
import type { Access, Client } from "./client";
import { type ClientFolders, readFirst } from "./client-folders";

type Repository = { fs: typeof fs; http: object; dir: string; headers: Record<string, string> };
type Remote = Repository & { url: string; ref: string; singleBranch: boolean; depth?: number };
type Git = {
  clone(options: Remote): Promise<void>;
  fetch(options: Remote): Promise<{ fetchHead: string | null }>;
  writeRef(options: Repository & { ref: string; value: string; force: boolean }): Promise<void>;
  checkout(options: Repository & { ref: string; force: boolean }): Promise<void>;
};

type Options = { name: string; folder: string; folders: ClientFolders; url: string; token: string };

/** The npm package `isomorphic-git`, another implementation of git: a clone is an install. */
export async function isomorphicGitClient({ name, folder: at, folders, url, token }: Options): Promise<Client> {
  const load = async (file: string) => (await import(pathToFileURL(join(at, file)).href)).default;
  const git: Git = await load("index.cjs");
  const http: object = await load("http/node/index.cjs");
  const remote = (dir: string, access: Access): Remote => ({
    ...{ fs, http, dir, url: `${url}/git/catalog.git`, ref: "main", singleBranch: true },
    headers: access === "owner" ? { authorization: `Bearer ${token}` } : {},
  });
  const clones = new Map<string, string>();
  const clone = async (access: Access, more: { depth?: number } = {}) => {
    const folder = join(folders.fresh("isomorphic-git"), "catalog");
    await git.clone({ ...remote(folder, access), ...more });
    return folder;
  };
  const cloneOf = (skill: string) => {
    const folder = clones.get(skill);
    if (folder === undefined) throw new Error(`${skill} was not installed`);
    return folder;
  };
  const read = (folder: string, skill: string) => readFirst(folder, `skills/${skill}/SKILL.md`);

  return {
    name,
    asks: ["anonymous", "owner"],
    removesRevoked: true,
    list: async (access) => readdirSync(join(await clone(access), "skills")).join("\n"),
    install: async (skill, access) => {
      const folder = await clone(access);
      const text = read(folder, skill);
      if (text !== null) clones.set(skill, folder);
      return text;
    },
    update: async (skill) => {
      const folder = cloneOf(skill);
      const { fetchHead } = await git.fetch(remote(folder, "anonymous"));
      assert(fetchHead !== null, "nothing was fetched");
      const repository = remote(folder, "anonymous");
      await git.writeRef({ ...repository, ref: "refs/heads/main", value: fetchHead, force: true });
      await git.checkout({ ...repository, ref: "main", force: true });
      return read(folder, skill);
    },
    remove: async (skill) => {
      rmSync(cloneOf(skill), { recursive: true });
      return !existsSync(cloneOf(skill));
    },
    extras: (skill) => [
      {
        title: "keeps executable bits",
        work: async () => {
          const mode = statSync(join(cloneOf(skill), "skills", skill, "scripts", "show.sh")).mode & 0o111;
          assert(mode !== 0, "the script cannot be executed");
        },
      },
      {
        title: "clones one commit only",
        work: async () => assert(read(await clone("anonymous", { depth: 1 }), skill) !== null, "the skill is missing"),
      },
    ],
  };
}
