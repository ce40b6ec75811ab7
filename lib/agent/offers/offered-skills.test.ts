import { expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { updateSettings } from "@/lib/settings/update-settings";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { setEligibilityPolicy } from "@/lib/skills/access/eligibility-policy";
import { updateSkill } from "@/lib/skills/edit-skills";
import { listSkills } from "@/lib/skills/list-skills";
import { ListSkillsQuery } from "@/lib/skills/schema";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { getInstructions } from "@/lib/skills/versions/get-instructions";
import { agentOf } from "@/lib/testing/agent-of";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { callTool } from "../call-tool";
import { offeredTools } from "../list-tools";
import { buildPreamble } from "../preamble/build-preamble";
import { Preamble, PreambleQuery } from "../preamble/schema";
import type { ToolAnswer } from "../schema";
import { openAgentSession } from "../sessions/open-agent-session";
import { offeredSkills } from "./offered-skills";

const { person, database } = await testDatabase();
const [admin, reviewer, user] = [await person("admin"), await person("reviewer"), await person()];

type Class = "safe" | "mutating" | "dangerous";
type State = "on" | "unlisted" | "off" | "withdrawn";
type Kind = "playbook" | "scripts" | "pack" | "pipeline" | "both";

async function store(files: SkillFile[], as: Class, state: State = "on") {
  const [skill] = (await importSkills(user.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  const [id, digest] = [skill?.id ?? "", skill?.pendingVersion?.digest ?? ""];
  await decideVersion(reviewer.ctx, id, digest, { decision: "approve", comment: "", class: as });
  await updateSkill(user.ctx, id, { enabled: true });
  if (state === "off") await updateSkill(user.ctx, id, { enabled: false });
  if (state === "unlisted") await updateSkill(admin.ctx, id, { listed: false });
  if (state === "withdrawn") await decideVersion(reviewer.ctx, id, digest, { decision: "revoke", comment: "no" });
  return { id, name: skill?.name ?? "", tool: skill?.toolName ?? "" };
}

const text = (content: string) => new TextEncoder().encode(content);
const SCRIPT: SkillFile = { path: "scripts/run.sh", mode: "755", bytes: text("echo\n") };
const steps = (tool: string) => `steps:\n  - tool_name: ${tool}\n    arguments_template: '{"text": "{text}"}'\n`;

const FILES: Record<Kind, (name: string, step: string) => SkillFile[]> = {
  playbook: (name) => playbookFiles({ name }),
  scripts: (name) => [...playbookFiles({ name }), SCRIPT],
  pack: (name) => packFiles({ name: name.replaceAll("-", "_") }),
  pipeline: (name, step) => playbookFiles({ name, more: steps(step) }),
  both: (name) => [
    ...packFiles({ name: name.replaceAll("-", "_") }),
    ...playbookFiles({ name: name.replaceAll("-", "_"), body: "# Both\n" }),
  ],
};

type Thing = { id: string; name: string; tool: string; kind: Kind; class: Class; whole: Class; state: State };

/** Skills of every kind in every class and state, with pipelines whose step has the class. */
async function world(): Promise<Thing[]> {
  const things: Thing[] = [];
  const add = async (
    kind: Kind,
    as: Class,
    { state = "on", step = "", whole = as }: Partial<Thing> & { step?: string },
  ) => {
    const name = `${kind}-${as}-${whole}-${state}`;
    things.push({ ...(await store(FILES[kind](name, step), as, state)), kind, class: as, whole, state });
  };
  for (const as of ["safe", "mutating", "dangerous"] as const) {
    for (const kind of ["playbook", "scripts", "pack", "both"] as const) await add(kind, as, {});
    const pack = things.find(({ kind, whole }) => kind === "pack" && whole === as);
    await add("pipeline", "safe", { step: pack?.tool ?? "", whole: as });
  }
  for (const state of ["unlisted", "off", "withdrawn"] as const) {
    for (const kind of ["playbook", "pack"] as const) await add(kind, "safe", { state });
  }
  return things;
}

const MODES = ["person", "read-only", "mutating-with-confirm", "dual-sign-required"] as const;
const LISTS = [{}, { allow: ["*safe*", "pipeline-*"] }, { deny: ["pack_*", "playbook-mutating*"] }];
const REFUSED: Record<(typeof MODES)[number], Class[]> = {
  person: [],
  "read-only": ["mutating", "dangerous"],
  "mutating-with-confirm": ["dangerous"],
  "dual-sign-required": [],
};

/** Whether the client can ask its person, and whether that person alone may approve dangerous runs. */
const CONFIRMING = [
  [true, false],
  [false, false],
  [false, true],
] as const;

const isRefused = ({ isError, structured }: ToolAnswer) =>
  isError && ["forbidden", "not_found", "not_approved", "confirmation_required"].includes(String(structured.code));

test("every offered skill can be used, and no endpoint offers an unusable one, in every mode, class, kind and state", async () => {
  const things = await world();
  const globs = (list: string[], { name, tool }: Thing) =>
    list.some((glob) => [name, tool].some((one) => new RegExp(`^${glob.replaceAll("*", ".*")}$`).test(one)));
  const seen = new Set<string>();
  for (const permissionMode of MODES) {
    for (const { allow = [], deny = [] } of permissionMode === "person" ? [{}] : LISTS) {
      const scopes = ["read", "run"] as const;
      const ctx =
        permissionMode === "person"
          ? user.token([...scopes])
          : (await agentOf(admin.ctx, user, { permissionMode, allow, deny, scopes: [...scopes] })).ctx;
      /** The persona's lists, implemented independently of the code. */
      const isKept = (thing: Thing) => globs(deny, thing) || (allow.length > 0 && !globs(allow, thing));
      const mayUse = (thing: Thing): boolean => {
        if (thing.state !== "on" || isKept(thing) || REFUSED[permissionMode].includes(thing.whole)) return false;
        const called = things.find(({ kind, whole }) => kind === "pack" && whole === thing.whole);
        return thing.kind !== "pipeline" || (called !== undefined && !isKept(called));
      };
      for (const [canConfirm, soloMode] of permissionMode === "person" ? CONFIRMING : [[true, false] as const]) {
        await updateSettings(admin.ctx, { soloMode });
        const session = await openAgentSession(ctx, { client: "model/1" });
        const options = { waitSeconds: 0, canConfirm, confirm: async () => true };
        const call = (tool: string, args: unknown) => callTool(ctx, session, tool, args, options);
        const lists = {
          tools: (await offeredTools(ctx, { canConfirm })).tools.map(({ name }) => name),
          found: String((await call("list_skills", { mode: "names" })).content).split("\n"),
          own: (await offeredSkills(ctx, { canConfirm })).skills.map(({ name }) => name),
        };
        const preambles = await Promise.all(
          (["xml", "markdown", "json"] as const).map(async (format) => {
            const { text: said } = await buildPreamble(ctx, session, PreambleQuery.parse({ format }));
            if (format === "json") return Preamble.parse(JSON.parse(said)).skills.map(({ name }) => name);
            const names = format === "xml" ? said.matchAll(/<name>(.*?)<\/name>/g) : said.matchAll(/\*\*(.*?)\*\*/g);
            return [...names].map(([, name]) => (name ?? "").replaceAll("\\_", "_"));
          }),
        );
        const inventory = (await listSkills(ctx, ListSkillsQuery.parse({ limit: 100 }))).items.map(({ id }) => id);
        for (const thing of things) {
          const { name, tool, kind } = thing;
          const what = `${name} for ${permissionMode} ${JSON.stringify({ allow, deny, canConfirm, soloMode })}`;
          const asks =
            permissionMode === "person" &&
            !canConfirm &&
            (thing.whole === "mutating" || (soloMode && thing.whole === "dangerous"));
          const runs = mayUse(thing) && kind !== "playbook" && kind !== "scripts" && !asks;
          const offered = mayUse(thing) && (runs || kind !== "pack");
          expect([lists.own.includes(name), lists.found.includes(name)], what).toEqual([offered, offered]);
          expect(lists.tools.includes(tool), what).toBe(runs);
          // The index of a person's token is for HTTP, where they can confirm.
          if (canConfirm)
            expect(
              preambles.map((names) => names.includes(name)),
              what,
            ).toEqual(Array(3).fill(offered));
          const used = await call("use_skill", { name });
          expect(isRefused(used), `${what}: ${used.content}`).toBe(!offered);
          if (offered) expect(String(used.structured.instructions).trim(), what).not.toBe("");
          else expect(used.structured.rule ?? used.structured.code, what).toBeTruthy();
          const read = await call("read_skill_file", { name, path: kind === "pack" ? "skill.json" : "SKILL.md" });
          expect(isRefused(read), `${what}: ${read.content}`).toBe(!offered);
          // A playbook that was loaded before limits the tools, so each call has a new session.
          const fresh = await openAgentSession(ctx, { client: "model/2" });
          const ran = await callTool(ctx, fresh, tool, { text: "x" }, options);
          expect(isRefused(ran), `${what}: ${ran.content}`).toBe(!runs);
          if (permissionMode !== "person") {
            const given = await getInstructions(ctx, thing.id).then(
              () => true,
              () => false,
            );
            expect(given, what).toBe(
              mayUse(thing) ||
                (kind === "pipeline" &&
                  thing.state === "on" &&
                  !isKept(thing) &&
                  !REFUSED[permissionMode].includes(thing.whole)),
            );
            if (thing.state === "on" && kind !== "pipeline") expect(inventory.includes(thing.id), what).toBe(offered);
          }
          seen.add(`${kind} ${offered} ${runs}`);
        }
      }
    }
  }
  await updateSettings(admin.ctx, { soloMode: true });
  expect(seen.size).toBeGreaterThan(10);
}, 240_000);

async function agent(permissionMode: "read-only" | "mutating-with-confirm", more = {}) {
  const { ctx, persona } = await agentOf(admin.ctx, user, { permissionMode, ...more });
  const session = await openAgentSession(ctx, { client: "test/1" });
  return {
    ctx,
    persona,
    call: (tool: string, args: unknown) => callTool(ctx, session, tool, args, { waitSeconds: 0 }),
  };
}

test("a refusal names its rule, also for a tool call", async () => {
  const { call } = await agent("read-only", { deny: ["kept_*"] });
  const pack = (name: string, as: Class, state?: State) => store(packFiles({ name }), as, state);
  await pack("rule_danger", "dangerous");
  await pack("kept_away", "safe");
  await pack("rule_unlisted", "safe", "unlisted");
  await store(playbookFiles({ name: "rule-pipeline", more: steps("rule_danger") }), "safe");
  await store(playbookFiles({ name: "rule-missing", more: steps("no_such_tool") }), "safe");
  await store(packFiles({ name: "rule_by_hand", manifest: { disable_model_invocation: true } }), "safe");
  const rules = async (name: string) => [
    (await call("use_skill", { name })).structured.rule,
    (await call(name.replaceAll("-", "_"), { text: "x" })).structured.rule,
  ];
  expect(await rules("rule_danger")).toEqual(["persona-mode", "persona-mode"]);
  expect(await rules("kept_away")).toEqual(["persona-deny", "persona-deny"]);
  expect(await rules("rule_unlisted")).toEqual(["unlisted", "unlisted"]);
  expect(await rules("rule-pipeline")).toEqual(["persona-mode", "persona-mode"]);
  expect(await rules("rule-missing")).toEqual(["pipeline_step", "pipeline_step"]);
  const byPerson = await openAgentSession(user.token(["read", "run"]), { client: "test/1" });
  const own = await callTool(user.token(["read", "run"]), byPerson, "rule_unlisted", {}).catch(() => null);
  expect(own).toBeNull(); // A session belongs to its token.
});

test("a playbook says which of the tools it allows are not offered", async () => {
  const { call } = await agent("read-only");
  await store(packFiles({ name: "writes_rows" }), "mutating");
  await store(packFiles({ name: "reads_rows" }), "safe");
  await store(playbookFiles({ name: "uses-rows", more: "allowed-tools: reads_rows writes_rows Read\n" }), "safe");
  const { content } = await call("use_skill", { name: "uses-rows" });
  expect(content).toContain("Of these, you are not offered: writes_rows (“writes_rows” is mutating");
  expect(content).not.toContain("not offered: reads_rows");
});

test("an override by the location that agents see hides the skill, also a persona's own", async () => {
  const { ctx, persona, call } = await agent("read-only");
  const shared = await store(playbookFiles({ name: "located" }), "safe");
  const own = await store(playbookFiles({ name: "located-own" }), "safe");
  await database.writer.skill.update({
    where: { id: own.id },
    data: { ownerKey: `persona:${persona.id}`, ownerId: null },
  });
  const told = async () => {
    const session = await openAgentSession(ctx, { client: "test/1" });
    const { preamble } = await buildPreamble(ctx, session, PreambleQuery.parse({ format: "json" }));
    return new Map(preamble.skills.map(({ id, location, readPath }) => [id, [location, readPath]]));
  };
  const before = await told();
  expect(before.get(shared.id)).toEqual(["skills/located/SKILL.md", "skills/located/SKILL.md"]);
  expect((await call("read_skill_file", { path: "skills/located/SKILL.md" })).isError).toBe(false);
  for (const { id } of [shared]) {
    const entries = { [before.get(id)?.[0] ?? ""]: { enabled: false } };
    await setEligibilityPolicy(admin.ctx, { entries, config: {} });
    expect((await told()).has(id)).toBe(false);
  }
  await setEligibilityPolicy(admin.ctx, { entries: {}, config: {} });
});
