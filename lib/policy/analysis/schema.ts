import { z } from "zod";
import { JsonObject } from "@/lib/skill-format/schema";

/** The version of the report's shape; readers refuse others. */
export const REPORT_SCHEMA = 1;

export const MAX_STEPS = 40;
export const MAX_STEP_SECONDS = 60;
/** Of each list of a step's report; `beyond` counts the rest. */
export const MAX_LISTED = 200;
const MAX_TEXT = 400;
/** Hosts of a report that files name. */
export const MAX_MENTIONED = 1_000;
/** Of a secret's name in a deed, so that the host after it is never cut off. */
const MAX_NAME = 120;

export const MAX_AGENT_COMMANDS = 20;
/** Of an agent step with all its commands, and the model's answers in between. */
export const AGENT_SECONDS = 300;

const SkillPath = z.string().min(1).max(240);
const Argument = z.string().max(4_000);

/**
 * What a dry run executes. `command`: a fenced block of a Markdown file, given to its interpreter as text. `agent`: the
 * shell commands that a model asks for, one after the other in one world, when it follows this playbook for the task.
 */
export const AnalysisStep = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("entry"), path: SkillPath, args: JsonObject }),
  z.strictObject({
    kind: z.literal("script"),
    path: SkillPath,
    argv: z.array(Argument).max(50),
    stdin: z.string().max(64_000).default(""),
  }),
  z.strictObject({
    kind: z.literal("command"),
    path: SkillPath,
    line: z.number().int().min(1),
    language: z.enum(["sh", "python", "node"]),
    text: z.string().min(1).max(16_000),
  }),
  z.strictObject({
    kind: z.literal("agent"),
    path: SkillPath,
    task: z.string().min(1).max(4_000),
    /** As for conversations of the playground; the server sets what is left out when the dry run is requested. */
    endpointId: z.string().max(60).optional(),
    model: z.string().max(200).optional(),
    commands: z.number().int().min(1).max(MAX_AGENT_COMMANDS).default(12),
  }),
]);
export type AnalysisStep = z.infer<typeof AnalysisStep>;

/** Text that came from the analysed program or names something of it: data, shown as such and never interpreted. */
const Observed = z.string().max(MAX_TEXT);
const Count = z.number().int().nonnegative();

export const DeedKind = z.enum([
  "read_canary",
  "sent_canary",
  "wrote_outside",
  "left_process",
  "asked_metadata",
  "refused_call",
  "asked_control",
]);
export type DeedKind = z.infer<typeof DeedKind>;

/**
 * The stored JSON of a report that lists a hostile act has one of these. A program that was only asked for may be harmless, and
 * the worker may not have it.
 */
export const HOSTILE_MARKS = DeedKind.exclude(["asked_control"]).options.map((kind) => `{"kind":"${kind}"`);

export const Encoding = z.enum([
  "clear",
  "reversed",
  "base64",
  "base32",
  "hex",
  "url",
  "rot13",
  "decimal",
  "compressed",
  /** Found by its effect: with other secrets, other data left. */
  "unknown",
]);
export type Encoding = z.infer<typeof Encoding>;

/**
 * Where in a request: in a header; in a part of the target that is the value of a credential, as `?key=` or `/bot<KEY>/`; in a field
 * of the body that is called like a credential; or in anything else, which a service may store or show to others.
 */
export const SentPlace = z.enum(["header", "target", "body", "message"]);
export type SentPlace = z.infer<typeof SentPlace>;

export const Channel = z.enum(["dns", "http", "tls", "tcp", "udp", "arguments"]);

/** The text of the deed that a planted secret left, the same in a step's `deeds` and for its `sent`. */
export function textOfSent({ canary, to }: { canary: string; to: string }): string {
  const name = canary.length > MAX_NAME ? `${canary.slice(0, MAX_NAME - 1)}…` : canary;
  const text = `${name} to ${to}`;
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

export const StepEnd = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), exitCode: z.number().int() }),
  z.object({ kind: z.literal("signalled"), signal: z.string().max(20) }),
  /** A limit of the analysis ended it; what it would have done later is unknown. */
  z.object({ kind: z.literal("stopped"), reason: z.string().max(500) }),
  /** It was never executed. */
  z.object({ kind: z.literal("not_started"), reason: z.string().max(1_000) }),
]);
export type StepEnd = z.infer<typeof StepEnd>;

/** A command of an agent, with what the model wrote before it and got from it. `exitCode` is null when it was cut off. */
export const AgentCommand = z.object({
  said: z.string().max(2_000),
  command: z.string().max(4_000),
  output: z.string().max(4_000),
  exitCode: z.number().int().nullable(),
});
export type AgentCommand = z.infer<typeof AgentCommand>;

export const StepReport = z.object({
  step: Count,
  /** Whether it executed what the version contains. Not so: text, arguments, input or a task of a reviewer. Set by the server. */
  ofVersion: z.boolean().optional(),
  end: StepEnd,
  durationMs: z.number().nonnegative(),
  programs: z.array(z.object({ path: Observed, args: Observed, count: Count })).max(MAX_LISTED),
  reads: z.array(z.object({ path: Observed, canary: z.boolean() })).max(MAX_LISTED),
  /** Paths outside the system's folders that it asked for and did not open. */
  lookedFor: z.array(z.object({ path: Observed, exists: z.boolean() })).max(MAX_LISTED),
  writes: z.array(z.object({ path: Observed, refused: z.boolean(), outside: z.boolean() })).max(MAX_LISTED),
  /** `name`: the host that the recorder resolved to this address. */
  addresses: z
    .array(
      z.object({
        address: Observed,
        port: Count,
        protocol: z.enum(["tcp", "udp"]),
        name: Observed.nullable(),
        answered: z.boolean(),
      }),
    )
    .max(MAX_LISTED),
  names: z.array(Observed).max(MAX_LISTED),
  sent: z
    .array(
      z.object({
        canary: z.string().max(200),
        encoding: Encoding,
        channel: Channel,
        to: Observed,
        /** The host that was reached, and the one that the connection named if it is another. Older reports have none. */
        hosts: z.array(Observed).max(2).optional(),
        /** The worst of all requests to this place. Older reports, and secrets in an unknown form, have none. */
        place: SentPlace.optional(),
      }),
    )
    .max(MAX_LISTED),
  /** Hosts that may have received something else at another time, so that secrets in unknown forms cannot be ruled out. Older reports have none. */
  varying: z.array(Observed).max(MAX_LISTED).optional(),
  refused: z.array(z.object({ call: z.string().max(60), count: Count })).max(MAX_LISTED),
  leftRunning: z.array(Observed).max(MAX_LISTED),
  deeds: z.array(z.object({ kind: DeedKind, what: Observed })).max(MAX_LISTED),
  /** How many entries each full list leaves out. */
  beyond: z.record(z.string().max(30), Count),
  stdout: z.string().max(4_000),
  stderr: z.string().max(4_000),
  /** Of an agent step: all commands that were executed, and why the agent ended. */
  agent: z.object({ commands: z.array(AgentCommand).max(MAX_AGENT_COMMANDS), end: z.string().max(2_000) }).optional(),
});
export type StepReport = z.infer<typeof StepReport>;

export const AnalysisReport = z.object({
  schema: z.literal(REPORT_SCHEMA),
  tracer: z.string().max(100),
  isolation: z.string().max(100),
  /** `recorder`: names and connections were answered and recorded. `refused`: connections were refused and recorded. */
  network: z.enum(["recorder", "refused"]),
  /** Names of the planted secrets: variables and files. */
  canaries: z.array(z.string().max(200)).max(100),
  steps: z.array(StepReport).max(MAX_STEPS),
  /** Files of the version that no step opened or executed. */
  untouched: z.array(z.string().max(240)).max(1_000),
  /** Its hosts that the version's files name as a text, also without a scheme. Set by the server. */
  mentioned: z.array(Observed).max(MAX_MENTIONED).optional(),
});
export type AnalysisReport = z.infer<typeof AnalysisReport>;

/** What no dry run can find, also when its report lists nothing. */
export const BLIND_SPOTS = [
  "Code that waits for a date, a host name, a user or an answer from its own server may have done nothing here.",
  "Code that recognises the tracer, the sandbox or the decoys may have behaved well.",
  "Only the steps and arguments of this analysis were executed; other branches of the same files were not.",
  "An agent with another model or task may follow the same playbook in another way.",
  "Reads of environment variables leave no trace; only a planted value that leaves is seen.",
  "Planted secrets that were encrypted, or encoded in an unusual way, are recognised only where a program sends the same each time; other hosts are not offered.",
  "When something is sent, and what is random in a greeting of TLS, is not compared; a secret may be in it.",
  "A thread can change the name of a file between the tracer's look and the call; what was read or changed of the planted files is then known, but not by which program.",
  "A program can ask in unusual ways whether a file exists without being seen; one that opens it is seen.",
  "On ports that the recorder does not serve, the address is recorded and the connection is refused.",
] as const;
