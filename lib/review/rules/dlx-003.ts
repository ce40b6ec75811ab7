import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";

const DECODE = String.raw`(?:base64|gbase64)\s+(?:-\w*[dD]\w*|--decode)|openssl\s+(?:enc\s+-d|base64\s+-d)|xxd\s+-r|base32\s+-d`;
const SHELL = String.raw`(?:sudo\s+(?:-\S+\s+)*)?(?:/(?:usr/)?bin/(?:env\s+)?)?(?:(?:ba|z|da|k|fi)?sh\b|python[\d.]*|perl|ruby|node|php|osascript)`;
const PY_DECODE = String.raw`(?:b64decode|b32decode|b85decode|a85decode|fromhex|unhexlify|decodebytes|codecs\.decode|zlib\.decompress|lzma\.decompress|marshal\.loads|rot13)`;

export const decodedAndRun: Rule = {
  id: "DLX-003",
  version: 1,
  severity: "critical",
  title: "Decoded and executed",
  why: "A command is kept where nobody can read it and decoded only to be executed.",
  owasp: ["ASI05", "ASI04"],
  patterns: [
    {
      hints: ["base64", "openssl", "xxd", "base32"],
      re: String.raw`(?:${DECODE})[^\n|]*(?:\|\s*(?:gunzip|gzip\s+-d|zcat|tr|rev|xxd)[^\n|]*)*\|\s*${SHELL}`,
      weigh: unlessShownAsBad("info", ({ text, after }) => {
        // `… | base64 -d | python3 -m json.tool` and `python3 -c "…"` read what was decoded as data.
        return !(
          /(?:python[\d.]*|node|perl|ruby|php)$/i.test(text) && /^\s+(?:-m|-c|-e|-p|-n|[\w./]+\.\w+)/.test(after)
        );
      }),
    },
    {
      hints: ["base64", "openssl", "xxd"],
      re: String.raw`(?:\beval\s+["']?(?:\$\(|\x60)|\b(?:ba|z|da)?sh\s+(?:-c\s+)?["']?(?:\$\(|\x60|<\(|<<<\s*["']?\$\()|\bsource\s+<\(|\bpython[\d.]*\s+-c\s+["']?\$\()[^\n]*(?:${DECODE})`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["decode", "fromhex", "unhexlify", "decompress", "marshal", "rot13"],
      re: String.raw`\b(?:exec|eval|compile|os\.system|os\.popen|subprocess\.(?:run|call|popen|check_output|check_call|getoutput))\s*\([^\n]{0,120}\b${PY_DECODE}\s*\(`,
      weigh: unlessShownAsBad("info", ({ text }) => !/input=|stdin=/.test(text)),
    },
    {
      lines: 9,
      hints: ["b64decode", "fromhex", "unhexlify", "decompress"],
      re: String.raw`^[ \t]*(\w+)\s*=\s*[^\n]{0,160}\b(?:b64decode|fromhex|unhexlify|zlib\.decompress)\s*\([^\n]*\n(?:[^\n]*\n){0,6}?[^\n]*\b(?:exec|eval|os\.system)\s*\(\s*(\w+)`,
      weigh: unlessShownAsBad("info", ({ groups: [decoded, run] }) => decoded !== undefined && decoded === run),
    },
    {
      hints: ["atob", "base64", "frombase64string"],
      re: String.raw`(?:\b(?:eval|Function|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|vm\.runIn\w+|assert|system|shell_exec|passthru)\s*\(\s*[^\n]{0,100}(?:\batob\s*\(|Buffer\.from\s*\([^)\n]*["']base64["']|base64_decode\s*\(|Base64\.decode64)|(?:iex|invoke-expression)[^\n]{0,160}FromBase64String|FromBase64String[^\n]{0,200}\|\s*(?:iex|invoke-expression))`,
      weigh: unlessShownAsBad("info"),
    },
  ],
};
