import { z } from "zod";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Declared } from "@/lib/policy/analysis/compare-declared";
import { declaredGrants } from "@/lib/policy/grants/settle-grants";
import { SkillManifest } from "@/lib/skill-format/schema";
import { CapabilityGroup } from "@/lib/skills/versions/schema";

const Card = z.array(CapabilityGroup);

/** What a version declares: the variables that its author asks for, and what its capability card names. */
export async function readDeclared(ctx: Pick<Ctx, "db">, version: { id: string; manifest: string }): Promise<Declared> {
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: version.id } });
  const facts = scan === null ? [] : keepParsed(Card, scan.capabilities).flatMap((group) => group.facts);
  const named = (kind: string) => facts.filter((fact) => fact.kind === kind).map(({ value }) => value);
  return {
    grants: declaredGrants(manifest),
    named: {
      hosts: named("host").map((host) => host.toLowerCase()),
      // A shell script reads a variable by its name alone, which the card tells of those that look like a secret.
      env: [...new Set([...named("env"), ...named("credential").filter((value) => /^[A-Z][A-Z0-9_]+$/.test(value))])],
      paths: named("path"),
    },
  };
}
