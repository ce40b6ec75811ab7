import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "./assert";
import type { Access, Client } from "./client";
import { type ClientFolders, readFirst } from "./client-folders";
import { lastLines, runProgram, runWell } from "./run-program";

type Options = { name: string; node: string; program: string; folders: ClientFolders; url: string; token: string };

/** The `clawhub` program: signed in with a token for the owner, not signed in for anonymous callers. */
export async function clawhubClient({ name, node, program, folders, url, token }: Options): Promise<Client> {
  const homes: Record<Access, string> = { anonymous: folders.fresh("claw-home"), owner: folders.fresh("claw-home") };
  const run = (access: Access, cwd: string, ...args: string[]) =>
    runProgram(node, [program, "--no-input", ...args], {
      cwd,
      env: folders.envIn(homes[access], { CLAWHUB_SITE: url }),
    });
  const runAs = (access: Access, cwd: string, ...args: string[]) =>
    runWell(node, [program, "--no-input", ...args], { cwd, env: folders.envIn(homes[access], { CLAWHUB_SITE: url }) });
  const projects = new Map<string, string>();
  const read = (project: string, skill: string) => readFirst(project, `skills/${skill}/SKILL.md`);
  const projectOf = (skill: string) => {
    const project = projects.get(skill);
    if (project === undefined) throw new Error(`${skill} was not installed`);
    return project;
  };
  await runAs("owner", homes.owner, "login", "--token", token, "--no-browser");

  return {
    name,
    asks: ["anonymous", "owner"],
    removesRevoked: false,
    list: (access) => runAs(access, homes[access], "explore", "--limit", "50"),
    search: (word, access) => runAs(access, homes[access], "search", word),
    install: async (skill, access) => {
      const project = folders.fresh("claw");
      const { output } = await run(access, project, "install", skill);
      const text = read(project, skill);
      if (text !== null) projects.set(skill, project);
      else if (!/not found|no skill|revoked|gone|no longer|withdrawn|flagged as malware/i.test(output))
        throw new Error(lastLines(output));
      return text;
    },
    update: async (skill) => {
      const project = projectOf(skill);
      await run("anonymous", project, "update", "--all");
      return read(project, skill);
    },
    installTogether: async (skills) => {
      const project = folders.fresh("claw");
      for (const skill of skills) await runAs("anonymous", project, "install", skill);
      return async () => {
        await runAs("anonymous", project, "update", "--all");
        return skills.map((skill) => read(project, skill));
      };
    },
    remove: async (skill) => {
      const project = projectOf(skill);
      await runAs("anonymous", project, "uninstall", skill, "--yes");
      return !existsSync(join(project, "skills", skill));
    },
    publish: async (skill, text) => {
      const folder = join(folders.fresh("claw"), skill);
      mkdirSync(folder);
      writeFileSync(join(folder, "SKILL.md"), text);
      const asked = ["skill", "publish", folder, "--slug", skill, "--name", skill, "--version", "1.0.0", "--json"];
      const said = await runAs("owner", folder, ...asked);
      assert(/pending/.test(said), `it does not say that it waits: ${lastLines(said)}`);
    },
    extras: (skill) => [
      {
        title: "knows who it is signed in as",
        work: () => runAs("owner", homes.owner, "whoami"),
      },
      {
        title: "inspects and verifies what it would install",
        work: async () => {
          const said = await runAs("anonymous", homes.anonymous, "inspect", skill, "--files", "--versions");
          assert(said.includes("SKILL.md"), `it names no files: ${lastLines(said)}`);
          return runAs("anonymous", homes.anonymous, "skill", "verify", skill);
        },
      },
      {
        title: "drops executable bits",
        work: async () => {
          const script = join(projectOf(skill), "skills", skill, "scripts", "show.sh");
          assert((statSync(script).mode & 0o111) === 0, "it keeps them: say so in docs/distribution.md");
        },
      },
      {
        title: "stars a skill",
        work: () => runAs("owner", homes.owner, "star", skill, "--yes"),
      },
    ],
  };
}
