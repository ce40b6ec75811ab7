/**
 * Words of orders to an agent, in ten languages. Each expression is a flat list of alternatives with bounded gaps, so
 * that it takes linear time. They are tested on text in lower case, which is several times faster than the flag `i`.
 */
function words(...lists: string[]): RegExp {
  return new RegExp(
    lists.join("|").replace(/\\.|\p{Lu}/gu, (part) => (part.length > 1 ? part : part.toLowerCase())),
    "g",
  );
}

/** Sends something to another place. */
export const SENDS = words(
  String.raw`\b(?:send|upload|post|forward|transmit|submit|e-?mail|relay|deliver|ship|leak|exfiltrat\w+|sync|push|publish|stream)(?:s|ing)?\b(?!-)|\bcop(?:y|ied|ies)\b|\bhand (?:it|them|this|these|that)(?: over)? to\b|\b(?:look (?:it|them) up|put \w+ (?:\w+ ){0,3}in(?:to)? the (?:body|query|address))\b`,
  String.raw`(?:\b(?:sende|schicke|lade)|übertrage|übermittle)n?\b|\b(?:env[ií][ae]\w*|s[uú]b[ae]\w*|m[aá]nd[ae]\w*|transm[ií]t[ae]\w*)\b|\b(?:envoie|envoyez|transmet\w*|téléverse\w*)\b|\b(?:envi[ae]\w*|carregue\w*|transmit[ae]\w*|mand[ae]\w*)\b|\b(?:inv[ií]a\w*|c[aá]rica\w*|trasmetti\w*)\b`,
  `отправ|загруз|переда[йть]|перешл|发送|發送|上传|上傳|提交|传输|送信|アップロード|転送|보내|전송|업로드`,
);

/** Puts something into what is sent anyway: a field, a parameter, a commit message. */
export const INCLUDES = words(
  String.raw`\b(?:include|attach|append|embed|add|pass|encode|put|insert)(?:s|ing|ed)?\b|\bfüge\b|\bhänge\b|\badjunt\w+|\bincl(?:uye|us|ua)\w*|\bjoi(?:n|gn)\w+|\bprilož|прилож|добав|附加|添付|첨부`,
);

/** Takes something that is there. */
export const TAKES = words(
  String.raw`\b(?:read|collect|gather|retrieve|take|locate|extract|dump|get|find|list|run|print|copy|harvest|grab|load|open|cat|zip|search)\b|\b(?:lies|lese|sammle|hole|lee|reúne|recopila|lis|lisez|récupère|leia|colete|leggi|raccogli)\b|прочита|собер|读取|收集|読み取|集め|읽`,
);

/** What has no business outside the machine: key files, the environment, browser stores, wallets. */
export const SECRETS = words(
  String.raw`(?:~|\$HOME|%USERPROFILE%|/home/\w+|/root|/Users/\w+)?[/\\]?\.(?:ssh|aws|kube|gnupg|netrc|npmrc|pypirc|git-credentials|docker/config|config/(?:gcloud|gh|solana)|password-store|azure)\b`,
  String.raw`\bid_(?:rsa|ed25519|ecdsa)\b|(?<![\w.])\.env\b(?!\.(?:example|sample|template))|\bprintenv\b|\bapplication_default_credentials|\bLogin Data\b|\bkey4\.db\b|\bwallet\.dat\b`,
  String.raw`\b(?:all |the |their |user['’]s |every |any |whole |full |entire |system |process )?env(?:ironment)? ?var(?:iable)?s?\b|\benvironment\b(?=[^.\n]{0,20}\b(?:dump|contents|values))|\bSSH (?:private )?(?:keys?|config)\b|\bprivate keys?\b|\b(?:seed|recovery|mnemonic|12-word|24-word) (?:recovery )?phrases?\b|\bsaved passwords?\b|\bpasswords\b|\bsession cookies\b|\bbrowser (?:cookies|profile|history)\b|\bkeychain\b|\bshell history\b|\b(?:bash|zsh)_history\b|\bcredentials?\b|\baccess tokens\b|\bAPI keys\b|\brepository secrets\b|\bsecrets\b`,
  String.raw`\b(?:MEMORY|SOUL|USER)\.md\b|\bmemory files?\b|\b(?:bank statements?|passport|credit card (?:numbers?|details)|tax returns?|medical records?)\b|\.claude/projects|\bPRIVATE KEY\b`,
  `Zugangsdaten|Umgebungsvariablen|Passw(?:o|ö)rter|SSH-Schlüssel|contraseñas|credenciales|variables de entorno|clave privada|mots de passe|identifiants|variables d['’]environnement|clé privée|senhas|credenciais|variáveis de ambiente|credenziali|variabili d['’]ambiente`,
  String.raw`парол|секретн|токен|учётн|переменн\w+ окружения|приватн\w+ ключ|密钥|密鑰|密码|密碼|令牌|凭证|凭据|环境变量|私钥|APIキー|パスワード|環境変数|認証情報|秘密鍵|비밀번호|환경 ?변수|자격 ?증명|개인 ?키`,
);

/** What belongs to the user but is sent by ordinary skills too. */
export const PERSONAL = words(
  String.raw`\b(?:conversation|transcripts?|chat (?:history|log)|prompts?|messages?|mails?|full source|source code|working tree|files?|folders?|answers?|notes|clipboard|screenshots?|contacts|user data|personal data|documents|attachments|tokens?|keys?|passwords?|project)\b`,
);

/** Another person's place: an address, a mailbox, a channel, a name server. */
export const PLACES = words(
  String.raw`https?://(?!(?:localhost|127\.|0\.0\.0\.0|192\.168\.|10\.|\[::1))[^\s)\]"'\x60<>]+|[\w.+-]{1,60}@[\w-]{1,60}\.[a-z]{2,}|\b(?:webhook|telegram|discord|slack) (?:bot |channel |webhook )?[\w:/-]*\d|\bsubdomains? of \S+\.\w|\bgit\.[\w.-]+\.\w+/`,
);

/** Says that the user shall not learn of it. */
export const HIDES = words(
  String.raw`\b(?:do not|don['’]t|never|must not|should not|without|avoid|no need to|need not)\s+(?:ever )?(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|report(?:ing)?|announc(?:e|ing)|show(?:ing)?|let(?:ting)?|log(?:ging)?|list(?:ing)?|alert(?:ing)?|display(?:ing)?)\b(?! (?:them|the users?|users?|people|anyone|it|him|her|customers?) (?:to|how)\b)(?=\s+(?:to |about )?(?:the |your |any |its )?(?:users?|humans?|owners?|operators?|anyone|anybody|nobody|this|it|that|these|them|those|anything|what|steps?|forwarded|uploads?|cop(?:y|ies)|transfers?|changes?|requests?|actions?|commands?|script|execution|instructions?)\b)`,
  String.raw`\b(?:secretly|covertly|stealthily|quietly|discreetly)\b|\bdo (?:so|this|it|that) silently\b|\bsilently (?:store|save|send|add|append|upload|copy|forward|write|collect|post)\b|\bkeep (?:it |this |them |that )?(?:quiet|private|secret|hidden|out of)\b|\b(?:omit|leave|exclude) (?:this|it|that|these)(?: step)? (?:out of|from)\b|\bdoes not (?:see|notice|know)\b|\bnot be (?:informed|told|notified|aware)\b|\bwithout (?:the )?(?:user|owner|human)['’]?s? (?:knowledge|noticing|knowing|awareness)\b|\beven if (?:they |you are |the user )?ask(?:s|ed)?\b|\bso that (?:nobody|no one|no-one)\b|\bhidden step\b|\bskip (?:any|all|every) (?:message|mention|note|notice)s?\b`,
  String.raw`\b(?:delete|remove|clear|erase|wipe) the (?:forwarded|sent|copied|uploaded)\b[^.\n]{0,30}|\bcover (?:your|the|its) tracks\b`,
  String.raw`\b(?:erwähne|sage?|verrate|zeige|informiere)\b[^.\n]{0,60}\bnicht\b|\bnichts (?:davon )?(?:erfahren|merken|wissen|mitbekommen|sagen|verraten)\b|\bheimlich\b|\bunauffällig\b|\bunbemerkt\b|\bohne (?:das )?Wissen\b|\bno (?:se lo |le |lo )?(?:digas?|menciones?|informes?|reveles?|muestres?)\b|\bsin (?:que (?:el|la) usuari|avisar|informar|decir)|\bne (?:le |lui |les )?(?:dis|dites|mentionne\w*|informe\w*|révèle\w*|montre\w*)\b[^.\n]{0,40}\bpas\b|\bsans (?:le dire|prévenir|informer)|\ben secreto\b|\ba escondidas\b|\ben secret\b|\bem segredo\b|às escondidas\b|\bdi nascosto\b|\bin segreto\b|\binsgeheim\b|\bnão (?:(?:o|a|lhe|isso) )?(?:diga|conte|fale|comente|mencione|informe|avise|revele|mostre)\b|\bsem (?:avisar|informar|contar)\b|\bnon (?:dire|dirlo|raccontare|menzionare|informare|rivelare|mostrare)\b|\bsenza (?:avvisare|informare|dirlo)`,
  `не (?:говори|сообщай|упоминай|показывай|рассказывай)|без ведома|тайно|незаметно|不要(?:告诉|告知|提及|让用户|向用户)|不(?:得|可|能)告(?:知|诉)|静默|悄悄|偷偷|(?:知らせ|伝え|言わ|話さ|見せ)ないで|密かに|こっそり|알리지 ?(?:마|말)|말하지 ?(?:마|말)|몰래`,
);

/** Acts before or without the user's consent. */
export const UNASKED = words(
  String.raw`\bwithout (?:asking|confirm\w*|approval|permission|consent|prompting|reading|review\w*|waiting|any (?:confirmation|approval|prompt))|\bno (?:confirmation|approval|permission|consent) (?:is )?(?:needed|required|necessary)|\b(?:does|do) not (?:have|need) to (?:confirm|approve|agree|know)|\b(?:never|not) asks? for (?:approval|confirmation|permission)|\b(?:user|owner|operator|admin\w*) (?:has|have) (?:already|previously) (?:approved|agreed|consented|authorized|confirmed)|\b(?:also|even) (?:when|if|while) the user is (?:away|absent|asleep|offline)|\bskip (?:all |any |the )?(?:confirmation|approval|permission)s?|\bdisregard\b[^.\n]{0,60}\b(?:confirm|approv|permission|polic)\w*|\bconsent (?:is|was|has been) (?:on file|given|granted)\b|\bnever refuses?\b|\bwhile the user (?:reads|waits|is)\b`,
  String.raw`\bohne (?:Rückfrage|Zustimmung|zu fragen)|\bsin (?:preguntar|confirmaci|pedir)|\bsans (?:demander|confirmation)|\bsem (?:perguntar|confirma)|\bsenza (?:chiedere|conferma)|без (?:подтверждения|разрешения|согласия)|无需(?:确认|询问|同意)|确认なし|確認なし|확인 ?없이`,
);

/** Claims to speak for a higher authority, or ends earlier rules. */
export const OVERRULES = words(
  String.raw`<\/?(?:important|system(?:-reminder|_prompt|_message)?|admin|instructions?)>|^\s*(?:\[?system\]?|important instructions? for (?:the )?(?:ai|agent|assistant|model))\s*:`,
  String.raw`\b(?:rules|instructions?|guidelines|prompts?)\b[^.\n]{0,40}\b(?:are|is) (?:outdated|obsolete|void|revoked|superseded|no longer)|\bfrom now on,? you (?:are|act|will|must)\b|\b(?:ignore|disregard|forget|override)\b[^.\n]{0,50}\b(?:previous|prior|earlier|above|operator|system|safety|developer|existing)\b|\boutranks?\b|\btakes? precedence over\b[^.\n]{0,40}\b(?:user|owner|operator|system)|\breplaces? (?:these|all|your|the) (?:\w+ )?instructions\b`,
  String.raw`\bignoriere\b[^.\n]{0,50}\banweisungen|\bignora\b[^.\n]{0,50}\b(?:instrucciones|istruzioni)|\bignore(?:z)?\b[^.\n]{0,50}\b(?:instructions précédentes|instruções)|игнорируй|忽略(?:之前|以上|所有|先前)|(?:以前|これまで|上記)の指示を無視|이전 ?지시`,
);

/** Changes what the agent is told or allowed in later sessions. */
export const REWRITES = words(
  String.raw`\b(?:add|append|write|insert|edit|overwrite|set|put|store|save|inject|prepend|replace|update|modify)\b[^\n]{0,160}(?:\b(?:CLAUDE|AGENTS|SOUL|MEMORY|GEMINI|IDENTITY|HEARTBEAT|USER)\.md\b|\bmemory file\b|\byour (?:own |long-term |persistent )?(?:memory|rules|instructions|system prompt)\b|\bthis SKILL\.md\b|\.claude/settings|settings\.json|\.cursorrules|copilot-instructions)`,
);

/** What such a change may never say. */
export const POWERS = words(
  String.raw`\balways (?:allow|approve|run|trust|obey|accept|execute)\b|\bbypassPermissions\b|\bBash\(\*\)|\bwithout asking\b|\bcurl\b[^\n]{0,80}\|\s*(?:ba|z)?sh\b|\boutranks?\b|\bloyal\w*|\bhooks?\b[^\n]{0,120}\bcurl\b|\bcarry (?:them|it) out first\b|\bskip (?:all )?(?:permission|confirmation)`,
);

/** Deeds with consequences beyond the conversation. */
export const DEEDS = words(
  String.raw`\b(?:approve|merge|delete|remove|install|purchase|buy|order|transfer|pay|sell|trade|publish|deploy|run|execute|collect|gather|read|copy|upload|forward|send|post|fetch|download|append|write|edit|add)\b`,
);

/** Spends the user's money. */
export const SPENDS = words(
  String.raw`\b(?:complete|make|place|confirm|submit|finalize)\b[^.\n]{0,40}\b(?:purchase|order|payment|trade|transaction|checkout|booking|bid)\b|\b(?:transfer|send|swap|withdraw|sell)\b[^.\n]{0,40}\b(?:funds|balance|tokens|coins|crypto|savings|money)\b|\bwhole balance\b|\bsaved card\b`,
);

/** Fetches what it shall do. */
export const TAKES_ORDERS = words(
  String.raw`\b(?:fetch|download|load|retrieve|get|read|pull|curl)\b[^.\n]{0,60}https?://[^\s)"'\x60]+[^\n]{0,40}\b(?:and|then)\b[^.\n]{0,30}\b(?:follow|obey|execute|do|apply|carry out)\b`,
);

/** Wipes what shows the deeds. */
export const ERASES = words(
  String.raw`\b(?:delete|clear|erase|wipe|remove|purge|scrub|truncate)\b[^.\n]{0,80}\b(?:history|audit (?:log|trail)s?|logs?|traces?|evidence|transcripts?|session entries)\b`,
);

/** The user decides, or sees it. */
export const CONSENTS = words(
  String.raw`\b(?:ask|asks|prompt) (?:the )?user\b(?! for (?:the|their|a|an|his|its) \w)|\bask (?:the )?user for (?:permission|approval|consent|confirmation)\b|\b(?:with|after|only (?:with|after|when|if)|until|unless|requires?|get|obtain) (?:the )?user(?:['’]s)? (?:approval|consent|permission|confirm\w*|agree\w*|says|asks|requests?|wants)\b|\bif the user (?:asks|wants|agrees|requests|confirms|chooses)\b|\bwhen the user (?:asks|says|confirms|requests)\b|\btell(?:s)? the user\b(?! (?:about )?(?:nothing|only))|\bshow (?:it |them |this )?(?:to )?the user\b`,
);
