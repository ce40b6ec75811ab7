import { join } from "node:path";
import { pathToFileURL } from "node:url";
import JSZip from "jszip";
import { assert } from "./assert";
import type { Client } from "./client";
import { type ClientFolders, readFirst } from "./client-folders";

type Skill = { id: string; display_name: string; latest_version_id: string };
type Version = { id: string; skill_id: string; name: string; description: string };
type Sdk = new (options: {
  baseURL: string;
  apiKey: string | null;
  authToken?: string;
  maxRetries: number;
}) => {
  beta: {
    skills: {
      list(query?: { limit: number }): AsyncIterable<Skill>;
      retrieve(id: string): Promise<Skill>;
      create(body: { files: File[] }): Promise<unknown>;
      versions: {
        list(skillId: string, query?: { limit: number }): AsyncIterable<Version>;
        retrieve(id: string, of: { skill_id: string }): Promise<Version>;
        download(id: string, of: { skill_id: string }): Promise<Response>;
      };
    };
  };
};

/** Parts of the SDK's installer for the skills of an agent's session, which unpacks with the program unzip. */
type Installer = {
  setupSkills(ctx: {
    client: InstanceType<Sdk>;
    session: { agent: { skills: { skill_id: string; version: string }[] } };
    workdir: string;
  }): Promise<unknown>;
};

type Options = { name: string; folder: string; folders: ClientFolders; url: string; token: string };

/** Anthropic's SDK at the Skills API, with the owner's token: a download is an install, and another one an update. */
export async function anthropicClient({ name, folder, folders, url, token }: Options): Promise<Client> {
  const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
  const { default: Anthropic } = (await load("index.mjs")) as { default: Sdk };
  const installer = (await load("tools/agent-toolset/skills.mjs")) as Installer;
  const client = new Anthropic({ baseURL: url, apiKey: token, maxRetries: 0 });
  const { skills } = client.beta;

  const all = () => readAll(skills.list({ limit: 2 }));
  const find = async (skill: string) => (await all()).find((one) => one.display_name === skill);
  const download = async (version: string, skillId: string, skill: string) => {
    const response = await skills.versions.download(version, { skill_id: skillId }).catch(nullIfMissing);
    if (response === null) return null;
    const zip = await JSZip.loadAsync(await response.arrayBuffer(), { checkCRC32: true });
    return (await zip.file(`${skill}/SKILL.md`)?.async("text")) ?? null;
  };
  const install = async (skill: string) => {
    const found = await find(skill);
    return found === undefined ? null : download(found.latest_version_id, found.id, skill);
  };

  return {
    name,
    asks: ["owner"],
    removesRevoked: true,
    list: async () => (await all()).map((skill) => skill.display_name).join("\n"),
    install,
    update: install,
    pin: async (skill) => {
      const found = await find(skill);
      assert(found !== undefined, `${skill} is not in its list`);
      return () => download(found.latest_version_id, found.id, skill);
    },
    extras: (skill) => [
      {
        title: "reads the skill and its versions",
        work: async () => {
          const found = await find(skill);
          assert(found !== undefined, `${skill} is not in its list`);
          assert((await skills.retrieve(found.id)).display_name === skill, "it reads another skill");
          const versions = await readAll(skills.versions.list(found.id, { limit: 1 }));
          assert(versions[0]?.id === found.latest_version_id, "the newest version is another one");
          const version = await skills.versions.retrieve(found.latest_version_id, { skill_id: found.id });
          assert(version.name === skill && version.skill_id === found.id, "it reads another version");
        },
      },
      {
        title: "installs its latest version by the SDK’s installer",
        work: async () => {
          const found = await find(skill);
          const workdir = folders.fresh("anthropic");
          const session = { agent: { skills: [{ skill_id: found?.id ?? "", version: "latest" }] } };
          await installer.setupSkills({ client, session, workdir });
          const text = readFirst(workdir, `skills/${skill}/SKILL.md`);
          assert(text?.includes("Edition") === true, "it installed nothing");
        },
      },
      {
        title: "signs in by a bearer token too, and is refused with another key",
        work: async () => {
          const bearer = new Anthropic({ baseURL: url, apiKey: null, authToken: token, maxRetries: 0 });
          assert((await readAll(bearer.beta.skills.list())).length > 0, "it gets no list");
          const wrong = new Anthropic({ baseURL: url, apiKey: "sk-ant-wrong", maxRetries: 0 });
          const error = await failureOf(readAll(wrong.beta.skills.list()));
          assert(error.status === 401 && error.type === "authentication_error", `it is told ${JSON.stringify(error)}`);
        },
      },
      {
        title: "cannot create a skill",
        work: async () => {
          const file = new File(["---\nname: x\ndescription: y\n---\n"], "x/SKILL.md");
          const { status } = await failureOf(skills.create({ files: [file] }));
          assert(status === 405, `it is answered ${status}`);
        },
      },
    ],
  };
}

async function readAll<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** What the SDK's error says; it takes the type from the JSON of the answer. */
async function failureOf(asked: Promise<unknown>): Promise<{ status?: number; type?: string }> {
  const error: unknown = await asked.then(
    () => ({}),
    (thrown: unknown) => thrown,
  );
  return error as { status?: number; type?: string };
}

function nullIfMissing(error: unknown): null {
  if (typeof error === "object" && error !== null && "status" in error && error.status === 404) return null;
  throw error;
}
