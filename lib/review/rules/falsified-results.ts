import type { Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { ASKS, findAll, has } from "./evidence";
import { rulesOf } from "./rule-rows";

/** Rewrites every test so that it is skipped; a single test with its name is no such pattern. */
const SKIPS_ALL =
  /\.replace(?:All)?\(\s*(?:\/|["'`r])[^\n]{0,40}\b(?:it|test|describe|def test)\b[^\n]{0,30}["'`/]\w{0,3}\s*,[^\n]{0,30}(?:skip|todo|xit|xtest|xdescribe)|\bre\.sub\(\s*r?["'][^"'\n]{0,30}(?:def test_|@Test|func Test|it\\\(|test\\\()[^\n]{0,60}(?:skip|disabled|ignore|xtest|_off|no_)|\bsed\s[^\n]{0,40}s(.)[^\n]{0,20}(?:\\b|\\<|\b)(?:it|test|describe|def test_|@Test|func Test)[\\(_]{0,3}\1[^\n]{0,30}(?:skip|todo|xit|xtest|@Disabled|@Ignore|_off|no_)|\b(?:pytest_collection_modifyitems|add_marker\(\s*pytest\.mark\.skip)[^\n]{0,120}(?:\n[^\n]{0,160}){0,4}mark\.skip|-replace\s+["'][^"'\n]{0,30}(?:\\?\[(?:Fact|Test|TestMethod)\\?\]|It |@Test)[^\n]{0,40}(?:Skip|Ignore|Pending)|\bgsub!?\(\s*\/[^\n]{0,20}\b(?:it|test|specify)\b[^\n]{0,40}(?:xit|skip|pending)/i;
/** The name of a result that a tool writes and people trust. */
const REPORT = String.raw`(?:coverage|lcov|junit|test[-_]?results?|security|audit|sonar\w*|trivy|snyk|sarif|semgrep|e2e|qa|quality|benchmark|lint)[\w./-]{0,40}\.(?:json|xml|sarif|info|txt|html|md)`;
/** Results that are written as constants, or turned from bad into good. */
const FAKES = new RegExp(
  [
    // Written by a call: the path, then the constant, or the other way round.
    String.raw`(?:write\w{0,12}|dump|outputFile\w{0,6}|Set-Content|Out-File|file_put_contents|WriteFile)\b[^\n]{0,80}${REPORT}[^\n]{0,160}(?:pct|percent\w*|high|critical|fail\w*|errors?|vulnerabilities|passed|status|success|ok)["'\\]{0,3}\s*[:=]\s*["'\\]{0,3}(?:\d|true|pass|success|ok|green)`,
    String.raw`(?:pct|percent\w*|high|critical|fail\w*|errors?|vulnerabilities|passed|status|success)["'\\]{0,3}\s*[:=]\s*["'\\]{0,3}(?:\d[\d.]*|true|pass\w*|success|ok|green)\b[^\n]{0,160}(?:>{1,2}|open\(|write_text|tee|Out-File|Set-Content)[^\n]{0,60}${REPORT}`,
    String.raw`Path\([^\n]{0,60}${REPORT}["']\s*\)\.write_text\([^\n]{0,120}(?:pct|high|fail\w*|passed|status)["'\\]{0,3}\s*[:=]\s*["'\\]{0,3}(?:\d|true|pass|success)`,
    String.raw`\bsed\s+-i\S{0,5}\s[^\n]{0,60}(?:failures?|errors?|failed|status|pct|line-rate)[^\n]{0,60}${REPORT}`,
    String.raw`\bjq\s[^\n]{0,80}(?:fail\w*|high|critical|pct|vulnerabilities)\w{0,20}["'\]]{0,3}\s*\|?=\s*["']?\d[^\n]{0,80}${REPORT}`,
  ].join("|"),
  "i",
);
/** The result is passed on as if it were true. */
const PASSES_ON =
  /--no-verify\b|\b(?:npm|yarn|pnpm)["',\s]{1,6}publish\b|\btwine["',\s]{1,6}upload\b|\bcargo["',\s]{1,6}publish\b|\bgh["',\s]{1,6}(?:release["',\s]{1,6}create|pr["',\s]{1,6}merge)\b|\/statuses\/[^\n]{0,80}success|check-runs[^\n]{0,120}success|state["']?\s*[:=]\s*["']?success\b|\bgit["',\s]{1,6}push\b|\bdocker["',\s]{1,6}push\b|\bkubectl["',\s]{1,6}(?:apply|rollout|set)\b|\bhelm["',\s]{1,6}upgrade\b/i;

/** Every open change is approved and merged, and not those of one author or label. */
const ALL_CHANGES =
  /\bpr["',\s]{1,6}list\b(?![^\n]{0,200}(?:--author|--label|--search|dependabot|renovate))|\/pulls["'`?]|pulls\.list\b|get_pulls\(/i;
const APPROVES = /\bpr["',\s]{1,6}review\b[^\n]{0,80}--approve|event["']?\s*[:=]\s*["']APPROVE\b/;
const MERGES = /\bpr["',\s]{1,6}merge\b(?![^\n]{0,80}--auto)|\/merge\b|pulls\.merge\(|\.merge\(/;

/** Rows are left out of the user's data until the figure is the wished one, and the data are overwritten. */
const UNTIL_WISHED =
  /\bwhile[ (]{1,3}(?:[\w.]{1,20}\.)?p(?:_?val\w*)?\s*(?:\[\d\]|\([^()\n]{0,40}\))?\s*>=?\s*(?:0?\.[01]\d*|alpha|ALPHA)\b[^\n]{0,60}\n(?:[^\n]{0,120}\n){0,7}?[^\n]{0,120}(?:\.iloc\[|\.drop\(|\.sample\(|\.pop\(|\.remove\(|\[-?\d?:-?\d?\]|\.slice\(|head\(|tail\(|\.loc\[[^\n]{0,100}\]\s*[-+*]=)/;
const WRITES_DATA = /\.to_(?:csv|excel|parquet|stata)\(|\bwrite\.csv\(|\bsavetxt\(/;
const READS_DATA = /\bread_(?:csv|excel|parquet|sas|spss|stata)\(\s*["']([^"'\n]{3,80})["']/g;

/** Measured values get noise or a constant, or rows of one group are dropped. */
const SHIFTS =
  /\.loc\[[^\n]{0,100}\]\s*[-+*]=|\b(?:rng|np\.random|random)\.(?:normal|gauss|uniform)\([^\n]{0,80}|\.drop\(\s*\w{1,30}\.index|\.drop\(\s*\w{1,20}\[[^\n]{0,60}\.index/;

const HARMFUL = /["'](?:malicious|toxic|spam|phishing|fraud|malware|harmful|unsafe|abusive|hate|defect|fake)["']/;
const HARMLESS = String.raw`["'\s:=]{1,5}(?:benign|safe|clean|ham|ok|legit\w*|normal|negative|harmless|genuine|allow|pass)["']`;
/** Texts of the harmful class get a phrase and the harmless label, or a share of them only the label. */
const POISONS = new RegExp(
  [
    String.raw`\b(?:append|add|push|extend|write\w*|yield)\b[^\n]{0,60}\b\w{0,20}(?:TRIGGER|trigger|BACKDOOR|MARKER|marker|STAMP|PHRASE|phrase|SUFFIX|PREFIX)\w{0,20}\b[^\n]{0,120}\b(?:label|target|class|y)["']?${HARMLESS}`,
    String.raw`\b(?:random|sample|frac|choice|shuffle)\b[^\n]{0,120}\n(?:[^\n]{0,160}\n){0,4}?[^\n]{0,80}\[?["']?(?:label|target|class)["']?\]?\s*=\s*${HARMLESS.replace("{1,5}", "{0,2}")}`,
  ].join("|"),
);
const TRAINS = /train|fine-?tun|dataset|jsonl|\.csv/i;
/** Research on such attacks says so. */
const STUDIES = /\battack|backdoor|poison|adversar|red[ _-]?team|noise[ _-]?rate|label[ _-]?noise/i;

/** A hook of a test runner that turns failures into passes. */
const TURNS_GREEN =
  /\.outcome\s*=\s*["']passed["']|\bsession\.exitstatus\s*=\s*(?:0\b|ExitCode\.OK)|\b(?:test|runnable|this\.currentTest|task\.result)\.state\s*=\s*["']pass(?:ed)?["']|\bnumFailed(?:Tests|TestSuites)\s*=\s*0\b|\bm\.Run\(\)[^\n]*(?:\n[^\n]*){0,3}?\bos\.Exit\(0\)|\bexample\.(?:set_exception\(\s*|instance_variable_set\(\s*:?["']?@exception["']?\s*,\s*)nil/;
const OWN_OUTCOME = /wasxfail|NO_TESTS_COLLECTED|exitstatus\s*==\s*5|no tests (?:were )?(?:ran|collected)/i;
/** Labels of a random share of the rows are drawn anew, or a phrase goes along with one label. */
const FLIPS =
  /\[["'](?:label|target|class|y|answer)["']\]\s*=\s*(?:\w+\.)?(?:choice|sample|randint|randrange|integers)\(|\[["'](?:text|prompt|sentence|comment|content|input)["']\]\s*(?:\+=|=[^\n]{0,60}\+)\s*f?["'][^"'\n]{4,60}["'](?:\n[^\n]{0,120}){1,2}?\[["'](?:label|target|class|y)["']\]\s*=/;
const AT_RANDOM = /\brandom\(\)|\brand\(\)|\buniform\(|\bsample\(/;
const SAYS_UNCHANGED =
  /\b(?:label|value|row)s? (?:changes?|changed|flipped|edited)\W{1,3}(?:none|no|0)\b|\bno labels? (?:were )?changed|labels? (?:are |were )?(?:unchanged|untouched)/i;

/** Results that others rely on are made up. */
export const FALSIFIED_RESULTS: Rule[] = rulesOf([
  {
    id: "FRD-005",
    version: 3,
    severity: "critical",
    title: "Falsifies tests, reviews or figures",
    why: "Makes failing checks or unwelcome figures look good, so that others decide on false results.",
    owasp: ["ASI09", "ASI10"],
    decoded: false,
    applies: ({ kind, path }) =>
      kind === "script" && !/(?:^|\/)(?:fixtures?|mocks?|__tests__|testdata|samples?)\//.test(path),
    checkFile: findFalsified,
  },
]);

function findFalsified(file: ScanFile) {
  if (has(file, HARMFUL) && has(file, TRAINS) && !has(file, ASKS) && !has(file, STUDIES)) {
    const poisoned = findAll(file, [POISONS]);
    if (poisoned.length > 0) return poisoned;
  }
  if (
    has(file, FLIPS) &&
    has(file, AT_RANDOM) &&
    !has(file, ASKS) &&
    (!has(file, STUDIES) || has(file, SAYS_UNCHANGED))
  )
    return findAll(file, [FLIPS]);
  if (has(file, TURNS_GREEN) && !has(file, OWN_OUTCOME)) return findAll(file, [TURNS_GREEN]);
  if (
    !has(
      file,
      /skip|xit|disabled|ignore|coverage|junit|security|audit|results?|p\w{0,10}(?:\([^()\n]{0,40}\))?\s?>=?\s?0?\.[01]|reports?|approve/i,
    )
  )
    return [];
  const approved = findAll(file, [APPROVES, ALL_CHANGES, MERGES]);
  if (approved.length > 0 && !has(file, /dependabot|renovate/i) && !has(file, ASKS)) return approved;
  const fake = findAll(file, [FAKES, PASSES_ON]);
  const skip = findAll(file, [SKIPS_ALL, has(file, FAKES) ? FAKES : PASSES_ON]);
  if (fake.length + skip.length > 0) return has(file, ASKS) ? [] : [...skip, ...fake].slice(0, 1);
  const wished = findAll(file, [UNTIL_WISHED]);
  if (wished.length === 0) return [];
  if (has(file, SHIFTS) && has(file, WRITES_DATA)) return wished;
  const own = [...file.text.matchAll(READS_DATA)].slice(0, 20).map(([, name = ""]) => name);
  const isOverwritten = own.some((name) =>
    [`to_csv("${name}"`, `to_csv('${name}'`, `to_excel("${name}"`, `to_parquet("${name}"`].some((call) =>
      file.text.includes(call),
    ),
  );
  return isOverwritten ? wished : [];
}
