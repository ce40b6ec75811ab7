import { type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import type { DatabasePlace } from "@/lib/db/database";
import { openReader } from "@/lib/db/open-database";
import { query, type Sql } from "@/lib/db/sql";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { type Allowance, beyondPlain, judgeRun, type Permission } from "./judge-run";
import { ownerOf, permissionsAsked, permissionsOfSubject, Statement, Subject, signatureOf } from "./read-run-terms";
import { readKeys } from "./verify-data";

export type BrokenRun = {
  id: string;
  startedAt: string;
  skill: string;
  versionDigest: string;
  /** Signed before statements named the signer's right. */
  isFormer: boolean;
  problems: string[];
};
export type VerifiedRuns = {
  runs: number;
  /** Runs whose signatures lack the right, or whose lease lacks the worker's allowance. */
  former: number;
  broken: BrokenRun[];
};

type RunRow = {
  id: string;
  skillId: string;
  skillName: string;
  ownerKey: string;
  versionId: string;
  versionDigest: string;
  subject: string;
  class: string;
  callerId: string;
  env: string;
  limits: string;
  isolation: string | null;
  startedAt: Date;
  manifest: string;
  declaredClass: string | null;
  createdById: string;
  submittedById: string | null;
};
type DecisionRow = {
  id: string;
  decision: string;
  actorId: string;
  actorName: string;
  subject: string | null;
  subjectJson: string | null;
  statement: string | null;
  signature: string | null;
  keyId: string | null;
  createdAt: Date;
  role: string | null;
};

const PAGE = 500;
const RUNS = query<RunRow>(
  `SELECT r."id", r."skillId", s."name" AS "skillName", s."ownerKey", r."versionId", r."versionDigest", r."subject", r."class",
     r."callerId", r."env", r."limits", r."isolation", r."startedAt", v."manifest", v."declaredClass", v."createdById",
     v."submittedById"
   FROM "Run" r JOIN "Skill" s ON s."id" = r."skillId" JOIN "Version" v ON v."id" = r."versionId"
   WHERE r."id" > ? AND r."startedAt" IS NOT NULL AND r."workerId" IS NOT NULL ORDER BY r."id" LIMIT ${PAGE}`,
  { startedAt: "date" },
);
const DECISIONS = query<DecisionRow>(
  `SELECT d."id", d."decision", d."actorId", d."actorName", d."subject", d."subjectJson", d."statement", d."signature",
     d."keyId", d."createdAt", u."role"
   FROM "Decision" d LEFT JOIN "User" u ON u."id" = d."actorId" WHERE d."versionId" = ? ORDER BY d."id"`,
  { createdAt: "date" },
);
const FILES = query<{ path: string; mode: "644" | "755"; sha256: string }>(
  `SELECT "path", "mode", "sha256" FROM "VersionFile" WHERE "versionId" = ?`,
);
const LEASES = query<{ data: string }>(
  `SELECT "data" FROM "AuditEvent" WHERE "runId" = ? AND "action" = 'run.lease' ORDER BY "seq"`,
);

/** Checks every leased run against its signatures and the worker operator's allowance. Read-only. */
export async function verifyRuns(keyFolder: string, database: DatabasePlace): Promise<VerifiedRuns> {
  const { sql, close } = await openReader(database);
  try {
    const keys = await readKeys(keyFolder, sql);
    const verified: VerifiedRuns = { runs: 0, former: 0, broken: [] };
    for (let after = ""; ; ) {
      const rows = await sql.all(RUNS, after);
      for (const run of rows) {
        const { isFormer, problems } = await verifyRun(sql, run, keys);
        verified.runs += 1;
        if (isFormer) verified.former += 1;
        if (problems.length === 0) continue;
        const { id, skillName: skill, versionDigest } = run;
        verified.broken.push({ id, startedAt: run.startedAt.toISOString(), skill, versionDigest, isFormer, problems });
      }
      const last = rows.at(-1);
      if (last === undefined) return verified;
      after = last.id;
    }
  } finally {
    await close();
  }
}

async function verifyRun(sql: Sql, run: RunRow, keys: Map<string, KeyObject>) {
  const decisions = await sql.all(DECISIONS, run.versionId);
  const revokedAt = Math.max(
    0,
    ...decisions
      .filter(({ decision, createdAt }) => decision === "revoke" && createdAt < run.startedAt)
      .map(({ createdAt }) => createdAt.getTime()),
  );
  const approvals = decisions.filter(({ decision, subject }) => decision === "approve" && subject === run.subject);
  const checked = approvals.map((row) => ({ row, ...readStatement(row, keys) }));
  const problems = checked.flatMap(({ problem }) => problem ?? []);
  const signed = checked.flatMap(({ row, statement }) => {
    const at = statement === null ? 0 : Date.parse(statement.at);
    const counts = statement !== null && at <= run.startedAt.getTime() && at >= revokedAt;
    return counts ? [{ ...statement, role: row.role, subjectJson: row.subjectJson ?? "" }] : [];
  });
  const last = signed.at(-1);
  if (last === undefined) {
    return {
      isFormer: false,
      problems: [...problems, "no valid signature of its terms precedes its start"],
    };
  }
  const lacksBasis = signed.some(({ basis }) => basis === undefined);
  const subject = Subject.parse(JSON.parse(last.subjectJson));
  const given = permissionsOfRun(run, subject);
  const allows = await allowanceOf(sql, run.id);
  const needsOperator = given.some(({ kind }) => OPERATOR_CONTROLLED.has(kind)) && beyondPlain(given).length > 0;
  const inName = signed.map(({ signer, basis }) => nameOf(signer.id, basis)).find((name) => name !== null) ?? null;
  const owner = ownerOf(subject.owner);
  const found = judgeRun({
    ...{ given, asked: permissionsAsked(run.manifest), signed: permissionsOfSubject(subject) },
    class: [subject.class, run.declaredClass].every((name) => name === "safe" || name === null) ? "safe" : "more",
    // Earlier signatures are judged without the current rules on own use and isolation.
    caller: lacksBasis ? owner : run.callerId,
    isolation: lacksBasis ? "sandbox" : (run.isolation ?? "none"),
    ...{ owner, authors: [run.createdById, ...(run.submittedById === null ? [] : [run.submittedById])] },
    signatures: signed.map((statement) => signatureOf(statement, statement.role)),
    ...{ needed: last.needed, inName, allows },
  });
  const bytes = await sql.all(FILES, run.versionId);
  return {
    isFormer: lacksBasis || (needsOperator && allows === null),
    problems: [...problems, ...compareWithSubject(run, subject, digestFiles(bytes)), ...found],
  };
}

function nameOf(id: string, basis: string | undefined): "release" | "operator" | "instance" | null {
  if (id === "release" || id === "operator") return id;
  return basis === "instance" && id.startsWith("instance:") ? "instance" : null;
}

const OPERATOR_CONTROLLED = new Set<Permission["kind"]>(["network", "host", "path", "env", "namespace", "capability"]);

function readStatement(row: DecisionRow, keys: Map<string, KeyObject>) {
  const broken = (what: string) => ({ statement: null, problem: `the signature of ${row.actorName} ${what}` });
  const { statement: text, signature, keyId, subjectJson } = row;
  if (text === null || signature === null || keyId === null || subjectJson === null) return broken("is missing");
  const key = keys.get(keyId);
  if (key === undefined) return broken(`was made with the key ${keyId.slice(0, 12)}, which is not this instance’s`);
  if (!verify(null, Buffer.from(text, "utf8"), key, Buffer.from(signature, "base64"))) return broken("does not verify");
  const statement = Statement.parse(JSON.parse(text));
  const { signer, subject } = statement;
  const isOfRow = statement.decisionId === row.id && subject === row.subject && signer.id === row.actorId;
  if (!isOfRow || signer.name !== row.actorName || sha256Hex(subjectJson) !== subject) {
    return broken("is for something else than what is stored");
  }
  return { statement, problem: null };
}

/** The run's permissions: variables and time limit as stored with the run, the rest from the subject. */
function permissionsOfRun(run: RunRow, subject: Subject): Permission[] {
  const names = z.array(z.string()).parse(JSON.parse(run.env));
  const { timeoutMs } = z.object({ timeoutMs: z.number() }).parse(JSON.parse(run.limits));
  const rest = permissionsOfSubject(subject).filter(({ kind }) => kind !== "env" && kind !== "time");
  const time: Permission = { kind: "time", name: String(timeoutMs / 1000) };
  return [...rest, ...names.map((name): Permission => ({ kind: "env", name })), time];
}

function compareWithSubject(run: RunRow, subject: Subject, digest: string): string[] {
  return [
    ...(subject.versionDigest === run.versionDigest ? [] : ["it names another version than the signed one"]),
    ...(digest === run.versionDigest ? [] : ["the stored list of files is not the signed one"]),
    ...(subject.skillId === run.skillId ? [] : ["it belongs to another skill than the signed one"]),
    ...(subject.owner === run.ownerKey ? [] : ["its skill has another owner than the signed one"]),
    ...(subject.class === run.class ? [] : [`it ran as ${run.class} but was approved as ${subject.class}`]),
  ];
}

const names = z.array(z.string()).default([]);
const LeaseData = z.object({
  allows: z.object({
    ...{ paths: names, env: names, capabilities: names, namespaces: names },
    proxy: z.boolean().default(false),
  }),
});

async function allowanceOf(sql: Sql, runId: string): Promise<Allowance | null> {
  const event = (await sql.all(LEASES, runId)).at(-1);
  const parsed = event === undefined ? null : LeaseData.safeParse(JSON.parse(event.data));
  return parsed?.success ? parsed.data.allows : null;
}
