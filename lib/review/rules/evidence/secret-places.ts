import type { Match } from "../../scan/rule";
import type { Severity } from "../../scan/schema";
import { isShownAsBad } from "./is-shown-as-bad";

const TAKES =
  /\b(?:cat|cp|scp|tar|zip|rsync|base64|xxd|head|tail|less|more|strings|grep|find|curl|wget|nc|gpg|type|get-content|copy-item|compress-archive|open|read|readfile|readfilesync|read_text|read_bytes|readtext|load|glob|listdir|walk|copyfile|copy2?|collect|gather|harvest|steal|exfiltrat\w+|upload|send|post|transmit|extract|dump|include|attach|embed|back ?up|archive|forward|copytree|expanduser|homedir|path\.home|sqlite3)\b/i;
const SETS_UP =
  /\b(?:ssh-keygen|ssh-copy-id|ssh-add|chmod|chown|ssh -i|scp -i|rsync -e|identityfile|mkdir|touch|aws configure|gcloud auth|kubeconfig=|--kubeconfig|export kubeconfig|stored? (?:in|at)|saved? (?:in|to|at)|lives? (?:in|at)|located (?:in|at)|configured? (?:in|at|via))\b/i;

/**
 * What naming a place where secrets are kept weighs: `high` when the line takes what is there, nothing when it sets the
 * place up or warns of it, and `info` for a mention.
 */
export function weighSecretPlace(match: Match): boolean | Severity {
  if (isShownAsBad(match)) return false;
  const rest = `${match.line.replace(match.text, " ")}`;
  if (SETS_UP.test(rest)) return "info";
  return TAKES.test(rest) ? true : "info";
}
