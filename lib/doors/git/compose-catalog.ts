import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import { cachedSettings } from "@/lib/settings/cached-settings";
import { filesOf } from "../archive-of";
import { describePublished } from "../describe-published";
import { listPublished } from "../list-published";
import { composeMarketplace, folderOf } from "../marketplace/compose-marketplace";
import { nameMarketplace } from "../marketplace/name-marketplace";
import type { Published } from "../published";
import { nameVersions } from "../version-names/name-versions";
import type { DoorViewer } from "../viewer-of";
import { fitsGit } from "./fits-git";
import type { SnapshotContent, SnapshotFile } from "./write-snapshot";

/** Raised when the same skills would be written in another way. */
const FORMAT = 1;

export type Catalog = {
  /** What it is called as a marketplace. */
  name: string;
  instance: string;
  skills: Published[];
  /** Version names by version id. */
  names: Map<string, string>;
};

/** What the repository of a viewer holds at this moment. */
export async function readCatalog({ ctx, scope, base }: DoorViewer): Promise<Catalog> {
  const skills = (await listPublished(ctx, scope)).filter(fitsGit);
  const ids = skills.map(({ skill }) => skill.id);
  const [settings, names] = [await cachedSettings(ctx), await nameVersions(ctx, ids)];
  const name = nameMarketplace(settings.marketplaceName, { scope, base });
  return { name, instance: settings.instanceName, skills, names };
}

/** The same as the content of a commit, dated by the newest decision, and the hash of all that goes into it. */
export function composeCatalog(ctx: Ctx, catalog: Catalog): { key: string; content: SnapshotContent } {
  const { skills } = catalog;
  const own = ownFiles(catalog);
  const dates = skills.map(({ version }) => (version.decidedAt ?? version.createdAt).getTime());
  const seconds = Math.floor(Math.max(0, ...dates) / 1000);
  const message = `${skills.length} approved ${skills.length === 1 ? "skill" : "skills"}\n`;
  const key = sha256Hex(
    JSON.stringify([
      [FORMAT, seconds, message],
      own.map(({ path, text }) => [path, text]),
      skills.map((one) => [folderOf(one), one.files.map(({ path, mode, sha256 }) => [path, mode, sha256])]),
    ]),
  );
  return { key, content: { seconds, message, files: () => filesOfCatalog(ctx, skills, own) } };
}

type OwnFile = { path: string; text: string };

async function* filesOfCatalog(ctx: Ctx, skills: Published[], own: OwnFile[]): AsyncGenerator<SnapshotFile> {
  for (const { path, text } of own) yield { path, mode: "644", bytes: new TextEncoder().encode(text) };
  for (const one of skills) {
    for (const { path, mode, bytes } of await filesOf(ctx, one)) {
      yield { path: `${folderOf(one)}/${path}`, mode, bytes };
    }
  }
}

/** Codex reads the same marketplace at a place of its own. Within the repository a source is a folder: no address, no secret. */
function ownFiles(catalog: Catalog): OwnFile[] {
  const marketplace = json(composeMarketplace({ ...catalog, sourceOf: (folder) => `./${folder}` }));
  const titles = [...new Set(catalog.skills.map(({ skill }) => skill.category))].sort();
  const groupings = titles.map((title) => ({
    title,
    skills: catalog.skills.filter(({ skill }) => skill.category === title).map(({ name }) => name),
  }));
  return [
    { path: ".agents/plugins/marketplace.json", text: marketplace },
    { path: ".claude-plugin/marketplace.json", text: marketplace },
    // No client changes line ends of what was reviewed.
    { path: ".gitattributes", text: "* -text\n" },
    { path: "README.md", text: readme(catalog) },
    { path: "skills.sh.json", text: json({ groupings }) },
  ];
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
