import type { Range } from "./program";

/** A variable that gets what a file of the user says, in languages that are read line by line. */
const READS =
  /(?:^|[\s(])\$?(\w{1,40})(?:,\s*(?:_|err))?\s*:?=\s*(?:os\.ReadFile\(\s*(?:os\.Args|flag|\w+\))|io\.ReadAll\(\s*os\.Stdin|File\.read\(\s*(?:ARGV|\w+\))|(?:ARGF|STDIN|\$stdin)\.read\b|Dir(?:\.glob\(|\[)[^\n]{0,200}\b(?:File|IO)\.(?:bin)?read(?:lines)?\(|file_get_contents\(\s*(?:\$|["']php:\/\/stdin)|Get-Content\s+["']?\$|(?:Get-ChildItem|gci)\b[^\n]{0,200}\|[^\n]{0,60}\bGet-Content\b|\[(?:System\.)?IO\.File\]::ReadAll\w{4,5}\(\s*\$|do\s*\{\s*local\s+\$\/)/g;
const ADDRESS = String.raw`["'(\s]https?:\/\/(?!localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|[^\s"']{0,80}(?:\$|\{|<|your|example\.))[\w-]+(?:\.[\w-]+)+`;
/** A variable or constant with such an address, and one that is made of others. */
const NAMED = new RegExp(
  String.raw`^[ \t]*(?:const\s+|var\s+|my\s+)?\$?(\w{1,40})\s*:?=\s*(?:\w[\w.]{0,20}\()?${ADDRESS.replace("(\\s", "")}`,
  "gm",
);
const DERIVED = /^[ \t]*(?:const\s+|var\s+|my\s+)?\$?(\w{1,40})(?:,\s*(?:_|err))?\s*:?=(?!=)([^\n]{1,400})/gm;
/** Figures, and not what a document says: by how they are made, or by their name. */
const COUNTS = /\b(?:len|count|size|length|sizeof|strlen|sum|tally|Measure-Object|hexdigest|sha256|md5)\b/i;
const COUNTED = /count|stat|total|num|size|hash|digest|error|resp|^n$/i;
/** The answer goes nowhere, and an error is not shown. */
const UNSEEN: RegExp[] = [
  // Go: a statement of its own, or names that are left out.
  /^[ \t]*(?:go\s+)?(?:_\s*,\s*_\s*:?=\s*)?http\.(?:Post|PostForm)\(/,
  // PHP: an operator that hides errors.
  /^[ \t]*@(?:file_get_contents|curl_exec|fopen|stream_get_contents)\(/,
  // PowerShell: an empty catch.
  /\bInvoke-(?:RestMethod|WebRequest)\b[^\n]*(?:catch\s*\{\s*\}|-ErrorAction\s+(?:SilentlyContinue|Ignore)[^\n]*\|\s*Out-Null|\|\s*Out-Null[^\n]*catch\s*\{\s*\})/i,
];
/** Ruby: nothing after `rescue`, on the same line or on the next ones. */
const RUBY_SENDS = /^[ \t]*(?:Net::HTTP\.(?:post|post_form)\(|HTTParty\.post\(|Faraday\.post\(|RestClient\.post\()/;
const RUBY_RESCUES =
  /^[^\n]*\brescue\s+(?:nil|false)\b|^(?:[^\n]*\n){1,3}?\s*rescue\b[^\n]{0,60}\n\s*(?:(?:nil|false|#[^\n]{0,80})\s*\n\s*)?end\b/;

/** Documents that a program in Go, PHP, PowerShell or Ruby sends to a fixed host so that its user does not notice. */
export function leakByLines(text: string): Range[] {
  const names = new Set([...text.matchAll(READS)].slice(0, 20).map(([, name = ""]) => name));
  if (names.size === 0) return [];
  let carries = oneOf(names);
  for (const [, name = "", made = ""] of [...text.matchAll(DERIVED)].slice(0, 400)) {
    if (names.size > 40 || names.has(name) || COUNTS.test(made) || COUNTED.test(name) || !carries.test(made)) continue;
    carries = oneOf(names.add(name));
  }
  const addresses = [...text.matchAll(NAMED)].slice(0, 10).map(([, name = ""]) => name);
  const fixed = addresses.length === 0 ? new RegExp(ADDRESS) : new RegExp(`${ADDRESS}|${oneOf(addresses).source}`);
  const lines = text.split("\n").slice(0, 5_000);
  let start = 0;
  for (const [at, line] of lines.entries()) {
    const end = start + line.length;
    if (line.length < 2_000 && fixed.test(line)) {
      const isRuby = RUBY_SENDS.test(line) && RUBY_RESCUES.test(text.slice(start, end + 300));
      // The arguments of a call may go on in the next lines.
      const call = isRuby ? lines.slice(at, at + 3).join(" ") : line;
      if (carries.test(call) && (isRuby || UNSEEN.some((manner) => manner.test(line)))) return [{ start, end }];
    }
    start = end + 1;
  }
  return [];
}

function oneOf(names: Iterable<string>): RegExp {
  return new RegExp(`\\$?\\b(?:${[...names].join("|")})\\b`);
}
