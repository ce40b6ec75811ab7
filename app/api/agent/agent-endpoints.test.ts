import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROUTE_TABLE } from "@/app/api/testing/route-table";
import * as hook from "@/app/connect/claude-code/[file]/route";
import { testServer } from "@/lib/testing/test-server";

const { call, person } = await testServer([...ROUTE_TABLE, ["/connect/claude-code/[file]", hook]]);
const admin = await person("admin");
const token = admin.token;

async function approved(name: string, more: string) {
  const text = `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n\n# Do it\n`;
  const made = await call("POST", "/api/skills", { token, json: { files: [{ path: "SKILL.md", text }] } });
  const skill = await made.json();
  const versions = await (await call("GET", `/api/skills/${skill.id}/versions`, { token })).json();
  const at = `/api/skills/${skill.id}/versions/${versions.items[0].digest}`;
  await call("POST", `${at}/submit`, { token, json: {} });
  await call("POST", `${at}/decisions`, { token, json: { decision: "approve", comment: "" } });
  const on = await call("PATCH", `/api/skills/${skill.id}`, { token, json: { enabled: true } });
  expect(on.status).toBe(200);
  return skill.id as string;
}

await approved("read-only-notes", "allowed-tools: Read\n");

test("by plain HTTP an agent lists, loads, reads, is refused and asks; the same session all along", async () => {
  const opened = await call("POST", "/api/agent/sessions", { token, json: { client: "curl/8" } });
  expect(opened.status).toBe(201);
  const headers = { "x-agent-session": (await opened.json()).id };
  const preamble = await call("GET", "/api/agent/preamble?format=xml", { token, headers });
  expect(preamble.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const xml = await preamble.text();
  expect(xml).toContain("<name>read-only-notes</name>");
  expect(preamble.headers.get("x-context-characters")).toBe(String([...xml].length));
  const json = await (await call("GET", "/api/agent/preamble?format=json&mode=names", { token, headers })).json();
  const tool = (name: string, args: object) => call("POST", `/api/agent/tools/${name}`, { token, headers, json: args });
  const read = await (await tool("read_skill_file", { path: json.skills[0].readPath })).json();
  expect(read.content).toContain("allowed-tools: Read");
  const used = await tool("use_skill", { name: "read-only-notes" });
  expect([used.status, used.headers.get("x-agent-session")]).toEqual([200, headers["x-agent-session"]]);
  const refused = await tool("use_skill", { name: "nothing-here" });
  expect(refused.status).toBe(404);
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect(await refused.json()).toMatchObject({ code: "not_found", isError: true, structured: { code: "not_found" } });
  const asked = await call("POST", "/api/agent/authorize-tool", { token, headers, json: { tool: "Write" } });
  expect(await asked.json()).toMatchObject({ decision: "deny", skill: { name: "read-only-notes" } });
  for (const format of ["mcp", "openai", "anthropic"]) {
    const listed = await (await call("GET", `/api/agent/tools?format=${format}`, { token, headers })).json();
    expect(listed.tools).toHaveLength(5);
  }
  const described = await (await call("GET", "/api/agent/openapi.json", { token })).json();
  expect(described).toMatchObject({ openapi: "3.1.0", paths: {} });
  const stranger = await person("admin");
  const theirs = await call("GET", "/api/agent/preamble", { token: stranger.token, headers });
  expect(theirs.status).toBe(404);
});

test("the hook for Claude Code denies with the reason, leaves what is allowed alone, and fails as it was told", async () => {
  const session = (await (await call("POST", "/api/agent/sessions", { token, json: {} })).json()).id as string;
  await call("POST", "/api/agent/tools/use_skill", {
    token,
    headers: { "x-agent-session": session },
    json: { name: "read-only-notes" },
  });
  const folder = mkdtempSync(join(tmpdir(), "skillgate-hook-"));
  const file = join(folder, "hook.mjs");
  writeFileSync(file, await (await call("GET", "/connect/claude-code/authorize-tool.mjs", {})).text());
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const response = await call("POST", request.url ?? "", {
      token: String(request.headers.authorization).replace("Bearer ", ""),
      body: Buffer.concat(chunks).toString(),
      headers: { "content-type": "application/json" },
    });
    answer.writeHead(response.status).end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const run = (tool: string, env: Record<string, string>, args: string[] = []) =>
    new Promise<{ out: string; err: string }>((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [file, ...args],
        { env: { NODE_ENV: "test", SKILLGATE_URL: url, SKILLGATE_TOKEN: token, SKILLGATE_SESSION: session, ...env } },
        (error, out, err) => (error ? reject(error) : resolve({ out, err })),
      );
      child.stdin?.end(JSON.stringify({ hook_event_name: "PreToolUse", tool_name: tool, tool_input: {}, cwd: "/w" }));
    });
  const denied = (out: string) => JSON.parse(out).hookSpecificOutput;
  try {
    expect((await run("Read", {})).out).toBe("");
    expect(denied((await run("Write", {})).out)).toMatchObject({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("read-only-notes"),
    });
    const away = { SKILLGATE_TOKEN: "sgt_of_nobody_at_all_0123456789abcdef" };
    expect(denied((await run("Read", away)).out)).toMatchObject({ permissionDecision: "deny" });
    const open = await run("Read", away, ["--fail-open"]);
    expect([open.out, open.err.includes("--fail-open")]).toEqual(["", true]);
    expect(denied((await run("Read", { SKILLGATE_TOKEN: "" })).out)).toMatchObject({ permissionDecision: "deny" });
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  }
  const settings = JSON.parse(await (await call("GET", "/connect/claude-code/settings.json", {})).text());
  expect(settings.hooks.PreToolUse[0].matcher).toBe("*");
});
