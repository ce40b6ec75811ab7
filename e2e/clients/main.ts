import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startApp } from "../fixtures/start-app";
import { anthropicClient } from "./anthropic-client";
import { checkProtocols } from "./check-protocols";
import { clawhubClient } from "./clawhub-client";
import type { Client } from "./client";
import { createClientFolders } from "./client-folders";
import { type DamagingProxy, damagingProxy } from "./damaging-proxy";
import { gitClient } from "./git-client";
import { installDebian } from "./install-debian";
import { doesNpmAnswer, installPackage, type Missing, PACKAGES } from "./install-packages";
import { isomorphicGitClient } from "./isomorphic-git-client";
import { connectSession, connectStateless, mcpClient } from "./mcp-client";
import { playScenario } from "./scenario";
import { createScoreboard } from "./scoreboard";
import { skillsClient } from "./skills-client";
import { skopeoClient } from "./skopeo-client";
import { createWorld } from "./world";

const CONTROLS = ["digest", "revocation"];
/** Variables of the caller would change the tested product. */
const OPERATORS_OWN = /^(SKILLGATE_|NEXTAUTH_|DATABASE_URL$|PUBLIC_URL$|HOST$|NODE_ENV$)/;

/**
 * `skills` asks GitHub whether an added address is a public repository there: 1.3.9 names the end of the host's name, 1.5.18 the path
 * of the address, with the token of a capability URL. docs/distribution.md says so.
 */
const SKILLS_ASKS_GITHUB = /^api\.github\.com, by: add /;
/** `skills` 1.5.18 asks its maker for an audit of skills from a git address, and sends the path of the address and their names. */
const SKILLS_ASKS_FOR_AUDITS = /^add-skill\.vercel\.sh, by: add \S+\.git /;

const { values, positionals } = parseArgs({
  options: { control: { type: "boolean", default: false }, only: { type: "string" }, skills: { type: "string" } },
  allowPositionals: true,
});
const [which = "digest", ...others] = positionals;
if (!CONTROLS.includes(which) || others.length > 0 || (positionals.length > 0 && !values.control)) {
  console.error(
    `usage: npm run e2e:clients -- [--only CLIENT,…] [--skills FOLDER] [--control [${CONTROLS.join("|")}]]`,
  );
  process.exit(2);
}
for (const name of Object.keys(process.env)) if (OPERATORS_OWN.test(name)) delete process.env[name];
process.exitCode = await main(values.control ? which : null, values.only?.split(",") ?? null);

/** Runs third-party clients against the product as `npm start` starts it. Returns the exit code: 1 when a step fails. */
async function main(control: string | null, only: string[] | null): Promise<number> {
  const board = createScoreboard();
  const folders = createClientFolders();
  console.log("Installing the clients into .build/clients …");
  const found = {
    oldSkills: await installPackage(PACKAGES.oldSkills),
    middleSkills: await installPackage(PACKAGES.middleSkills),
    skills: await installPackage(PACKAGES.skills),
    clawhub: await installPackage(PACKAGES.clawhub),
    anthropic: await installPackage(PACKAGES.anthropic),
    isomorphicGit: await installPackage(PACKAGES.isomorphicGit),
    mcpClient: await installPackage(PACKAGES.mcpClient),
    sigstore: await installPackage(PACKAGES.sigstore),
    conformance: await installPackage(PACKAGES.conformance),
    inspector: await installPackage(PACKAGES.inspector),
    node: await installPackage(PACKAGES.node),
    git: await findGit(),
    skopeo: await installDebian("skopeo", ["libgpgme11"]),
  };
  console.log("Starting the product …");
  const app = await startApp();
  let proxy: DamagingProxy | null = null;
  const clients: Client[] = [];
  try {
    const world = await createWorld(app);
    proxy = control === "digest" ? await damagingProxy(app.url) : null;
    const origin = proxy?.url ?? app.url;
    const isWanted = (name: string) => only === null || only.some((word) => name.includes(word));
    /** A client that cannot be installed counts as failed, unless the machine does not reach npm at all. */
    const add = async (name: string, needs: (object | Missing)[], open: () => Client | Promise<Client>) => {
      if (!isWanted(name)) return;
      const lacking = needs.find((need): need is Missing => "missing" in need);
      if (lacking?.isNpmThere) return board.fail(name, "is installed", lacking.missing);
      if (lacking) return board.skip(name, "everything", lacking.missing);
      await board.step(name, "is installed and starts", async () => clients.push(await open()));
    };
    const folderOf = (entry: { folder: string } | Missing) => ("folder" in entry ? entry.folder : "");
    const newNode = join(folderOf(found.node), "bin", "node");
    const shared = {
      folders,
      sources: { anonymous: origin, owner: origin + new URL(world.capability).pathname },
      searchAt: app.url,
      git: `${app.url}/git/catalog.git`,
    };
    for (const [name, entry] of [
      [PACKAGES.oldSkills, found.oldSkills],
      [PACKAGES.middleSkills, found.middleSkills],
    ] as const) {
      await add(name, [entry], () =>
        skillsClient({
          ...{ ...shared, name, node: process.execPath, canUpdate: false },
          program: join(folderOf(entry), "bin", "cli.mjs"),
        }),
      );
    }
    await add(PACKAGES.skills, [found.skills, found.node], () =>
      skillsClient({
        ...{ ...shared, name: PACKAGES.skills, node: newNode, canUpdate: true },
        program: join(folderOf(found.skills), "bin", "cli.mjs"),
      }),
    );
    await add(PACKAGES.clawhub, [found.clawhub, found.node], () =>
      clawhubClient({
        ...{ folders, url: app.url, token: world.token, name: PACKAGES.clawhub, node: newNode },
        program: join(folderOf(found.clawhub), "bin", "clawdhub.js"),
      }),
    );
    await add("Anthropic SDK", [found.anthropic], () =>
      anthropicClient({
        ...{ folders, url: app.url, token: world.token, name: "Anthropic SDK" },
        folder: folderOf(found.anthropic),
      }),
    );
    await add("git", [found.git], () => gitClient({ name: "git", folders, url: app.url, token: world.token }));
    await add(PACKAGES.isomorphicGit, [found.git, found.isomorphicGit], () =>
      isomorphicGitClient({
        ...{ folders, url: app.url, token: world.token, name: PACKAGES.isomorphicGit },
        folder: folderOf(found.isomorphicGit),
      }),
    );
    await add("skopeo", [found.skopeo], () => {
      if ("missing" in found.skopeo) throw new Error(found.skopeo.missing);
      const { token, publisher } = world;
      return skopeoClient({ name: "skopeo", program: found.skopeo, folders, url: origin, token, publisher });
    });
    const given = { url: app.url, token: world.token };
    await add("MCP SDK", [], async () => mcpClient("MCP SDK", await connectSession(given)));
    await add("MCP client 2", [found.mcpClient], async () =>
      mcpClient("MCP client 2", await connectStateless({ ...given, folder: folderOf(found.mcpClient) })),
    );

    if (control === null) await checkProtocols({ board, folders, found, isWanted, realSkills: values.skills });
    await playScenario({ world, clients, board, skipsRevocation: control === "revocation" });
    await board.step("all", "reach no machine but this one", async () => {
      const hosts = folders
        .foreignHosts()
        .filter((line) => !SKILLS_ASKS_GITHUB.test(line) && !SKILLS_ASKS_FOR_AUDITS.test(line));
      if (hosts.length > 0) throw new Error(hosts.join(", "));
    });
  } finally {
    for (const client of clients) await client.close?.().catch(() => {});
    proxy?.close();
    await app.stop();
    app.remove();
    folders.remove();
  }
  console.log(board.summary());
  return board.counts.failed > 0 ? 1 : 0;
}

async function findGit(): Promise<object | Missing> {
  if (spawnSync("git", ["--version"]).status === 0) return {};
  return { missing: "the program git is not installed", isNpmThere: await doesNpmAnswer() };
}
