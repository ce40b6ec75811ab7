import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import { buildTar } from "@/lib/skill-format/testing/build-tar";
import { buildZip, type ZipEntry, type ZipLies } from "@/lib/skill-format/testing/build-zip";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { exportSkill } from "./export-skill";
import { importSkills } from "./import-skills";

const { database, person } = await testDatabase();
const { ctx } = await person();

const MIB = 1024 * 1024;
const good = { name: "SKILL.md", data: "---\nname: good\ndescription: d\n---\nx" };
const zip = (entries: ZipEntry[], lies?: ZipLies) => ({ filename: "a.zip", bytes: buildZip(entries, lies) });
const md = (text: string) => ({ filename: "SKILL.md", bytes: new TextEncoder().encode(text) });
const pack = async (schema: unknown) => zipUpload("pack", packFiles({ name: "hostile", manifest: { schema } }));
const CODE = "(globalThis.PWNED = 1, {})";

const languages = ["---js", "---JS", "--- js ", "---javascript", "---JavaScript", "\ufeff---js"];
const prototypes = ["---toString", "---constructor", "---hasOwnProperty", "---__proto__"];
const hostilePaths =
  "../../etc/passwd|/etc/passwd|//srv/x|..\\..\\win.ini|C:\\x|a\0b|a\nb|a/../../b|con.txt|a.|a ".split("|");

type Upload = { filename: string; bytes: Uint8Array };
type Row = [name: string, upload: () => Upload | Promise<Upload>];

/** One row per threat to parsers and archives; each must be refused in every kind of import. */
test.each<Row>([
  ...[...languages, ...prototypes].flatMap((fence): Row[] => [
    [`frontmatter after ${JSON.stringify(fence)}`, () => md(`${fence}\n${CODE}\n---\n# Text\n`)],
    [`the same with CRLF`, () => md(`${fence}\r\n${CODE}\r\n---\r\n# Text\r\n`)],
  ]),
  ["a schema with another host's reference", () => pack({ $ref: "http://169.254.169.254/" })],
  ["a schema that is a circle", () => pack({ $ref: "#" })],
  ["a schema with a pattern that is none", () => pack({ properties: { x: { pattern: "(" } } })],
  ["a SKILL.md that is not UTF-8", () => ({ filename: "SKILL.md", bytes: new Uint8Array([0x2d, 0xff, 0xfe]) })],
  ["a SKILL.md with NUL", () => md("---\nname: a\ndescription: d\n---\na\0b")],
  ["a SKILL.md of 10 MB", () => md(good.data + "x".repeat(10_000_000))],
  ...hostilePaths.map((name): Row => [`the path ${JSON.stringify(name)}`, () => zip([good, { name }])]),
  ["a path through folders without end", () => zip([good, { name: `${"a/".repeat(5_000)}f` }])],
  ["two letter cases of one name", () => zip([good, { name: "skill.md" }])],
  ["one name twice", () => zip([good, good])],
  ["a name that is another in its local header", () => zip([{ ...good, name: "README.md", localName: "SKILL.md" }])],
  ["a count that lies", () => zip([good, { name: "b" }], { count: 1 })],
  ["bytes behind the archive", () => zip([good], { after: "x" })],
  ["a wrong checksum", () => zip([{ ...good, crc: 1 }])],
  ["an encrypted entry", () => zip([{ ...good, flags: 0x801 }])],
  ["a bomb", () => zip([good, { name: "z", data: new Uint8Array(4 * MIB) }])],
  ["more than 20 MiB", () => ({ filename: "a.zip", bytes: randomBytes(21 * MIB) })],
  ["a skill of more than 500 files", () => zip([good, ...Array.from({ length: 501 }, (_, i) => ({ name: `f${i}` }))])],
  ["a set-uid file", () => zip([good, { name: "s", mode: 0o104755 }])],
  ["a device", () => zip([good, { name: "d", mode: 0o020666 }])],
  ["a file through a link", () => zip([good, { name: "l", data: "/tmp", mode: 0o120777 }, { name: "l/x" }])],
  ["a pipe in a tar", async () => ({ filename: "a.tgz", bytes: await buildTar([good, { name: "p", type: "fifo" }]) })],
  ["nothing at all", () => ({ filename: "a.zip", bytes: new Uint8Array() })],
  ["a program", () => ({ filename: "a.exe", bytes: new TextEncoder().encode("\x7fELF") })],
])("%s is refused with a code, stores nothing, and evaluates nothing", async (_name, upload) => {
  const before = await database.reader.version.count();
  const error = await importSkills(ctx, { ...(await upload()), owner: "me" }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).status).toBeGreaterThanOrEqual(400);
  expect((error as AppError).status).toBeLessThan(500);
  expect(await database.reader.version.count()).toBe(before);
  expect("PWNED" in globalThis).toBe(false);
});

test("the next good import works", async () => {
  const { skills } = await importSkills(ctx, { ...md(good.data), owner: "me" });
  expect(skills.map((skill) => skill.name)).toEqual(["good"]);
});

test("a body that begins like a second frontmatter is exported as it was, and is not evaluated", async () => {
  const text = `---\nname: second\ndescription: d\n---\n---js\n${CODE}\n---\nx\n`;
  const [skill] = (await importSkills(ctx, { ...md(text), owner: "me" })).skills;
  expect(new TextDecoder().decode((await exportSkill(ctx, skill?.id ?? "", { as: "original" })).bytes)).toBe(text);
  await exportSkill(ctx, skill?.id ?? "", { as: "spec" });
  expect("PWNED" in globalThis).toBe(false);
});
