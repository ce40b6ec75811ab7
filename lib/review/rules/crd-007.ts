import type { Match, Rule } from "../scan/rule";

const EXAMPLE =
  /example|sample|dummy|fake|test|your|xxx|placeholder|redacted|changeme|\.\.\.|0000|1234567|abcdef|aaaa|insert/i;

export const hardCodedSecret: Rule = {
  id: "CRD-007",
  version: 1,
  severity: "high",
  title: "Secret written into the skill",
  why: "Everybody who has the skill has this key, and it is not the user's own.",
  owasp: ["ASI03", "LLM02"],
  redact,
  patterns: [
    {
      hints: [
        "akia",
        "asia",
        "ghp_",
        "gho_",
        "ghs_",
        "ghu_",
        "github_pat_",
        "sk-",
        "sk_live",
        "rk_live",
        "xox",
        "aiza",
        "glpat-",
        "npm_",
        "hf_",
        "sg.",
        "dop_v1_",
        "shpat_",
        "pypi-",
        "ya29.",
        "sq0",
        "eyj",
        "key-",
        "lin_api",
        "ntn_",
        "tskey-",
        "gsk_",
        "r8_",
        "pplx-",
        "xai-",
        "tvly-",
      ],
      re: String.raw`(?-i:\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_[A-Za-z0-9_]{60,}\b|\bsk-(?:ant-(?:api|admin)\d\d-|proj-|or-v1-|svcacct-)[A-Za-z0-9_-]{24,}|\bsk-[A-Za-z0-9]{40,}\b|\b[sr]k_live_[A-Za-z0-9]{20,}|\bxox[abprs]-[0-9]{8,}-[A-Za-z0-9-]{16,}|\bAIza[0-9A-Za-z_-]{35}\b|\bglpat-[A-Za-z0-9_-]{20,}|\bnpm_[A-Za-z0-9]{36}\b|\bhf_[A-Za-z0-9]{34}\b|\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{40,}|\bdop_v1_[a-f0-9]{64}\b|\bshpat_[a-f0-9]{32}\b|\bpypi-AgE[A-Za-z0-9_-]{50,}|\bgsk_[A-Za-z0-9]{48,}|\bxai-[A-Za-z0-9]{60,}|\btvly-(?:dev-)?[A-Za-z0-9]{30,}|\br8_[A-Za-z0-9]{36,}|\bpplx-[A-Za-z0-9]{40,})`,
      weigh: isReal,
    },
    {
      lines: 4,
      hints: ["private key-----"],
      re: String.raw`-----BEGIN (?:RSA |EC |OPENSSH |DSA |ENCRYPTED )?PRIVATE KEY-----(?:\\n|\s)+[A-Za-z0-9+/=]{40,}`,
      weigh: isReal,
    },
  ],
};

/** Keys are random: words, rows and repeats are how examples are written. */
function isReal({ text, line }: Match) {
  const body = text.slice(text.search(/[-_.][^-_.]*$/) + 1) || text;
  const distinct = new Set(text.slice(4)).size;
  if (EXAMPLE.test(text) || distinct < 12) return false;
  return /\b(?:example|sample|dummy|fake|revoked)\b/i.test(line) && body.length < 60 ? "medium" : true;
}

/** The beginning of a secret, enough to find it; the rest as dots. */
function redact(secret: string): string {
  return `${secret.slice(0, 8)}…(${secret.length} characters)`;
}
