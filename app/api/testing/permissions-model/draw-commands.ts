import fc from "fast-check";

export type SkillClass = "safe" | "mutating" | "dangerous";
export type Grants = {
  network?: boolean | string[];
  scripts?: boolean;
  tools?: string[];
  env?: string[];
  paths?: { path: string; mode: "ro" | "rw" }[];
  namespaces?: string[];
  capabilities?: string[];
  credentials?: { slot: string; credential: string; as: "env" | "file"; name: string }[];
  workspace?: boolean;
  timeoutSeconds?: number;
};

/** An index that is taken modulo the number of candidates, so that every number is valid. */
const which = fc.nat(11);
/** The owner, the admin, a reviewer or admin who is not an author, a second one of these, or a caller by number. */
export type By = "owner" | "admin" | "reviewer" | "second reviewer" | number;
/** Most actions on a skill are by its owner. */
const drawn: fc.Arbitrary<By> = which;
const keeper = fc.oneof({ weight: 4, arbitrary: fc.constant<By>("owner") }, { weight: 1, arbitrary: drawn });
/** Edits are made by the owner, or by the admin, who may change other people's skills. */
const editor = fc.constantFrom<By>("owner", "admin");
const decider = fc.oneof(
  { weight: 2, arbitrary: fc.constant<By>("owner") },
  { weight: 3, arbitrary: fc.constant<By>("reviewer") },
  { weight: 1, arbitrary: drawn },
);

const skillClass = fc.constantFrom<SkillClass>("safe", "mutating", "dangerous");
/** Half of all commands use the newest skill. */
const skill = fc.oneof(fc.constant("last" as const), which);

const ENV = ["LANG", "REGION", "BUILD_NUMBER", "LC_ALL"];
const grants: fc.Arbitrary<Grants> = fc.oneof(
  fc.constant({}),
  ...(
    [
      [{ env: ["REGION"] }, { env: ["LANG"] }, { env: [] }, { env: ["LANG", "BUILD_NUMBER"] }],
      [{ network: true }, { network: ["example.org"] }, { network: ["example.org", "10.0.0.8:443"] }],
      [{ paths: [{ path: "/srv/data", mode: "ro" }] }, { paths: [{ path: "/etc", mode: "ro" }] }],
      [{ paths: [{ path: "/srv/data/in", mode: "rw" }] }, { workspace: true }],
      [{ capabilities: ["CAP_NET_RAW"] }, { capabilities: ["CAP_DAC_READ_SEARCH"] }],
      [{ namespaces: ["net"] }, { namespaces: ["pid"] }, { namespaces: ["network"] }],
      [
        { credentials: [{ slot: "key", credential: "deploy-key", as: "env", name: "DEPLOY_KEY" }] },
        { credentials: [{ slot: "key", credential: "deploy-key", as: "file", name: "key.txt" }] },
      ],
      [{ timeoutSeconds: 60 }, { timeoutSeconds: 300 }, { timeoutSeconds: 10 }],
      [{ tools: ["Bash"] }, { scripts: true }],
    ] satisfies Grants[][]
  ).map((some) => fc.constantFrom<Grants>(...some)),
);
/** One kind of grant, or two together. */
const manyGrants = fc.oneof(
  { weight: 3, arbitrary: grants },
  { weight: 1, arbitrary: fc.tuple(grants, grants).map(([one, other]) => ({ ...one, ...other })) },
);

const asks = fc.record({
  env: fc.oneof(fc.constant<string[]>([]), fc.subarray(ENV, { maxLength: 2 })),
  timeoutSeconds: fc.option(fc.constantFrom(30, 90), { freq: 2 }),
  class: fc.option(fc.oneof(fc.constant<SkillClass>("safe"), skillClass), { freq: 4 }),
  allowedTools: fc.oneof({ weight: 4, arbitrary: fc.constant<string[]>([]) }, fc.constant<string[]>(["Bash"])),
});

const allows = fc.oneof(
  { weight: 3, arbitrary: fc.constant("everything" as const) },
  fc.constant("nothing" as const),
  fc.constant("silent" as const),
  fc.record({
    paths: fc.subarray(["/srv/data", "/opt", "/etc"]),
    env: fc.subarray(["REGION", "BUILD_*", "LANG"]),
    capabilities: fc.subarray(["CAP_NET_RAW", "CAP_DAC_READ_SEARCH"]),
    namespaces: fc.subarray(["net", "pid"]),
    ranges: fc.subarray(["10.0.0.0/8"]),
    proxy: fc.boolean(),
  }),
);
const isolation = fc.oneof(
  { weight: 3, arbitrary: fc.constant("sandbox" as const) },
  fc.constantFrom("namespaces" as const, "process" as const, "none" as const),
);
const settings = fc
  .record(
    {
      soloMode: fc.boolean(),
      ownerMayApproveSafe: fc.boolean(),
      signaturesForDangerous: fc.integer({ min: 1, max: 2 }),
      signaturesForMutating: fc.integer({ min: 1, max: 2 }),
      safeWithoutSandbox: fc.boolean(),
      mutatingWithoutSandbox: fc.boolean(),
      dangerousWithoutSandbox: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .filter((patch) => Object.keys(patch).length > 0);

const of = <K extends string, T extends object>(kind: K, rest: { [P in keyof T]: fc.Arbitrary<T[P]> }) =>
  fc.record({ kind: fc.constant(kind), ...rest } as never) as fc.Arbitrary<{ kind: K } & T>;

const importing = of("import", {
  by: which,
  what: fc.constantFrom("pack" as const, "pack" as const, "pack" as const, "playbook" as const, "pipeline" as const),
  owner: fc.constantFrom(...(["me", "me", "me", "me", "me", "org"] as const)),
  /** Use the bytes of another skill. */
  sameAs: fc.option(which, { freq: 6 }),
  asks,
});
const terms = {
  skill,
  older: fc.constantFrom(false, false, false, true),
  class: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: skillClass }),
  grants: fc.option(manyGrants, { nil: undefined, freq: 4 }),
  entry: fc.boolean(),
};
const decision = fc.constantFrom(...(["approve", "approve", "revoke", "reject", "request_changes"] as const));
const deciding = of("decide", { by: decider, decision, ...terms });
const approving = of("decide", { by: decider, decision: fc.constant<Deciding["decision"]>("approve"), ...terms });
type Deciding = typeof deciding extends fc.Arbitrary<infer T> ? T : never;
/** Which approved version becomes active; `revokes`: the same request revokes the active one. */
const activating = of("activate", { by: decider, skill, version: which, revokes: fc.constantFrom(false, false, true) });
const running = of("run", {
  by: keeper,
  skill,
  confirm: fc.constantFrom(true, true, false),
  worker: fc.option(fc.nat(1), { freq: 3 }),
  /** Whether the workers ask for leases immediately. */
  starts: fc.constantFrom(true, true, false),
});

const editing = of("edit", { by: editor, skill, asks, submitter: editor });
const enabling = of("enable", { by: keeper, skill, enabled: fc.constantFrom(true, true, true, false) });

/** One action of a person, an agent, a worker or the operator. */
const command = fc.oneof(
  { weight: 4, arbitrary: importing },
  { weight: 6, arbitrary: deciding },
  { weight: 3, arbitrary: activating },
  { weight: 5, arbitrary: running },
  { weight: 2, arbitrary: enabling },
  { weight: 2, arbitrary: editing },
  { weight: 1, arbitrary: of("submit", { by: keeper, skill }) },
  { weight: 3, arbitrary: of("settings", { patch: settings }) },
  { weight: 2, arbitrary: of("register", { worker: fc.nat(1), allows, isolation }) },
  { weight: 1, arbitrary: of("publish", { by: keeper, skill, toPersona: fc.constantFrom(false, false, true) }) },
  { weight: 1, arbitrary: of("visibility", { by: keeper, skill, visibility: fc.constantFrom("public", "private") }) },
  { weight: 1, arbitrary: of("adopt", { by: which, skill }) },
  { weight: 1, arbitrary: of("schedule", { by: keeper, skill }) },
  { weight: 1, arbitrary: of("fire", { by: keeper, schedule: which }) },
  { weight: 2, arbitrary: of("signRun", { by: decider, run: skill, decision: fc.constantFrom("approve", "reject") }) },
  { weight: 1, arbitrary: of("cancel", { by: keeper, run: skill }) },
  { weight: 2, arbitrary: of("role", { person: fc.nat(3), role: fc.constantFrom("user", "reviewer", "admin") }) },
  { weight: 1, arbitrary: of("credential", { stored: fc.boolean() }) },
  { weight: 1, arbitrary: of("offer", { worker: fc.nat(1), asks, trusted: fc.boolean() }) },
  { weight: 1, arbitrary: of("delete", { by: keeper, skill }) },
);
export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

const one = command.map((single) => [single]);
/** The usual life of a skill, with drawn callers: imported, approved once or twice, enabled, run. */
const brought = importing.map((single): Command[] => [single]);
const approved = fc
  .tuple(approving, fc.option(fc.constantFrom<Deciding["by"]>("second reviewer", "owner", "reviewer"), { freq: 1 }))
  .map(([first, again]): Command[] => [first, ...(again === null ? [] : [{ ...first, by: again }])]);
/** The signatures that a dangerous run needs. */
const SIGNED: Command[] = (["reviewer", "second reviewer"] as const).map((by) => ({
  ...{ kind: "signRun", by, run: "last", decision: "approve" },
}));

const used = fc
  .tuple(enabling, running, fc.boolean())
  .map(([on, run, signed]): Command[] => [on, run, ...(signed ? SIGNED : [])]);

/** An edit that is approved and run; its author may be another person than the owner. */
const edited = fc
  .tuple(editing, approving, used)
  .map(([edit, approve, use]): Command[] => [edit, { ...approve, skill: edit.skill, older: false }, ...use]);

/** An older version that is activated after an edit and run, perhaps under settings that changed after its approval. */
const rolledBack = fc
  .tuple(edited, fc.option(of("settings", { patch: settings }), { freq: 2 }), activating, used)
  .map(([edit, changed, back, use]): Command[] => [
    ...edit,
    ...(changed === null ? [] : [changed]),
    { ...back, skill: edit[0]?.kind === "edit" ? edit[0].skill : back.skill, version: 0 },
    ...use,
  ]);

/** A sequence: the state at its start, and its commands. */
export const sequence = fc.record({
  start: fc.record({
    soloMode: fc.boolean(),
    ownerMayApproveSafe: fc.constantFrom(true, true, true, false),
    signaturesForDangerous: fc.constantFrom(2, 1),
    signaturesForMutating: fc.constantFrom(1, 2),
    safeWithoutSandbox: fc.boolean(),
    mutatingWithoutSandbox: fc.boolean(),
    dangerousWithoutSandbox: fc.boolean(),
  }),
  commands: fc
    .tuple(
      brought,
      fc.array(one, { maxLength: 2 }),
      fc.array(approved, { minLength: 1, maxLength: 2, size: "max" }),
      fc.array(one, { maxLength: 3 }),
      fc.array(used, { minLength: 1, maxLength: 3 }),
      fc.array(fc.oneof(one, approved, used, edited, rolledBack), { maxLength: 4 }),
    )
    .map(([first, ...rest]) => [...first, ...rest.flat(2)]),
});
