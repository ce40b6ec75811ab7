import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { inTransaction } from "@/lib/db/context";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { decideVersion } from "../decide-version";
import { listAdvisories, removeAdvisories, replaceAdvisories } from "./advisories";
import { exportBill, exportOrganisationBill, listPackages } from "./bills";
import { readCommand } from "./read-packages";
import type { Bill } from "./schema";

const { person, database } = await testDatabase();
const [admin, reviewer] = [await person("admin"), await person("reviewer")];

const require = createRequire(import.meta.url);
const library = require.resolve("@cyclonedx/cyclonedx-library/package.json");
/** The published schema, as the library of CycloneDX carries it. */
const schemaOf = (name: string): object =>
  JSON.parse(readFileSync(join(dirname(library), "res", "schema", `${name}.SNAPSHOT.schema.json`), "utf8"));
const ajv = new Ajv({ strict: false });
for (const name of ["spdx", "jsf-0.82"])
  ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
addFormats(ajv);
ajv.addFormat("iri-reference", true);
ajv.addFormat("idn-email", true);
const isValid = ajv.compile(schemaOf("bom-1.6"));

function assertValid(bill: Bill): void {
  isValid(JSON.parse(JSON.stringify(bill)));
  expect(isValid.errors ?? []).toEqual([]);
  const refs = [bill.metadata.component, ...bill.components].map((part) => part["bom-ref"]);
  expect(refs.length).toBe(new Set(refs).size);
  for (const { ref, dependsOn } of bill.dependencies) expect(refs).toEqual(expect.arrayContaining([ref, ...dependsOn]));
}

const text = (content: string) => new TextEncoder().encode(content);

async function imported(owner: "me" | "org", name = `sheet-${owner}`) {
  const files = [
    ...playbookFiles({
      name,
      more: "license: MIT\nmodel: sonnet\nallowed-tools: Bash(git add:*), Read\n",
      body: "# Sheets\n\n```bash\npip install 'openpyxl==3.1.2' pandas\nnpx -y xlsx-cli@1.1.4 --help\n```\n\nAsk `claude-opus-4-1` to read it. Then pip install nothing here.\n",
    }),
    {
      path: "requirements.txt",
      mode: "644" as const,
      bytes: text("requests>=2 # http\nPyYAML==5.3.1\n-r other.txt\n"),
    },
    {
      path: "scripts/run.py",
      mode: "755" as const,
      bytes: text(
        '# /// script\n# dependencies = ["httpx==0.27.0"]\n# ///\nimport subprocess\nsubprocess.run(["git", "status"])\n',
      ),
    },
    {
      path: "package.json",
      mode: "644" as const,
      bytes: text('{"dependencies":{"left-pad":"^1.3.0","@acme/x":"2.0.1"}}'),
    },
  ];
  const [skill] = (await importSkills(admin.ctx, { ...(await zipUpload("sheet", files)), owner })).skills;
  return { id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" };
}

test("the bill of a version is valid CycloneDX 1.6 and names files, packages, programs, models and tools", async () => {
  const { id, digest } = await imported("me");
  const bill = await exportBill(admin.ctx, id, digest);
  assertValid(bill);
  expect(bill.metadata.component).toMatchObject({
    ...{ name: "sheet-me", hashes: [{ alg: "SHA-256", content: digest }], licenses: [{ license: { id: "MIT" } }] },
  });
  const byKind = (kind: string) =>
    bill.components
      .filter(({ properties }) => properties?.some(({ value }) => value === kind))
      .map((part) => part.purl ?? part.name);
  expect(byKind("script")).toEqual(["scripts/run.py"]);
  expect(byKind("file").sort()).toEqual(["SKILL.md", "package.json", "requirements.txt"]);
  expect(byKind("package").sort()).toEqual([
    "pkg:npm/%40acme/x@2.0.1",
    "pkg:npm/left-pad",
    "pkg:npm/xlsx-cli@1.1.4",
    "pkg:pypi/httpx@0.27.0",
    "pkg:pypi/openpyxl@3.1.2",
    "pkg:pypi/pandas",
    "pkg:pypi/pyyaml@5.3.1",
    "pkg:pypi/requests",
  ]);
  expect(byKind("program")).toEqual(expect.arrayContaining(["git", "npx", "pip"]));
  expect(byKind("model").sort()).toEqual(["claude-opus-4-1", "sonnet"]);
  expect(byKind("tool")).toEqual(["Bash(git add:*)", "Read"]);
  expect(await exportBill(admin.ctx, id, digest)).toEqual(bill);
});

test("the bill of the organisation has its approved skills and what they name, for reviewers and admins", async () => {
  const { id, digest } = await imported("org");
  await imported("me", "of-one-person");
  const before = await exportOrganisationBill(admin.ctx);
  assertValid(before);
  expect(before.components).toEqual([]);
  await decideVersion(reviewer.ctx, id, digest, { decision: "approve", comment: "read" });
  const bill = await exportOrganisationBill(reviewer.ctx);
  assertValid(bill);
  expect(bill.components[0]).toMatchObject({ name: "sheet-org", hashes: [{ alg: "SHA-256", content: digest }] });
  expect(bill.components.map(({ purl }) => purl)).toContain("pkg:pypi/pyyaml@5.3.1");
  expect(bill.serialNumber).not.toBe(before.serialNumber);
  await expect(exportOrganisationBill((await person("user")).ctx)).rejects.toMatchObject({ code: "forbidden" });
});

test("the bill of an organisation with more than 999 skills is written", async () => {
  const { id, digest } = await imported("org", "many");
  await decideVersion(reviewer.ctx, id, digest, { decision: "approve", comment: "read" });
  const skill = await database.reader.skill.findUniqueOrThrow({ where: { id } });
  const version = await database.reader.version.findUniqueOrThrow({ where: { id: skill.currentId ?? "" } });
  const name = "'many-' || n.i";
  await inTransaction(admin.ctx, async (tx) => {
    const copy = (table: string, row: { id: string }, own: Record<string, string>) => {
      const columns = Object.keys(row).filter((column) => own[column] !== "NULL");
      const values = columns.map((column) => own[column] ?? `t."${column}"`);
      return tx.$executeRawUnsafe(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
         INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(", ")})
         SELECT ${values.join(", ")} FROM "${table}" t CROSS JOIN n WHERE t."id" = '${row.id}'`,
      );
    };
    await copy("Skill", skill, { id: name, name, slug: name, liveSlug: name, toolName: name, currentId: "NULL" });
    await copy("Version", version, { id: name, skillId: name, createdById: `'${reviewer.id}'` });
    await tx.$executeRaw`UPDATE "Skill" SET "currentId" = "id" WHERE "id" LIKE 'many-%'`;
  });
  const bill = await exportOrganisationBill(reviewer.ctx);
  expect(bill.components.filter((part) => part.name.startsWith("many-"))).toHaveLength(1_000);
});

test("uploaded advisories mark packages for reviewers and in valid bills, with an audit event, until they are removed", async () => {
  const { id, digest } = await imported("me", "checked");
  const osv = {
    ...{ id: "PYSEC-1", aliases: ["CVE-2026-1"], summary: "Runs code." },
    affected: [
      {
        package: { ecosystem: "PyPI", name: "PyYAML" },
        ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "5.4" }] }],
      },
      { package: { ecosystem: "npm", name: "left-pad" }, versions: ["1.3.0"] },
    ],
  };
  await expect(replaceAdvisories(reviewer.ctx, text("[]"))).rejects.toMatchObject({ code: "forbidden" });
  await expect(replaceAdvisories(admin.ctx, text("[1]"))).rejects.toMatchObject({ code: "invalid" });
  expect((await listPackages(reviewer.ctx, id, digest)).advisories).toBeNull();
  const facts = await replaceAdvisories(admin.ctx, text(JSON.stringify([osv])));
  expect((await listAdvisories(admin.ctx)).items).toEqual([facts]);
  const { items, advisories } = await listPackages(reviewer.ctx, id, digest);
  expect(advisories).toEqual(facts);
  expect(items.slice(0, 3).map(({ name, advisories: [first] }) => [name, first?.affected, first?.fixedIn])).toEqual([
    ["pyyaml", "yes", "5.4"],
    ["left-pad", "maybe", null],
    ["pandas", undefined, undefined],
  ]);
  const bill = await exportBill(reviewer.ctx, id, digest);
  assertValid(bill);
  expect(bill.vulnerabilities).toMatchObject([
    {
      id: "PYSEC-1",
      affects: [{ ref: "pkg:npm/left-pad" }, { ref: "pkg:pypi/pyyaml@5.3.1" }],
      recommendation: "Use pyyaml 5.4 or later.",
    },
  ]);
  await removeAdvisories(admin.ctx);
  expect((await exportBill(reviewer.ctx, id, digest)).vulnerabilities).toBeUndefined();
  await expect(removeAdvisories(admin.ctx)).rejects.toMatchObject({ code: "not_found" });
  const events = await database.reader.auditEvent.findMany({ where: { action: { startsWith: "advisories." } } });
  expect(events.map(({ action }) => action)).toEqual(["advisories.replace", "advisories.remove"]);
});

test.each([
  ["pip install requests==2.31.0 'flask>=2' -r more.txt", ["requests 2.31.0", "flask -"]],
  ["python3 -m pip install --upgrade -i https://pypi.org/simple numpy && rm x", ["numpy -"]],
  ['subprocess.run(["pip", "install", "httpx==0.27.0"])', ["httpx 0.27.0"]],
  ["pip install git+https://github.com/a/b ./local", []],
  ["uvx --from black==24.1.0 black .", ["black 24.1.0"]],
  ["uvx ruff@0.4.1 check .", ["ruff 0.4.1"]],
  ["npx -y @modelcontextprotocol/server-git@1.0.0 --repo x", ["@modelcontextprotocol/server-git 1.0.0"]],
  ["npm i -D vitest@latest left-pad@^1.2.3 | tee log", ["vitest -", "left-pad -"]],
  ["npm install", []],
  ["go install github.com/x/y/cmd/z@v1.2.3", ["github.com/x/y/cmd/z 1.2.3"]],
  ["cargo install ripgrep --version 14.1.0", ["ripgrep 14.1.0"]],
  ["gem install rails -v 7.1.0", ["rails 7.1.0"]],
  ["brew install jq; apt-get install -y curl=7.88.1", ["jq -", "curl 7.88.1"]],
  ["pipenv install thing", []],
])("%s installs %j", (command, expected) => {
  expect(readCommand(command).map(({ name, version }) => `${name} ${version ?? "-"}`)).toEqual(expected);
});
