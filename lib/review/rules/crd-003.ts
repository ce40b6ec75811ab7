import type { Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { weighSecretPlace } from "./evidence/secret-places";

export const secretStores: Rule = {
  id: "CRD-003",
  version: 1,
  severity: "high",
  title: "Browser stores, keychains, wallets, token files",
  why: "Passwords, sessions and money are kept there; stealers go for these files first.",
  owasp: ["ASI03", "LLM02"],
  patterns: [
    {
      hints: ["login data", "cookies", "logins.json", "key4.db", "local state", "web data"],
      re: String.raw`(?:(?:Google[/\\]+Chrome|google-chrome|Chromium|BraveSoftware|Microsoft[/\\]+Edge|Firefox|Mozilla|Opera|Vivaldi)\b[^\n]{0,100}\b(?:Login\s+Data|Cookies|Local\s+State|Web\s+Data|logins\.json|key4\.db|cookies\.sqlite)\b|["'\x60/\\](?:Login\s+Data|logins\.json|key4\.db|cookies\.sqlite)["'\x60\s])`,
      weigh: (match) =>
        isShownAsBad(match)
          ? "info"
          : /Login\s+Data|logins\.json|key4|Local\s+State/i.test(match.text)
            ? true
            : "medium",
    },
    {
      hints: [
        "keychain",
        "find-generic-password",
        "find-internet-password",
        "secret-tool",
        "cmdkey",
        "vaultcmd",
        "mimikatz",
        "lsass",
      ],
      re: String.raw`\bsecurity\s+(?:dump-keychain|find-internet-password|export\s+-k)\b|(?:cp|cat|tar|zip|scp|open)\b[^\n]*login\.keychain(?:-db)?\b|\bvaultcmd\s+/list|\bmimikatz\b|\blsass\.(?:dmp|exe)|\bcmdkey\s+/list`,
      weigh: (match) => (isShownAsBad(match) ? "info" : true),
    },
    {
      hints: ["find-generic-password"],
      re: String.raw`\bsecurity\s+find-generic-password\b[^\n]*`,
      // One's own entry by name is how scripts on a Mac keep a key.
      weigh: (match) =>
        isShownAsBad(match) ? "info" : /-g[aw]*\b[^\n]*chrome|chrome safe storage/i.test(match.text) ? true : "info",
    },
    {
      hints: [
        "wallet",
        "electrum",
        "exodus",
        "metamask",
        "solana",
        "keystore",
        "phantom",
        "nkbihfbeogaeaoehlefnkodbefgpgknn",
        "bfnaelmomeimhlpmgjnjophhpkkoljpa",
      ],
      re: String.raw`\bwallet\.dat\b|[~$\w{}%./\\-]*\.electrum[/\\]wallets|Exodus[/\\]exodus\.wallet|nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa|[~$\w{}./-]*\.config/solana/id\.json|[~$\w{}./-]*\.ethereum/keystore`,
      weigh: (match) =>
        /wallet\.dat|nkbih|bfnael|Exodus|electrum/i.test(match.text)
          ? isShownAsBad(match)
            ? "info"
            : true
          : weighSecretPlace(match),
    },
    {
      hints: ["seed phrase", "mnemonic", "recovery phrase", "private key"],
      re: String.raw`\b(?:send|upload|post|transmit|collect|extract|steal|exfiltrat\w+|harvest|forward|email)\s+(?:(?:the|your|their|any|all|user(?:['’]s)?|every|found|of|and|wallet|crypto|address(?:es)?)\s+){0,4}(?:seed\s+phrases?|mnemonics?|recovery\s+phrases?|private\s+keys?|wallet\s+(?:keys|passwords?))`,
      weigh: (match) => (isShownAsBad(match) ? "info" : true),
    },
    {
      hints: [
        ".netrc",
        ".npmrc",
        ".git-credentials",
        ".pypirc",
        ".gnupg",
        "gh/hosts.yml",
        ".password-store",
        ".pgpass",
        ".bash_history",
        ".zsh_history",
        "/etc/shadow",
        ".claude.json",
        ".claude/.credentials",
      ],
      re: String.raw`[~$\w{}%./\\-]*(?:\.netrc|\.npmrc|\.git-credentials|\.pypirc|\.gnupg|gh/hosts\.yml|\.password-store|\.pgpass|\.(?:bash|zsh)_history|/etc/shadow|\.claude/\.credentials(?:\.json)?|\.codex/auth\.json)\b`,
      weigh: (match) => {
        const weight = weighSecretPlace(match);
        // Writing one's own token file is set-up.
        return weight === true && /(?:>>?|\btee)\s*["']?$/.test(match.before.slice(-8)) ? "info" : weight;
      },
    },
  ],
};
