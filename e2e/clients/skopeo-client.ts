import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { assert } from "./assert";
import type { Access, Client } from "./client";
import { type ClientFolders, readFirst } from "./client-folders";
import type { DebianProgram } from "./install-debian";
import { lastLines, runProgram, runWell } from "./run-program";

const Manifest = z.object({ layers: z.array(z.object({ digest: z.string() })).length(1) });
const Index = z.object({ manifests: z.array(z.object({ digest: z.string() })) });
const Catalog = z.object({ repositories: z.array(z.string()) });

const UNKNOWN = /unauthorized|authentication required|name unknown|manifest unknown|no such skill|was revoked/i;

type Options = {
  name: string;
  program: DebianProgram;
  folders: ClientFolders;
  url: string;
  token: string;
  publisher: string;
};

/** Debian's skopeo: a copy of `latest` into a folder is an install, and the owner's token is a password. */
export function skopeoClient({ name, program, folders, url, token, publisher }: Options): Client {
  const home = folders.fresh("skopeo-home");
  const env = folders.envIn(home, { ...program.env, TMPDIR: home });
  const host = new URL(url).host;
  const credentials = (access: Access) => (access === "owner" ? ["--src-creds", `ada:${token}`] : ["--src-no-creds"]);
  const copy = (from: string, to: string, access: Access) => [
    ...["--insecure-policy", "copy", "--src-tls-verify=false", ...credentials(access)],
    ...[`docker://${host}/${publisher}/${from}`, to],
  ];
  const skopeo = (...args: string[]) => runWell(program.command, args, { cwd: home, env });
  const installed = new Map<string, string>();

  /** Copies an artifact and unpacks its layer; null when the registry refuses it. */
  const fetchInto = async (folder: string, from: string, access: Access): Promise<string | null> => {
    const into = join(folder, "artifact");
    rmSync(into, { recursive: true, force: true });
    const { code, output } = await runProgram(program.command, copy(from, `dir:${into}`, access), { cwd: home, env });
    if (code !== 0) {
      if (!UNKNOWN.test(output)) throw new Error(lastLines(output));
      return null;
    }
    const { layers } = Manifest.parse(JSON.parse(readFileSync(join(into, "manifest.json"), "utf8")));
    const layer = join(into, layers[0]?.digest.replace("sha256:", "") ?? "");
    await runWell("tar", ["-xzf", layer, "-C", folder], { cwd: folder, env });
    return readFirst(folder, `${from.split(/[:@]/)[0]}/SKILL.md`);
  };
  const folderOf = (skill: string) => {
    const folder = installed.get(skill);
    if (folder === undefined) throw new Error(`${skill} was not installed`);
    return folder;
  };
  const rawManifest = (from: string) =>
    skopeo("inspect", "--raw", "--no-creds", "--tls-verify=false", `docker://${host}/${publisher}/${from}`);

  return {
    name,
    asks: ["anonymous", "owner"],
    removesRevoked: false,
    // It lists the tags of a repository, but no repositories.
    list: async (access) => {
      const headers = access === "owner" ? { authorization: `Bearer ${token}` } : undefined;
      const answer = await fetch(`${url}/v2/_catalog`, headers === undefined ? {} : { headers });
      return Catalog.parse(await answer.json()).repositories.join("\n");
    },
    install: async (skill, access) => {
      const folder = folders.fresh("skopeo");
      const text = await fetchInto(folder, `${skill}:latest`, access);
      if (text !== null) installed.set(skill, folder);
      return text;
    },
    update: (skill) => fetchInto(folderOf(skill), `${skill}:latest`, "anonymous"),
    pin: async (skill) => {
      const digest = createHash("sha256")
        .update(await rawManifest(`${skill}:latest`))
        .digest("hex");
      return () => fetchInto(folders.fresh("skopeo"), `${skill}@sha256:${digest}`, "anonymous");
    },
    remove: async (skill) => {
      const folder = join(folderOf(skill), skill);
      rmSync(folder, { recursive: true });
      return !existsSync(folder);
    },
    extras: (skill) => [
      {
        title: "lists the tags",
        work: async () => {
          const said = await skopeo(
            "list-tags",
            "--no-creds",
            "--tls-verify=false",
            `docker://${host}/${publisher}/${skill}`,
          );
          assert(said.includes('"1.0.0"') && said.includes('"latest"'), `it lists ${lastLines(said)}`);
        },
      },
      {
        title: "copies the same digest each time, into a folder and into an OCI layout",
        work: async () => {
          const digests = new Set<string>();
          for (const place of ["one", "two"]) {
            const into = join(folders.fresh("skopeo"), place);
            await skopeo(...copy(`${skill}:latest`, `dir:${into}`, "anonymous"));
            digests.add((await skopeo("manifest-digest", join(into, "manifest.json"))).trim());
          }
          const layout = join(folders.fresh("skopeo"), "layout");
          await skopeo(...copy(`${skill}:latest`, `oci:${layout}:latest`, "anonymous"));
          const { manifests } = Index.parse(JSON.parse(readFileSync(join(layout, "index.json"), "utf8")));
          for (const { digest } of manifests) digests.add(digest);
          assert(digests.size === 1, `it has ${[...digests].join(", ")}`);
        },
      },
      {
        title: "copies the approval that refers to the artifact",
        work: async () => {
          const digest = createHash("sha256")
            .update(await rawManifest(`${skill}:latest`))
            .digest("hex");
          const answer = await fetch(`${url}/v2/${publisher}/${skill}/referrers/sha256:${digest}`);
          const [referrer] = Index.parse(await answer.json()).manifests;
          assert(referrer !== undefined, "nothing refers to it");
          const into = join(folders.fresh("skopeo"), "approval");
          await skopeo(...copy(`${skill}@${referrer.digest}`, `dir:${into}`, "anonymous"));
        },
      },
      {
        title: "keeps executable bits",
        work: async () => {
          const mode = statSync(join(folderOf(skill), skill, "scripts", "show.sh")).mode & 0o111;
          assert(mode !== 0, "the script cannot be executed");
        },
      },
      {
        title: "may not push",
        work: async () => {
          const from = `dir:${join(folderOf(skill), "artifact")}`;
          const to = ["--dest-tls-verify=false", "--dest-creds", `ada:${token}`, from];
          const asked = ["--insecure-policy", "copy", ...to, `docker://${host}/${publisher}/${skill}:9.9.9`];
          const { code, output } = await runProgram(program.command, asked, { cwd: home, env });
          assert(code !== 0 && /read only/i.test(output), `a push was taken: ${lastLines(output)}`);
        },
      },
    ],
  };
}
