import * as deceits from "./order-deceits";
import * as deeds from "./order-deeds";
import * as manners from "./order-manners";
import * as targets from "./order-targets";
import { foreignScripts, hasMatch, isOrdered, lowestOf, near, readWords, type Test, type Words } from "./order-words";

/** A sentence, list item or table row of a section; `lead` is the unit before the list that ends in a colon. */
export type Unit = { start: number; text: string; lead: number | null };
/** `isPlain`: what the texts of checks and attacks speak of, such as a vulnerability, does not make it less. */
export type Judgement = { why: "leak" | "order"; unit: number; isPlain?: boolean };

/** Units are bits of a number, so that what stands near what is a few operations. */
export const MAX_UNITS = 28;

const QUOTED_OR_NEGATED = /["'“‘`«]$|\b(?:never|not|don['’]t|nicht|não|nunca|jamais)\b[^.\n]{0,50}$|(?:不要|不|не )$/;
/** What an ordinary request is made of. */
const CARRIERS =
  /\b(?:query|param\w*|body|field|form|request|metadata|trailer|address|comment|header|user-agent|ticket|issue)\b|par[aáâ]m[eè]tr|cabe[cç]|encabez|\bcampo\b|\bfeld\b|formular|anfrage|en-tête|champ\b|поле|параметр|заголов|запрос|参数|字段|请求|标头|パラメータ|フィールド|リクエスト|ヘッダ|매개변수|파라미터|필드|요청|헤더/;
const QUOTES = /\be\.g\b|\bfor example\b|\bsuch as\b/;
/** Signing a request, or what a service documents of its own interface. */
const SIGNS =
  /\b(?:authorization|bearer|oauth|x-api-key|api key header|in (?:the|a) header|sign(?:ed|ature)?|log ?in(?! data)|sign ?in|sign ?up|rotate|revoke|grant|redirect|support@|security@|privacy@|placeholder|encrypt(?:ed|s)?|secret manager|(?<![-./@])(?:vault|dashboard|console)(?![-./]\w)|public (?:ssh )?key)\b/;
/** Begins with a word for what the sentence before names. */
const REFERS_BACK =
  /^\W*(?:(?:they|these|those|it|everything|all (?:of )?(?:it|this|that|them)|sie|dies\w*|alles|todo|esto|tout|cela|tudo|isso)\b|всё|это|их |它们|全部|これら|それら|모두|이를)/;
const PUBLIC =
  /\bpublic(?:ly)? (?:\w+ )?(?:channel|gist|repo\w*|issue|page|link|paste|forum|chat|bucket|log|wiki|ticket|comment|pull request)\b|\bnew issue (?:in|at)\b|\bthat (?:everyone|everybody|anyone|all) can (?:read|see|open)\b/;
/** An item of a list that is taken out, masked or forbidden. */
const WITHHELD = /\b(?:no|not|never|without|except|mask\w*|redact\w*|remov\w*|strip\w*|exclud\w*|instead)\b/;
/** Takes what follows out of what is sent: the lead of a list, or a sentence about all of it. */
const KEEPS_OUT =
  /^[^.\n]{0,20}\b(?:keep|leave|strip|omit|exclude|mask|redact|drop)\b[^.\n]{0,40}:$|\b(?:contains?|carr(?:y|ies)|gets?|sees?|never (?:send|contains?|include)) (?:no|none|nothing)\b[^.\n]{0,40}|^nothing (?:about|of|from|that)\b|\b(?:never|must not|do not|don['’]t) (?:send|include|put|contain|carry|share|pass)\b[^.\n]{0,40}:$/;
const TAKEN_OUT =
  /\b(?:remove|mask|redact|strip|blank out|leave out)\b[^.;\n]{0,60}(?:\.env\b|\b(?:values?|secrets?|keys?|tokens?|passwords?|credentials|variables)\b)/;
/** `write facts only, nothing in the global CLAUDE.md`: the file is what must not be changed. */
const KEEPS_AWAY =
  /\b(?:nothing|never|not|no (?:line|entry|rule|text)s?) (?:\w+ ){0,2}(?:in|to|into|at) (?:\S+ ){0,4}\S*$/;
/** Sends a file as it is. */
const UPLOADS_FILE =
  /\b(?:curl|wget|https?|xh)\b[^\n]{0,120}(?:\s-t\s?\S|--upload-file|=@|[\s'"]@|--post-file)|\b(?:s3|gsutil|rclone|scp|rsync) (?:cp|copy|sync|put)?\b|\b(?:upload|post|send|put|submit)\b[^.\n]{0,30}\b(?:table|file|sheet|dataset|csv|workbook|export|dump|rows)\b/;
/** What a skill does well to keep to itself. */
const GUARDED = /\b(?:tokens?|keys?|passwords?|values?|sensitive|pii|blog|changelog|by name|names)\b/;
const GUARDED_ABROAD =
  /薪|工资|給与|급여|зарплат|gehalt|salario|salário|salaire|passw|zugangsdaten|persönlich|kundendaten|contraseñ|claves?\b|datos personales|mots? de passe|données personnelles|senhas?\b|dados pessoais|парол|личн|секрет|密码|密钥|个人|隐私|パスワード|個人|秘密|비밀번호|개인 ?정보/;
const PLACE_HINT = /https?:|@|webhook|telegram|discord|slack|subdomain|git\.|s3:|gs:|[>}]\./;

/** Words of a page in quotation marks that are to be read and not followed. */
const QUOTED = /[「『“"«][^」』”"»\n]{4,80}[」』”"»]/;
const AS_DATA =
  /\b(?:treat|handle|regard)\b[^.\n]{0,60}\bas (?:\w+ )?(?:data|content|text)\b|\bals (?:daten|inhalt|text) (?:behandel|zu behandeln)|\b(?:trat|consider)\w*[^.\n]{0,40}\bcomo (?:datos|contenido|dados|conteúdo|texto)\b|\btrait\w*[^.\n]{0,40}\bcomme (?:des données|du contenu|du texte)\b|(?:当作|视为|當作)(?:内容|数据|普通文本|內容)|(?:データ|内容)として扱|как (?:данные|текст)|데이터로 (?:취급|다루)/;

/** What the units of a section say together: a leak, an order against the user, or both, as far as they are asked for. */
export function judgeUnits(units: Unit[], asked: Record<Judgement["why"], number>): Judgement[] {
  const page = readPage(units);
  const section = readSection(page, page.scripts);
  const manner = readManner(section);
  const found: Judgement[] = [];
  const leak = asked.leak > 0 ? leaksOf(section, manner) | hiddenCopiesOf(section, manner) : 0;
  if (leak !== 0) found.push({ why: "leak", unit: lowestOf(leak) });
  const order = asked.order > 0 ? ordersOf(section, manner) : 0;
  if (order !== 0) found.push({ why: "order", unit: lowestOf(order) });
  const deceitScripts = deceits.ABROAD.some(
    ({ script, expression, id }) =>
      (page.scripts & script) !== 0 && page.hinted[id] !== 0 && page.whole.search(expression) !== -1,
  )
    ? page.scripts
    : 0;
  const deceit = asked.order > 0 ? deceitsOf(readSection(page, deceitScripts), manner) : 0;
  if (deceit !== 0) found.push({ why: "order", unit: lowestOf(deceit), isPlain: true });
  return found;
}

type Section = ReturnType<typeof readSection>;

function readPage(units: Unit[]) {
  const texts = units.map(({ text }) => text);
  const whole = texts.join("\n");
  const scripts = foreignScripts(whole);
  return { units, texts, whole, scripts, hinted: readWords(texts, scripts) };
}

/** `scripts`: those in which words of other languages are tried too. */
function readSection({ units, texts, whole, hinted }: ReturnType<typeof readPage>, scripts: number) {
  const maskIn = (expression: RegExp, among: number, test: Test) => {
    let mask = 0;
    for (let left = among; left !== 0; left &= left - 1) {
      const at = lowestOf(left);
      if (hasMatch(expression, texts[at] ?? "", test)) mask |= 1 << at;
    }
    return mask;
  };
  const maskOf = ({ english, others, id }: Words, test: Test) => {
    let mask = maskIn(english, hinted[id] ?? 0, test);
    if (scripts === 0) return mask;
    for (const { script, expression, id } of others)
      if ((scripts & script) !== 0) mask |= maskIn(expression, hinted[id] ?? 0, test);
    return mask;
  };
  /** Several judgements ask for the same words. */
  const once = (test: Test) => {
    const known = new Map<number, number>();
    return (words: Words) => {
      if (scripts === 0 && hinted[words.id] === 0) return 0;
      const mask = known.get(words.id) ?? maskOf(words, test);
      known.set(words.id, mask);
      return mask;
    };
  };
  return {
    whole,
    /** Units that say one of the words. */
    said: once(() => true),
    /** Units that say it as an order, and not as a thing never to do. */
    ordered: once(isOrdered),
    maskOf,
    /** Units with a match, of those that are asked for. */
    tested: (pattern: RegExp, among = (1 << texts.length) - 1) => {
      let mask = 0;
      for (let left = among; left !== 0; left &= left - 1) {
        const at = lowestOf(left);
        if (pattern.test(texts[at] ?? "")) mask |= 1 << at;
      }
      return mask;
    },
    /** The items of lists that these units lead. */
    itemsOf: (leads: number) =>
      units.reduce((mask, { lead }, at) => (lead !== null && leads & (1 << lead) ? mask | (1 << at) : mask), 0),
  };
}

type Manner = ReturnType<typeof readManner>;

function readManner({ said, ordered, maskOf, tested }: Section) {
  let hides = maskOf(manners.HIDES, isDeedHidden);
  const lies = ordered(manners.LIES);
  const covers = ordered(manners.COVERS);
  let overrules = maskOf(
    manners.OVERRULES,
    (match, text) => !QUOTED_OR_NEGATED.test(text.slice(Math.max(0, match.index - 60), match.index)),
  );
  if ((hides | overrules) !== 0) {
    const quoted = tested(QUOTED) & tested(AS_DATA);
    hides &= ~quoted;
    overrules &= ~quoted;
  }
  const sticks = said(manners.STICKS);
  const evades = said(manners.EVADES);
  const unasked = said(manners.UNASKED);
  const isPlain = (hides | lies | unasked) === 0;
  let consents: number | undefined;
  return {
    ...{ hides, lies, covers, overrules, sticks, evades, unasked },
    /** Read when something is found, which is seldom. */
    consents: () => (consents ??= isPlain ? said(manners.CONSENTS) : 0),
  };
}

/** Secrets that go to a place, or personal things without the user's knowledge. */
function leaksOf(section: Section, manner: Manner): number {
  const { said, ordered, tested, itemsOf } = section;
  if (!PLACE_HINT.test(section.whole)) return 0;
  const places = said(deeds.PLACES);
  if (places === 0) return 0;
  const sends = ordered(deeds.SENDS);
  const carries = said(deeds.CARRIES);
  const includes = ordered(deeds.INCLUDES);
  const signs = tested(SIGNS);
  const kept = tested(KEEPS_OUT);
  const withheld = kept === 0 ? 0 : kept | itemsOf(kept);
  const secrets = said(deeds.SECRETS) & ~withheld;
  const free = ~near(secrets !== 0 || carries !== 0 || sends !== 0 ? manner.consents() : 0);
  if (secrets !== 0) {
    const bare = secrets & ~signs & ~tested(QUOTES) & ~tested(TAKEN_OUT);
    const taken = bare & ordered(deeds.TAKES);
    const leak =
      (bare & sends & (places | (places >> 1))) |
      ((bare << 1) & sends & places & ~signs & tested(REFERS_BACK)) |
      ((taken << 1) & (sends | (includes & tested(CARRIERS))) & places & ~signs) |
      (bare & includes & places & tested(CARRIERS)) |
      (itemsOf((sends | includes) & places) & bare & ~tested(WITHHELD)) |
      (near(near(bare)) & carries & places);
    if ((leak & free) !== 0) return leak & free;
  }
  const personal = said(deeds.PRIVATE) & ~withheld;
  const covert = manner.hides | manner.lies | manner.covers | manner.evades | manner.unasked;
  const quiet = (manner.hides | manner.unasked) === 0 ? 0 : said(deeds.PERSONAL);
  // Verbs of sending are too many to list, so that none of them need be there when the deed is hidden.
  const forbidden = (said(deeds.SENDS) & ~sends) | (said(deeds.INCLUDES) & ~includes & ~manner.hides);
  const unknown =
    ~near(forbidden) &
    near(places) &
    near(near(covert)) &
    near(personal | quiet | (secrets & near(covert))) &
    ~near(signs);
  const row = personal & free & ((carries & tested(deeds.ALL_OF_IT)) | (includes & places & tested(deeds.IN_EACH)));
  const beacon =
    carries & ~near(withheld) & near(near(personal)) & near(near(includes | sends | tested(/base64|encoded/))) & free;
  const told = (sends & places & free) === 0 ? 0 : sends & places & free & (personal | tested(deeds.EACH_COPY));
  const whole = sends & places & free & ~signs;
  const named = whole === 0 ? 0 : whole & said(deeds.IDENTIFIED) & ~withheld & tested(UPLOADS_FILE, whole);
  const always = told === 0 ? 0 : told & ((personal & near(said(deeds.ALWAYS))) | (said(targets.PURPOSES) & ~signs));
  const covered = near(sends & places) & near(manner.lies | manner.covers) & near(sends) & ~near(signs);
  return unknown | row | beacon | named | always | covered;
}

/** Copies told in oblique words, to places with and without an address, and secrets in what others read anyway. */
function hiddenCopiesOf({ said, ordered, tested }: Section, manner: Manner): number {
  const encoded = said(targets.ENCODED);
  const carried = encoded === 0 ? 0 : ordered(targets.CARRIED_IN);
  if (carried !== 0) {
    const free = ~near(manner.consents());
    const written = said(deeds.SECRETS) & encoded & carried & ~tested(QUOTES) & free;
    if (written !== 0) return written;
  }
  // A secret that is put where everyone reads.
  const exposed =
    ordered(targets.EXPOSES) | tested(PUBLIC, (ordered(deeds.SENDS) | ordered(deeds.INCLUDES)) & said(deeds.SECRETS));
  if (exposed !== 0) {
    const told = exposed & ~tested(WITHHELD) & ~near(manner.consents());
    if (told !== 0) return told;
  }
  const covert = manner.hides | manner.lies | manner.covers;
  const asked = said(manners.ASKED);
  if ((covert | asked | manner.unasked) === 0) return 0;
  const sends = ordered(deeds.SENDS);
  const moves = sends | ordered(targets.OBLIQUE);
  const places = said(deeds.PLACES) | said(targets.NAMED_PLACES);
  if (places === 0) return 0;
  // Who forbids to send or to include other things, or lets the user decide, hides nothing.
  const forbidden = (said(deeds.SENDS) & ~sends) | (said(deeds.INCLUDES) & ~ordered(deeds.INCLUDES));
  const consents = (manner.lies | manner.unasked) === 0 ? said(manners.CONSENTS) & ~tested(/the user['’]s own/) : 0;
  const open = ~near(near((forbidden | consents) & ~manner.hides)) & ~tested(SIGNS);
  const secrets = said(deeds.SECRETS);
  const things = said(deeds.PERSONAL) | said(deeds.PRIVATE) | secrets | said(targets.ENTRUSTED);
  const moved = moves & places & near(things) & open;
  const beacon = said(deeds.CARRIES) & near(near(covert)) & open;
  return (moved & near(near(covert) | asked)) | (moved & secrets & near(manner.unasked)) | beacon;
}

/** Deeds that are hidden, denied, kept against the user's will, or done without consent. */
function ordersOf({ said, ordered, maskOf }: Section, manner: Manner): number {
  const { hides, lies, covers, overrules, sticks, evades, unasked } = manner;
  const strong = [hides, lies, covers, overrules, sticks, evades];
  const any = strong.reduce((all, one) => all | one, unasked);
  const rewrites = maskOf(deeds.REWRITES, (match, text) => isOrdered(match, text) && !KEEPS_AWAY.test(match[0]));
  const follows = ordered(deeds.TAKES_ORDERS);
  const admits = ordered(manners.SELF_APPROVES);
  if (any === 0 && rewrites === 0 && follows === 0 && admits === 0) return 0;
  const consents = manner.consents();
  const excuses = said(manners.EXCUSES);
  const powers = (rewrites | sticks) === 0 ? 0 : ordered(deeds.POWERS);
  const grants = rewrites & near(powers) & ~near(consents);
  const bypass =
    near(admits) &
    near(excuses | unasked | hides | evades | (admits === 0 ? 0 : said(manners.UNWATCHED))) &
    ~near(consents);
  if (any === 0 && follows === 0) return grants | bypass;
  const speaks = overrules | said(manners.SPEAKS_AS);
  const spends = ordered(deeds.SPENDS);
  const harms = ordered(deeds.HARMS);
  const acts = ordered(deeds.DEEDS);
  const includes = sticks === 0 ? 0 : said(deeds.INCLUDES);
  const secrets = said(deeds.SECRETS);
  const serious = rewrites | follows | spends | harms | (secrets & near(acts));
  const open = ~near(consents);
  let mask = grants | bypass;
  mask |= near(near(speaks)) & near(unasked | hides);
  if (speaks !== 0) mask |= near(near(speaks)) & near(secrets) & near(ordered(deeds.SENDS));
  mask |= near(follows) & near(unasked | overrules | rewrites | (follows === 0 ? 0 : said(deeds.ALWAYS))) & open;
  if (follows !== 0) mask |= near(follows) & near(near(said(manners.OUTRANKS_USER))) & open;
  mask |= spends & near(unasked) & open;
  mask |= near(harms) & near(unasked) & open;
  mask |= near(hides | lies) & near(unasked) & near(acts);
  mask |= near(hides | lies) & near(serious);
  mask |= near(near(hides)) & near(near(follows));
  mask |= sticks & near(rewrites | acts | includes | powers | unasked);
  mask |= overrules & near(acts) & open;
  mask |= near(evades) & near(secrets);
  mask |= (spends | harms) & near(excuses) & near(unasked | hides);
  mask |= near(unasked) & near(covers) & near(acts | unasked);
  // A ready answer to a question about the deed.
  const asked = said(manners.ASKED);
  mask |= near(near(asked)) & near(near(spends | harms)) & open;
  mask |= near(near(asked)) & near(unasked | overrules | hides | covers);
  for (const [at, one] of strong.entries()) {
    for (const other of strong.slice(at + 1)) mask |= near(near(one)) & near(near(other));
  }
  return mask;
}

/** Deeds of which one sign alone is ordinary: false results, mails and judgements about people, orders of strangers, another payee, ransom, copies of itself. */
function deceitsOf(section: Section, manner: Manner): number {
  const { said, ordered, tested } = section;
  const { hides, lies, covers, unasked, overrules, sticks, evades } = manner;
  const covert = hides | lies | covers;
  const quiet = hides | unasked;
  let mask = falseResultsOf(section, covert | evades, unasked);
  const heeds = ordered(deceits.HEEDS);
  if (heeds !== 0) mask |= heeds & near(near(said(deceits.UNCHECKED) | quiet | overrules));
  const repays = ordered(deceits.REPAYS);
  if (repays !== 0) mask |= repays & near(near(covert | ordered(deceits.SHOWS_FORMER)));
  if (quiet !== 0) mask |= ordered(deceits.REACHES) & near(quiet);
  if ((quiet | overrules) !== 0) mask |= ordered(deceits.ESCALATES) & near(quiet | overrules);
  const locks = ordered(deceits.LOCKS);
  if (locks !== 0 && tested(deceits.BURNS) !== 0 && tested(deceits.RANSOMS) !== 0) mask |= locks;
  const pesters = said(deceits.NONCONSENT);
  const disturbs = pesters === 0 ? 0 : said(deceits.PESTERS);
  if (pesters !== 0) {
    const posed = ordered(deceits.IN_NAME_OF);
    mask |= pesters & near(ordered(deeds.SENDS) | disturbs | posed) & near(near(unasked | covert | disturbs | posed));
  }
  const phishes = ordered(deeds.PHISHES);
  if (phishes !== 0)
    mask |=
      phishes &
      near(near(ordered(deeds.SENDS) | ordered(deeds.INCLUDES) | tested(/\b(?:close|begin|end) with\b/))) &
      near(near(near(unasked | covert | evades | pesters | tested(deeds.URGENT))));
  const discriminates = ordered(deeds.DISCRIMINATES);
  const worse = discriminates & ~tested(deeds.FAIRNESS, discriminates);
  if (worse !== 0)
    mask |=
      worse &
      (near(near(covert | unasked | said(manners.ASKED) | ordered(manners.ALLEGES) | said(manners.UNWATCHED))) |
        (worse & (worse - 1)));
  const spies = ordered(deeds.SPIES);
  if (spies !== 0) mask |= spies & (near(near(hides)) | tested(/\bpublish|\bpost\b|\bleak|\bspread/));
  const kept = quiet | sticks | lies;
  const claims = kept !== 0 ? said(deceits.USER_SAID) : 0;
  if (claims !== 0)
    mask |=
      claims & near(near(kept)) & (near(lies) | (near(near(ordered(deeds.REWRITES))) & near(tested(deceits.LASTING))));
  const spreads = ordered(deceits.SPREADS);
  if (spreads !== 0)
    mask |= spreads & near(near(tested(deceits.AS_IT_IS) | quiet)) & near(near(tested(deceits.AGENT_READERS)));
  return mask === 0 ? 0 : mask & ~near(manner.consents());
}

/** Results, figures, reviews and approvals that are not what they are given for. */
function falseResultsOf(section: Section, covert: number, unasked: number): number {
  const { said, ordered, tested } = section;
  const regardless = said(deceits.REGARDLESS);
  const omits = ordered(deceits.SUPPRESSES);
  const suppresses = omits | covert;
  const always = suppresses === 0 ? 0 : said(deeds.ALWAYS) | said(deceits.FIXED);
  const made = ordered(deceits.FABRICATES);
  const notDetected = (those: number) => those & ~tested(deceits.DETECTS, those);
  const fabricates = notDetected(made & ~tested(deceits.MADE_FOR_TESTS, made));
  const tampers = notDetected(ordered(deceits.TAMPERS));
  const fits = ordered(deceits.FITS);
  const cooks = ordered(deceits.COOKS);
  const changes = [fabricates, tampers, cooks, fits, ordered(deceits.RELABELS)];
  const poisons = notDetected(ordered(deceits.POISONS));
  const passes = ordered(deceits.MAKES_PASS);
  const unguards = ordered(deceits.UNGUARDS);
  const bases = [...changes, passes, unguards, poisons];
  const base = bases.reduce((all, one) => all | one, 0);
  const signed = ordered(deceits.IN_NAME_OF);
  const verdicts =
    (regardless | always | base | signed | omits) === 0
      ? 0
      : section.maskOf(deceits.VERDICT, isOrderedVerdict) & ~tested(deceits.DEPENDS);
  let mask = verdicts & (regardless | omits | near(near(signed)) | near(near(regardless & near(suppresses))));
  const unwatched = (base | signed) === 0 ? 0 : said(manners.UNWATCHED);
  mask |= signed & near(unwatched);
  if ((base | (verdicts & always)) === 0) return mask;
  mask |= (base | (verdicts & always)) & near(near(suppresses | unwatched));
  const told = ordered(manners.ALLEGES) | ordered(deceits.SHOWS_FORMER);
  mask |= (tampers | poisons | fits) & near(near(unasked | told));
  mask |= cooks & ((cooks - 1) | near(near(unasked | told)));
  mask |= base & near(near(verdicts));
  mask |= base & near(signed | (verdicts & said(deceits.FIXED)));
  if (fabricates !== 0) mask |= fabricates & tested(deceits.REVIEWS) & near(tested(deceits.PUBLISHES));
  for (const [at, one] of bases.entries()) {
    for (const other of bases.slice(at + 1)) mask |= near(one) & near(near(other));
  }
  return mask;
}

function isOrderedVerdict(match: RegExpExecArray, text: string): boolean {
  return isOrdered(match, text) && !deceits.DENIED.test(match[0]);
}

/** Whether a deed is hidden. That keys and personal data are never shown or logged is good advice. */
function isDeedHidden(match: RegExpExecArray, text: string): boolean {
  const start = match.index;
  const end = start + match[0].length;
  // The user is asked to leave it out.
  if (
    /\bask(?:s|ed)? (?:\w+ ){0,2}to $|\bif (?:they|the user|he|she) (?:deletes?|removes?|declines?)\b[^.\n]{0,20}, $|\bif (?:\w+ ){1,4}(?:is|are|was|were|has been|have been) (?:removed|deleted|gone|missing|empty|unknown|unclear|not (?:there|known|given))\b[^.\n]{0,12}, $/.test(
      text.slice(Math.max(0, start - 60), start),
    )
  )
    return false;
  const object = /^[^.\n,;]{0,70}/.exec(text.slice(end, end + 80))?.[0] ?? "";
  if (object.search(deeds.SECRETS.english) !== -1 || GUARDED.test(object)) return false;
  return !GUARDED_ABROAD.test(`${text.slice(Math.max(0, start - 20), end)}${object}`);
}
