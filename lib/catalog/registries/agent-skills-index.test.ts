import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openAgentSkillsIndex } from "./agent-skills-index";

const BIG = Buffer.alloc(10 * 1024 * 1024, "a");
const SKILLS = 40;

/** An older index whose skills have a large file each. */
const server = createServer(({ url = "" }, response) => {
  if (url.startsWith("/.well-known/agent-skills/")) response.writeHead(404).end();
  else if (url.endsWith("index.json")) {
    const files = url.startsWith("/heavy/") ? [1, 2, 3, 4, 5, 6].map((at) => `${at}.bin`) : ["SKILL.md", "big.bin"];
    const count = url.startsWith("/heavy/") ? 1 : SKILLS;
    const skills = Array.from({ length: count }, (_, at) => ({ name: `skill-${at}`, files }));
    response.end(JSON.stringify({ skills }));
  } else response.end(url.endsWith(".bin") ? BIG : "# Skill\n");
});
let origin = "";
beforeAll(async () => {
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "127.0.0.1");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const open = (address: string) => openAgentSkillsIndex(`${origin}${address}`, { credential: null, scratch: "" });

test("the bytes of an older index are not all held in memory, and a release is read again when it is asked for", async () => {
  const before = process.memoryUsage().arrayBuffers;
  const list = await open("").list(null);
  const held = process.memoryUsage().arrayBuffers - before;
  if (list === "unchanged") throw new Error("unchanged without a tag");
  expect(list.releases).toHaveLength(SKILLS);
  expect(held / BIG.length).toBeLessThan(SKILLS / 2);
  const last = await list.releases.at(-1)?.read();
  expect(last?.entries.map(({ path, size }) => [path, size])).toEqual([
    ["SKILL.md", 8],
    ["big.bin", BIG.length],
  ]);
});

test("a skill of an older index that is larger than an archive may be is not read", async () => {
  const list = await open("/heavy/.well-known/skills/index.json").list(null);
  if (list === "unchanged") throw new Error("unchanged without a tag");
  await expect(list.releases[0]?.read()).rejects.toMatchObject({ code: "too_large" });
});
