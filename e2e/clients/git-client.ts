import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { assert } from "./assert";
import type { Access, Client } from "./client";
import { type ClientFolders, readFirst } from "./client-folders";
import { runProgram, runWell } from "./run-program";

const Source = z.object({ url: z.string(), path: z.string(), ref: z.string(), sha: z.string() });
const Marketplace = z.object({ plugins: z.array(z.object({ name: z.string(), source: Source })) });

type Options = { name: string; folders: ClientFolders; url: string; token: string };

/** The system's git: a clone is an install, and the owner's token is an HTTP header. */
export function gitClient({ name, folders, url, token }: Options): Client {
  const home = folders.fresh("git-home");
  const env = folders.envIn(home);
  const address = `${url}/git/catalog.git`;
  const asOwner = ["-c", `http.extraHeader=Authorization: Bearer ${token}`];
  const git = (cwd: string, ...args: string[]) => runWell("git", args, { cwd, env });
  const clones = new Map<string, string>();
  const clone = async (access: Access) => {
    const folder = join(folders.fresh("git"), "catalog");
    await git(home, ...(access === "owner" ? asOwner : []), "clone", "-q", address, folder);
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
    list: async (access) => {
      const folder = join(await clone(access), "skills");
      return existsSync(folder) ? readdirSync(folder).join("\n") : "";
    },
    install: async (skill, access) => {
      const folder = await clone(access);
      const text = read(folder, skill);
      if (text !== null) clones.set(skill, folder);
      return text;
    },
    update: async (skill) => {
      const folder = cloneOf(skill);
      const held = (await git(folder, "rev-parse", "HEAD")).trim();
      await git(folder, "fetch", "-q", "origin");
      await git(folder, "reset", "-q", "--hard", "origin/HEAD");
      const now = (await git(folder, "rev-parse", "HEAD")).trim();
      if (now !== held) {
        const old = await runProgram("git", ["fetch", "-q", address, held], { cwd: folders.fresh("git"), env });
        assert(old.code !== 0, "what was replaced can still be fetched");
      }
      return read(folder, skill);
    },
    pin: async (skill) => {
      const answer = await fetch(`${url}/marketplace.json`);
      const source = Marketplace.parse(await answer.json()).plugins.find(({ name: other }) => other === skill)?.source;
      assert(source !== undefined, `${skill} is not in the marketplace`);
      return async () => {
        // As Claude Code does: a clone of the branch, then the pinned commit.
        const folder = join(folders.fresh("git"), "plugin");
        const shallow = ["--depth", "1", "--filter=blob:none"];
        await git(home, "clone", "-q", ...shallow, "--no-checkout", "--branch", source.ref, source.url, folder);
        const asked = ["fetch", "-q", ...shallow, "origin", source.sha];
        const fetched = await runProgram("git", asked, { cwd: folder, env });
        if (fetched.code !== 0) return null;
        await git(folder, "checkout", "-q", source.sha);
        return readFirst(folder, `${source.path}/SKILL.md`);
      };
    },
    remove: async (skill) => {
      const folder = cloneOf(skill);
      rmSync(folder, { recursive: true });
      return !existsSync(folder);
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
        title: "may not push",
        work: async () => {
          const folder = cloneOf(skill);
          const { code } = await runProgram("git", ["push", "origin", "HEAD:refs/heads/other"], { cwd: folder, env });
          assert(code !== 0, "a push was taken");
        },
      },
      {
        title: "clones one commit only, and without blobs",
        work: async () => {
          const into = folders.fresh("git");
          await git(into, "clone", "-q", "--depth", "1", "--filter=blob:none", address, "catalog");
          const found = await git(join(into, "catalog"), "rev-list", "--count", "HEAD");
          assert(found.trim() === "1", `it has ${found.trim()} commits`);
        },
      },
    ],
  };
}
