import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { assert } from "./assert";
import type { Access, Client } from "./client";
import { type ClientFolders, readFirst } from "./client-folders";
import { runProgram, runWell } from "./run-program";

type Options = {
  name: string;
  node: string;
  program: string;
  folders: ClientFolders;
  /** Address for anonymous callers and for the owner; the latter is a capability URL, as this client sends no token. */
  sources: Record<Access, string>;
  searchAt: string;
  /** From 1.6 on it updates skills from an index; earlier only those from GitHub, so skills have to be added again. */
  canUpdate: boolean;
  git: string;
};

/** `npx skills`, which reads the well-known indexes. */
export function skillsClient({ name, node, program, folders, sources, searchAt, canUpdate, git }: Options): Client {
  const home = folders.fresh("skills-home");
  const env = folders.envIn(home, { SKILLS_API_URL: searchAt });
  const projects = new Map<string, string>();
  const read = (project: string, skill: string) =>
    readFirst(project, `.agents/skills/${skill}/SKILL.md`, `.claude/skills/${skill}/SKILL.md`);
  const add = (cwd: string, from: string, ...args: string[]) =>
    runProgram(node, [program, "add", from, ...args, "-a", "claude-code", "-y"], { cwd, env });
  const projectOf = (skill: string) => {
    const project = projects.get(skill);
    if (project === undefined) throw new Error(`${skill} was not installed`);
    return project;
  };

  const installFrom = async (source: string, skill: string, wanted: string) => {
    const project = folders.fresh("skills");
    const { output } = await add(project, source, "--skill", wanted);
    const text = read(project, skill);
    if (text !== null) projects.set(skill, project);
    else if (!/no (?:matching |well-known )?skills? found|no skills|not found|did not match/i.test(output))
      throw new Error(output.trim().slice(-400));
    return text;
  };

  return {
    name,
    asks: ["anonymous", "owner"],
    removesRevoked: false,
    // The program exits with code 1 and a message when there is no skill.
    list: async (access) =>
      (await runProgram(node, [program, "add", sources[access], "--list"], { cwd: folders.fresh("skills"), env }))
        .output,
    search: (word) => runWell(node, [program, "find", word], { cwd: home, env }),
    install: (skill, access) => installFrom(sources[access], skill, skill),
    update: async (skill) => {
      const project = projectOf(skill);
      const before = read(project, skill);
      await runProgram(node, [program, "update", "-y", "-p"], { cwd: project, env });
      if (!canUpdate) {
        assert(read(project, skill) === before, "its update works: say so in docs/distribution.md");
        await add(project, sources.anonymous, "--skill", skill);
      }
      return read(project, skill);
    },
    remove: async (skill) => {
      const project = projectOf(skill);
      await runWell(node, [program, "remove", skill, "-y"], { cwd: project, env });
      return !existsSync(join(project, ".agents/skills", skill)) && !existsSync(join(project, ".claude/skills", skill));
    },
    extras: (skill) => [
      {
        title: "drops executable bits",
        work: async () => {
          const script = join(projectOf(skill), ".agents/skills", skill, "scripts/show.sh");
          const copy = existsSync(script) ? script : join(projectOf(skill), ".claude/skills", skill, "scripts/show.sh");
          assert((statSync(copy).mode & 0o111) === 0, "it keeps them: say so in docs/distribution.md");
        },
      },
      {
        title: canUpdate
          ? "writes the address of a capability URL into its lock file"
          : "writes no address of a capability URL into a lock file",
        work: async () => {
          const project = folders.fresh("skills");
          await add(project, sources.owner, "--skill", skill);
          const lock = readFirst(project, "skills-lock.json") ?? "";
          assert(lock.includes(new URL(sources.owner).pathname) === canUpdate, `it says now: ${lock.slice(0, 400)}`);
        },
      },
      {
        title: canUpdate ? "refuses a scope that is not there" : "installs the whole index where a scope is not there",
        work: async () => {
          const project = folders.fresh("skills");
          await add(project, `${sources.anonymous}/s/nobody/none`, "--skill", "*");
          const isThere = read(project, skill) !== null;
          assert(isThere !== canUpdate, isThere ? "it installed the index of the root" : "it installed nothing");
        },
      },
      {
        title: "installs from the address that its search answers",
        work: async () => {
          const found = await runWell(node, [program, "find", skill], { cwd: home, env });
          const scope = new RegExp(`(http://\\S+)@${skill}`).exec(found)?.[1];
          assert(scope !== undefined, `its search names no address: ${found}`);
          assert((await installFrom(scope, skill, "*")) !== null, `nothing came from ${scope}`);
        },
      },
      {
        title: "installs from the git repository",
        work: async () => {
          assert((await installFrom(git, skill, skill)) !== null, `nothing came from ${git}`);
        },
      },
    ],
  };
}
