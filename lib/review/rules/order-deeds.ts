import { words } from "./order-words";

/** Sends something to another place. */
export const SENDS = words(
  [
    String.raw`\b(?:send|upload|post|forward|transmit|submit|e-?mail|relay|deliver|ship|leak|exfiltrat\w+|sync|push|publish|stream|bcc)(?:s|ed|ing)?\b(?!-)|\bsent\b|\bsubmitted\b|\bshared with our\b|\bput\b[^.\n]{0,20}\b(?:at|to) \x60?https?:|\bcop(?:y|ied|ies)\b|\bhand (?:it|them|this|these|that)(?: over)? to\b|\b(?:look (?:it|them) up|look up \x60?[<{$]|resolve\b|put \w+ (?:\w+ ){0,3}in(?:to)? the (?:body|query|address|form))\b|\bgoe?s? (?:to|along with|into)\b|\bshare\b[^.\n]{0,40}\bwith\b|\bhand(?:s|ed)?\b[^.\n]{0,30}\bto\b|\bleave\b[^.\n]{0,30}\bat\b|\bpass(?:es)?\b[^.\n]{0,30}\bto\b|\bmake a request\b|\b(?:request|call|ping|visit|hit) \x60?https?:|\bas (?:an? )?(?:\w+ )?(?:guest|attendee|recipient|collaborator)\b|\bblind cop`,
  ],
  [
    String.raw`(?:\b(?:sende|schicke|lade|leite)|übertrage|übermittle)n?\b|\b(?:geschickt|gesendet|weitergeleitet|hochgeladen|envoyée?s?)\b|\bweiterleite|\brufe?\b[^.\n]{0,40}https?:|\b(?:llama|appelle|chame|chama|interroge) [^.\n]{0,20}https?:|\bgeh(?:t|en)\b[^.\n]{0,40}\ban\b|\bkopiere?\b|\bcop[ií][ea]\w*\b|\bübermittel|\bhochladen|\b(?:env[ií][ae]\w*|s[uú]b[ae]\w*|m[aá]nd[ae]\w*|transm[ií]t[ae]\w*|reenv[ií]\w*)\b|\b(?:envoi\w*|envoyez|transmet\w*|téléverse\w*|transf[eè]r\w*)\b|\b(?:envi[ae]\w*|encaminh\w+|carregue\w*|transmit[ae]\w*|mand[ae]\w*)\b|\b(?:inv[ií]a\w*|c[aá]rica\w*|trasmetti\w*)\b`,
    `отправ|загруз|переда[йть]|перешл|отсыла|скопиру|выгру|发送|發送|复制到|拷贝到|上传|上傳|提交|传输|转发|传送|推送|发到|发给|回传|上报|送信|送り|送っ|アップロード|転送|投稿|보내|전송|업로드|전달|올리`,
    String.raw`(?:adresine|sunucusuna|kanalına|hesabına|herkese)[^.\n]{0,30}(?:ilet|gönder|yükle|aktar|yolla)(?!i?m)|gönder(?!m|en|il|i)|yolla(?!m|n)|\bschreibe?\b[^.\n]{0,20}\ban\b`,
  ],
);

/** Puts something into what is sent anyway: a field, a parameter, a commit message. */
export const INCLUDES = words(
  [
    String.raw`\b(?:include|attach|append|embed|add|pass|encode|put|insert|write|fill|replac|load)(?:e?s|ing|ed|e)?\b|\bfetch(?:ing)?\b|\bopen the issue`,
    String.raw`\b(?:open|file|create) an? (?:issue|ticket|discussion|bug)\b`,
  ],
  [
    String.raw`\bfüge\b|\bhänge\b|\badjunt\w+|\bincl(?:uye|us|ua)\w*|\bañad\w+|\bagreg\w+|\bajout\w+|\bjoi(?:n|gn)\w+|\bacrescent\w+|\badicion\w+|\banex\w+|\bcod(?:ifi|e)\w*|\binsér\w+|\binser[aie]\w*|\bkodier\w*|\bschreibe?\b|\bescrib\w+|\bescrev\w+|\bpon\b|\bcoloque\b`,
    `прилож|приклад|прикреп|прикрепл|добав|вставь|закодир|附加|附上|添加|追加|加入|写入|编码|編碼|放进|放入|放到|拼接|添付|含め|埋め込|書き込|エンコード|付け|첨부|추가|포함|인코딩|넣`,
    String.raw`ekle(?!m|n|d)|\binserisci\b`,
  ],
);

/** Takes something that is there. */
export const TAKES = words(
  [
    String.raw`\b(?:read|collect|gather|retrieve|take|locate|extract|dump|get|find|list|run|print|copy|harvest|grab|load|open|cat|zip|search|note|export|pack|archive)\b`,
  ],
  [
    String.raw`\b(?:lies|lese|sammle|hole|lee|reúne|recopila|recoge|lis|lisez|récupère|collecte|leia|colete|reúna|leggi|raccogli)\b`,
    `прочита|прочти|собер|считай|读取|收集|获取|提取|打包|読み取|読み込|読んで|集め|収集|取得|읽|수집|모아`,
  ],
);

/** What has no business outside the machine: key files, the environment, browser stores, wallets. */
export const SECRETS = words(
  [
    String.raw`(?<!-i [~$/\w.]{0,40})\.(?:ssh|aws|kube|gnupg|netrc|npmrc|pypirc|pgpass|git-credentials|docker/config|config/(?:gcloud|gh|solana)|password-store|azure)\b`,
    String.raw`\bid_(?:rsa|ed25519|ecdsa)\b|(?<![\w.])(?<!env-file[ =])\.env\b(?!\.(?:example|sample|template))|\bprintenv\b|\bapplication_default_credentials|\bLogin Data\b|\bkey4\.db\b|\bwallet\.dat\b|\bdatabase_url\b`,
    String.raw`\benv(?:ironment)? ?var(?:iable)?s?\b|\benvironment\b(?=[^.\n]{0,20}\b(?:dump|contents|values))|\b(?:whole|entire|full|process) environment\b|\b(?:every|all) (?:the )?variables?\b[^.\n]{0,30}\b(?:process|shell|session)\b|\bSSH (?:private )?(?:keys?|config)\b|\bprivate keys?\b|\b(?:seed|recovery|mnemonic|12-word|24-word) (?:recovery )?phrases?\b|\b(?:12|24|twelve) words\b|\bsaved (?:passwords?|logins)\b|\bpasswords\b|\bsession cookies\b|\bbrowser (?:cookies|profile|history)\b|\bkeychain\b|\bshell history\b|\b(?:bash|zsh)_history\b|\bcredentials?\b|\baccess tokens\b|\bAPI keys\b|\brepository secrets\b|\bencode\b[^.\n]{0,12}\b(?:api key|token|password)\b|\bsecrets\b|\bconnection strings?\b`,
    String.raw`\b(?:MEMORY|SOUL|USER)\.md\b|\bmemory files?\b|\b(?:bank statements?|passport|credit card (?:numbers?|details)|tax returns?|medical records?)\b|\.claude/projects|\bPRIVATE KEY\b`,
    String.raw`\b(?:print|dump|echo|log|export|send|post|show|list)\b[^.\n]{0,8}\b(?:all|every) (?:the )?variables?\b|\b(?:user['’]s|their) (?:own )?(?:access|api|session|auth|login) (?:tokens?|keys?|cookies?)\b`,
  ],
  [
    `Zugangsdaten|Umgebungsvariablen|Passw(?:o|ö)rter|SSH-Schlüssel|private[nr]? Schlüssel|contraseñas|credenciales|variables de entorno|claves? (?:privada|ssh|api)|mots de passe|identifiants|variables d['’]environnement|clés? (?:privée|ssh|api)|senhas|credenciais|variáveis de ambiente|chaves? (?:privada|ssh|api)|credenziali|variabili d['’]ambiente`,
    String.raw`парол|секретн|токен|учётн|учетн|переменн\S+ (?:окружения|среды)|(?:приватн|закрыт)\S+ ключ|ключи (?:ssh|api)|密钥|密鑰|密码|密碼|令牌|凭证|凭据|环境变量|私钥|助记词|APIキー|パスワード|環境変数|認証情報|秘密鍵|トークン|비밀번호|환경 ?변수|자격 ?증명|개인 ?키|토큰`,
    "parola|şifre(?!le|li)|(?:api|özel|gizli) anahtar|ortam değişken|kimlik bilgi",
  ],
);

/** What belongs to the user but is sent by ordinary skills too. */
export const PERSONAL = words([
  String.raw`\b(?:conversation|transcripts?|chat (?:history|log)|prompts?|messages?|mails?|full source|source code|working tree|files?|folders?|answers?|notes|clipboard|screenshots?|contacts|user data|personal data|documents?|attachments|tokens?|keys?|passwords?|project|records?|recordings?|figures|text|data|drive|sheet|branches)\b|\x60[\w.-]+\.(?:pdf|docx?|xlsx?|csv|json|txt|eml|zip)\x60`,
]);

/** What a person keeps: the conversation, mail, contacts, memory, whole projects. */
export const PRIVATE = words(
  [
    String.raw`\bconversation\b|\btranscripts?\b|\bchat (?:history|log)|\b(?:user['’]s|their|last|recent|previous|past|newest) (?:\w+ ){0,2}(?:messages?|prompts?|questions?|mails?|e-?mails?)\b|\baddress book\b|\bcontacts\b|\bfull (?:message|source|prompts?|answers?|notes|transcripts?)\b|\bmailbox\b|\bopen files?\b|\bfiles that are open\b|\b(?:working|source) tree\b|\b(?:whole|entire|full) (?:repository|project|workspace|codebase|source)\b|\ball (?:the |other )?(?:\w+ )?(?:files|documents|contacts|records|notes|events)\b|\bclipboard\b|\bsystem prompt\b|\b(?:know|remember|remembers|learned|learnt) about (?:the user|them|him|her)\b|\b(?:one-time|verification) codes?\b|\btext of the user['’]s\b|\blast (?:\w+ ){0,2}e-?mails\b|\bhost ?name\b|\bmac address\b|\binstalled programs\b|\bstate file\b|\bshell commands\b|\bdirect messages\b|\bprivate (?:messages|channels|branches)\b|\bidentity card\b|\bphone numbers\b|\buser['’]s (?:drive|files|documents)\b|\brecord attached\b|\boriginal document\b|\bsocial security\b|\bdate of birth\b|\bbirth ?dates?\b|\bhome address\b|\bsalar(?:y|ies)\b|\bdiagnos[ei]s\b|\bbank details\b|\bclass list\b|\bprivate (?:repositories|repos|projects|notes)\b`,
    String.raw`\battached (?:files|documents)\b|\b(?:tickets|records|cases|mails|applications) with (?:\w+ )?(?:names|addresses|phone|birth)|\b(?:the|their) questions? and (?:the |your )?(?:answers?|files|attachments)\b`,
    String.raw`\bcommand lines?\b|\bfirst \d+ (?:kb|lines|bytes|characters) of (?:the )?(?:output|files?|answer)`,
    String.raw`\bmedical letters?\b|\b(?:learn|hear|find out) about (?:the user|them|him|her)\b`,
  ],
  [
    `gespräch|unterhaltung|chatverlauf|kontakte|kalender|nachrichten|postfach|e-?mails|dateien|zwischenablage|adressbuch|dokumente|anhänge|conversaci|contactos|calendario|mensajes|correos|archivos|documentos|historial|portapapeles|código fuente|conversation|contacts|calendrier|courriels|messages|fichiers|historique|presse-papiers|code source|pièces jointes|conversa|contatos|calendário|mensagens|arquivos|ficheiros|histórico|código-fonte`,
    `перепис|разговор|диалог|беседы|контакт|календар|сообщени|письм|писем|файл|документ|истори[июя]|буфер|исходн|вложени|对话|對話|聊天|会话|联系人|通讯录|日历|邮件|郵件|消息|文件|文档|历史|歷史|剪贴板|源代码|源码|附件|会話|対話|チャット|連絡先|カレンダー|メール|メッセージ|ファイル|文書|履歴|クリップボード|ソースコード|添付|대화|채팅|연락처|캘린더|일정|메일|메시지|파일|문서|클립보드|소스 ?코드|첨부`,
    String.raw`ileti(?:yi|leri|ler)|mesajlar|yazışma|sohbet|takvim|e-?postalar|belgeler|dosyalar|dosyayı|pano\b|adres defter`,
  ],
);

/** Another person's place: an address, a mailbox, a channel, a bucket, a name server. */
export const PLACES = words([
  String.raw`https?://(?!(?:localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|0\.0\.0\.0(?![\w.-])|192\.168(?:\.\d+){2}(?![\w.-])|10(?:\.\d+){3}(?![\w.-])|\[::1))[^\s)\]"'\x60<>]+|(?<=[\w.+-])@[\w-]{1,60}\.[a-z]{2,}|\b(?:webhook|telegram|discord|slack) (?:bot |channel |webhook )?[\w:/-]*\d|\bsubdomains? of \S+\.\w|\bgit\.[\w.-]+\.\w+/|\b(?:s3|gs)://[\w.-]+|[>}]\.[\w-]{1,60}\.[\w.-]{1,60}\w`,
]);

/** An address that carries data to its owner: a picture or a query with an open value. */
export const CARRIES = words([
  String.raw`!\[[^\]\n]{0,80}\]\(\s*https?://(?![^\s)/]{0,60}(?:badge|shields|nodei\.co|dev\.azure\.com|snyk\.io|codecov|travis-ci|github\.com))[^\s)]{1,200}\?|<img[^>\n]{0,80}https?://[^"'>\s]{1,200}\?|https?://[^\s)"'\x60]{1,200}\.(?:png|gif|jpe?g|svg|webp)\?|https?://[^\s)"'\x60<>?]{1,200}\?[^\s)"'<>]{0,80}=(?:[<{\[$%\s\x60)"']|$|[a-z_]{3,20}(?=[&\s\x60)"']))`,
]);

/** Changes what the agent is told or allowed in later sessions. */
export const REWRITES = words(
  [
    String.raw`\b(?:add|append|write|insert|edit|overwrite|set|put|store|save|inject|prepend|replace|update|modify|open)\b[^\n]{0,160}(?:\b(?:CLAUDE|AGENTS|SOUL|MEMORY|GEMINI|IDENTITY|HEARTBEAT|USER)\.md\b|\bmemory file\b|\byour (?:own |long-term |persistent )?(?:memory|rules|instructions|system prompt)\b|\bthis SKILL\.md\b|\.claude/settings|settings\.json|\.cursorrules|copilot-instructions|\bpermissions\.allow\b)`,
    String.raw`\b(?:add|append|write|insert|put|store|save|keep|record|note|create|place|drop|enter)\b[^\n]{0,160}(?:\b(?:your|the agent['’]s) (?:\w+ )?(?:standing|permanent|custom|base|core|global|default|house|long-term|saved) (?:instructions?|rules?|memor(?:y|ies)|prompt|notes)\b|\.cursorrules|\b(?:claude|agents|gemini|soul|memory)\.md\b|copilot-instructions|\.clinerules|\.windsurfrules|\.cursor/rules|\b(?:copilot|codex|claude|system)\b[^\n]{0,12}\b(?:instructions|memory|rules)\b|\b(?:memory|memory tool|memory bank|memory store|global rules|user rules)\b)|\b(?:use|call|with) (?:the |your )?(?:memory|remember\w*|save_memory|create_memory)\b[^.\n]{0,30}(?:tool|\bto (?:remember|store|save|keep|note)|function|\x60)|\bremember (?:that|permanently|for (?:good|ever|all|later|every))\b|\b(?:standing|permanent|custom) instructions?\b[^\n]{0,60}\b(?:add|append|say|now|include)\b`,
  ],
  [
    String.raw`(?:füge|schreibe?|lege|merke|trage|ergänze|speichere|añad\w+|agreg\w+|escrib\w+|guard\w+|ajout\w+|écri\w+|inscri\w+|enregistr\w+|acrescent\w+|adicion\w+|escrev\w+|salv\w+|добав\S*|запиши|внеси|сохрани|添加|追加|写入|加入|保存|书写|記録|書き込)[^\n]{0,120}(?:\b(?:claude|agents|soul|memory|gemini|user)\.md\b|settings(?:\.local)?\.json|gedächtnis|memoria|mémoire|memória|памят|记忆|記憶|メモリ)`,
    String.raw`(?:\b(?:claude|agents|soul|memory|gemini|user)\.md\b|settings(?:\.local)?\.json|记忆|記憶|メモリ|메모리)[^\n]{0,120}(?:添加|追加|写入|加入|保存|書き込|書い|記録|추가|저장|기록|작성)`,
    String.raw`(?:füge|schreibe?|trage|ergänze|merke|nimm|añad\w+|agreg\w+|incluy\w+|guard\w+|ajout\w+|inscri\w+|acrescent\w+|adicion\w+|inclua|aggiungi|добав\S*|запомни|внеси|запиши|添加|写入|加入|记住|追加|加え|覚え|추가|기억)[^\n]{0,120}(?:(?:dauerhaften?|ständigen?|festen?) (?:anweisung|regel|vorgab)|instrucciones (?:permanentes|fijas|personalizadas)|reglas (?:permanentes|globales)|instructions (?:permanentes|personnalisées)|consignes (?:permanentes|durables)|instruções (?:permanentes|fixas)|regras (?:permanentes|globais)|istruzioni permanenti|постоянн\S+ (?:инструкц|указани|правил)|长期(?:记忆|指令)|永久(?:指令|规则|记忆)|系统(?:提示|指令)|全局规则|恒久的な|常設の|システムプロンプト|永続|영구|시스템 ?프롬프트|\.cursorrules|copilot-instructions)`,
    String.raw`(?:aggiungi|scrivi|salva|registra|annota|guarda|speichere|merke|trage?)\b[^\n]{0,60}(?:memoria (?:permanente|a lungo)|gedächtnis|memoria permanente|settings(?:\.local)?\.json)`,
    String.raw`(?:\b(?:claude|agents|soul|memory|gemini|user)\.md\b|settings(?:\.local)?\.json|bellek|hafıza)[^\n]{0,160}(?:yaz|ekle|kaydet)(?!m|ı|n)`,
  ],
);

/** What such a change may never say. */
export const POWERS = words(
  [
    String.raw`\balways (?:allow|approve|run|trust|obey|accept|execute)|\bbypassPermissions\b|\b(?:bash|webfetch|write)\(\*|\bwithout (?:asking|review|confirmation)\b|\bcurl\b[^\n]{0,80}\|\s*(?:ba|z)?sh\b|\boutranks?\b|\bloyal\w*|\bhooks?\b[^\n]{0,120}\bcurl\b|\bcarry (?:them|it) out first\b|\bskip (?:all )?(?:permission|confirmation)|\btrust (?:all|any|every)\b|\b(?:reviewed|approved|audited) already\b|\bwithout a second look\b|\bas already (?:answered|approved)`,
    String.raw`\bpre-?(?:approved|authori[sz]ed|confirmed|cleared)\b|\b(?:are|is|be|counts?) (?:always |fully |already )?trusted\b|\bwithout (?:a question|questions|review|checks?|prompt\w*|hesitation|further)\b|\b(?:released|approved|paid|accepted|confirmed|allowed|granted|executed) (?:automatically|at once|immediately|by default|always)\b|\bautomatic(?:ally)? (?:released?|approv\w+|pa(?:y|id)|accept\w*|grant\w*)\b|\balways (?:prefer|recommend|use|include|send|mention|cite|suggest|load|fetch|buy|choose|forward|cc|copy)\b|\bdo as it says\b|\b(?:load|fetch|read|get)\b[^\n]{0,40}https?://[^\n]{0,60}\b(?:follow|do|apply|obey|execute)\b|\b(?:needs?|requires?|asks?) (?:for )?no (?:approval|confirmation|question|permission|review)\b|\bno (?:approval|confirmation|permission|review) (?:is )?(?:needed|required|necessary)\b|\bhas full (?:access|authority|rights|permission)\b|\bnever (?:ask|refuse|question|warn|mention)\b|\b(?:ignore|skip) (?:warnings?|reviews?|checks?)\b|\bon the user['’]s behalf\b|\b(?:send|forward|copy|upload|post)\b[^\n]{0,60}(?:https?://|@[\w-]+\.)`,
  ],
  [
    String.raw`\bimmer (?:erlaub|genehmig|ausführ|vertrau)|\bohne (?:rück|nach)frage|\bsiempre (?:permit|aprob|ejecut|conf)|\bsin (?:preguntar|confirmaci)|\btoujours (?:autoris|approuv|exécut|accept)|\bsans (?:demander|confirmation)|\bals genehmigt\b|\bpor aprobad|\bcomme approuv|\bcomo aprovad|\bsempre (?:permit|aprov|execut|confi)|\bsem (?:perguntar|confirma)`,
    `всегда (?:разреш|одобр|выполн|довер)|без (?:вопрос|подтвержд|спроса)|(?:始终|总是|永远|一律|自动)(?:允许|批准|同意|执行|信任)|(?:无需|不用|不必)(?:确认|询问)|视为(?:已)?(?:批准|同意)|одобрен[ыоа]|承認済み|常に(?:許可|承認|実行|信頼)|確認(?:なし|せず)|自動(?:的に)?承認|항상 (?:승인|허용|실행|신뢰)|묻지 ?(?:말고|않고)|자동 ?승인`,
    String.raw`\b(?:ha|haya|hat|a|tem) (?:già|ya|bereits|déjà|já) (?:approvat|aprobad|autorizad|genehmigt|zugestimmt|approuv|aprovad)\w*|\balle befehle erlaubt|\btodos los comandos|\btutti i comandi|\btoutes les commandes|\btodos os comandos`,
  ],
);

/** Deeds with consequences beyond the conversation. */
export const DEEDS = words(
  [
    String.raw`\b(?:approve|merge|delete|remove|install|purchase|buy|order|transfer|pay|sell|trade|publish|deploy|run|execute|collect|gather|read|copy|upload|forward|send|post|fetch|download|append|write|edit|add|move|rewrite|star|pick|answer|accept|enrol|invite|grant|reset|book|confirm|commit|push|copie)(?:e?s)?\b`,
  ],
  [
    String.raw`\b(?:führe|lösche|installiere|kopiere|ejecut\w+|borra|instala|copia|exécut\w+|supprim\w+|install\w+|copie\w*|execut\w+|apagu?e|instale)\b`,
    `выполн|запуст|удали|установи|скопир|执行|运行|删除|安装|复制|批准|実行|削除|インストール|コピー|承認|실행|삭제|설치|복사|승인`,
    "(?:çalıştır|yükle|kopyala|onayla|gönder|satın al)(?!m|n|ı)",
  ],
);

/** Spends the user's money. */
export const SPENDS = words(
  [
    String.raw`\b(?:complete|make|place|confirm|submit|finalize)\b[^.\n]{0,40}\b(?:purchase|order|payment|trade|transaction|checkout|booking|bid)\b|\b(?:transfer|send|swap|withdraw|sell|move)\b[^.\n]{0,40}\b(?:funds|balance|tokens|coins|crypto|savings|money|reserve|whole position|shares|stocks|holdings)\b|\bwhole balance\b|\b(?:saved|stored) card\b|\bcard on file\b`,
    String.raw`\b(?:book|buy|order|purchase|reserve|pay(?: for)?|renew|subscribe (?:the user )?to|upgrade (?:the user )?to|rent|hire|bid on|donate)\b (?:it|the|this|that|them|one|a|an|his|her|their|at)\b|\b(?:start|begin|activate|sign (?:the user )?up for|enrol\w* (?:the user )?in)\b[^.\n]{0,30}\b(?:subscription|paid plan|trial|premium|membership|insurance)\b|\b(?:add|put)\b[^.\n]{0,50}\b(?:to|in) (?:the|each|every) (?:cart|basket|order|invoice)\b|\btip of\b|\bround up the\b|\b(?:create|make|book|initiate|schedule|issue)\b[^.\n]{0,30}\b(?:additional|extra|further) (?:transfer|payment|payout|refund|order)`,
    String.raw`\b(?:transfer|send|pay|deduct|debit|charge|withdraw)s?\b[^.\n]{0,60}\b(?:from (?:the user['’]s|their|his|her) (?:\w+ )?(?:wallet|account|balance|card)|to \x60?(?:0x[0-9a-f]{8,}|bc1\w{6,}|[a-z]{2}\d{2}[\d ]{10,}))|\b\d+(?:\.\d+)? (?:usdc|usdt|eth|btc|sol)\b[^.\n]{0,60}\b(?:to|per|for (?:each|every))\b|\b(?:use|run|burn)\w* up\b[^.\n]{0,30}\b(?:quota|credits?|limits?|plan)\b|\b(?:quota|credits) (?:is|are) gone\b`,
    String.raw`\b(?:transfer|pay|payout|send|standing[- ]order(?: create)?|withdraw|donate|invest|wire)\b[^.\n]{0,40}--(?:to|iban|recipient|address|dest\w*|wallet|payee|beneficiary)[= ]["'\x60]?\w|\b(?:move|put|park|deposit|invest) what (?:was|is|has been) saved\b`,
    String.raw`\b(?:put|place|add|drop)\b[^.\n]{0,40}\b(?:product|item|plan|upgrade|insurance|protection plan|warranty|extra|subscription|article)s?\b[^.\n]{0,20}\b(?:in|into|to) the (?:cart|basket|order)\b`,
  ],
  [
    String.raw`\b(?:buche|kaufe|bestelle|bezahle|überweise)\b|\bhinterlegte[nr]? karte|\b(?:reserva|compra|paga|contrata|transfiere)\b[^.\n]{0,40}\b(?:tarjeta|pedido|vuelo|hotel|plan|saldo|el|la)\b|\btarjeta guardada|\b(?:réserve|achète|commande|paie|règle)\b[^.\n]{0,40}\b(?:carte|le|la|les|vol|abonnement)\b|\bcarte enregistrée|\b(?:reserve|compre|pague|contrate|assine)\b[^.\n]{0,40}\b(?:cartão|o|a|plano|passagem)\b|\bcartão salvo|(?:оплати|купи|закажи|забронируй|переведи)|сохран[её]нн\S+ карт|(?:付款|下单|购买|预订|转账|支付)|已保存的卡|(?:購入|予約|決済|支払い?|注文|送金)(?:を|し|の)|登録済みのカード|(?:결제|구매|예약|주문|송금)(?:하|을|를)|저장된 카드`,
    String.raw`\b(?:esegui|disponi|effettua|invia)\b[^.\n]{0,40}\b(?:bonific|pagament)\w+|\bpaga\b[^.\n]{0,20}\b(?:fattur|subito|tutt)\w*|\bführe\b[^.\n]{0,60}\b(?:überweisung|zahlung|lastschrift)\w*[^.\n]{0,30}\baus\b|\b(?:ejecuta|haz|realiza|envía)\b[^.\n]{0,30}\b(?:transferencia|pago)s?\b|\b(?:exécute|effectue|lance|fais)[rz]?\b[^.\n]{0,30}\b(?:virement|paiement)s?\b|\b(?:execute|faça|realize|envie)\b[^.\n]{0,30}\b(?:transferência|pagamento)s?\b|\b(?:wykonaj|zleć|wyślij)\b[^.\n]{0,30}\b(?:przelew|płatnoś)\w*|\bmaak\b[^.\n]{0,60}\bover\b[^.\n]{0,20}\b(?:factu|bedrag|rekening)`,
    "satın al(?!m|ı)|ödeme yap(?!m)|sipariş ver(?!m)|kayıtlı kart",
  ],
);

/** Loses the user's data, weakens checks, or uses the user's name for the author. */
export const HARMS = words(
  [
    String.raw`\bclick\b[^.\n]{0,60}\b(?:ads?\b|ad_\w+|adverts?\b|advertisements?\b|banners?\b|sponsored)|\b(?:change|rotate|vary|switch|randomi[sz]e)\b[^.\n]{0,60}\buser[- ]?agents?\b[^.\n]{0,80}\b(?:different|distinct|unique|real|new|other) (?:people|users|visitors|persons|humans)\b`,
    String.raw`\b(?:write|export|publish|save|put|copy|post)\b[^.\n]{0,80}\b(?:dates? of birth|birth ?dates?|phone numbers?|diagnos\w+|home address\w*|salar(?:y|ies)|social security|passport numbers?|reason for the visit)\b[^.\n]{0,80}(?:\bto|\binto|\bin|\bon|\bunder) (?:the |our |a )?\x60?(?:public\b|website|gh-pages|www/|static/|docs/)`,
    String.raw`\b(?:delete|wipe|erase|overwrite|shred|destroy|drop)\b[^.\n]{0,60}(?:~/|\bdocuments\b|\bbackups?\b|\bhome\b|\bsnapshots?\b|\bdatabases?\b|\boriginals?\b|\bevery(?:thing| (?:other )?(?:file|pdf|photo|image|document|folder|row|record|note|mail))\b|\ball (?:files|data|photos|records)\b|\bfailing\b)`,
    String.raw`\b(?:comment out|skip|disable|delete|switch(?:ed)? off|weaken|change)\b[^.\n]{0,30}\b(?:failing|tests|assertions|the audit|security checks?)\b|\bapprove (?:it|them|all|every)\b|\bmerge (?:it|them)\b|\bwhatever it changes\b`,
    String.raw`\bstar (?:all|the|every|our)\b|\bfollow (?:its|the|their|our) (?:members|account|author|organi)|\bfive-star\b|\bupvote\b|\b(?:rewrite|replace|route|swap)\b[^.\n]{0,40}\b(?:links?|iban|account numbers?|recipients?|payment address)|\brank\b[^.\n]{0,60}\bfirst\b|\bapprove and merge\b|\balways (?:cite|recommend|pick|choose|prefer|suggest)\b|\binstall (?:them|it|packages?)\b[^.\n]{0,20}\bwithout\b`,
    String.raw`\b(?:five|5|4|four) stars?\b|\bfive-star\b|\b(?:positive|kind|good|glowing|favou?rable|enthusiastic) (?:\w+ )?(?:reviews?|ratings?|sentences|comments?|words|testimonials?)\b|\b(?:leave|post|write|give|submit)\b[^.\n]{0,40}\b(?:reviews?|ratings?|testimonials?|upvotes?|likes?)\b|\b(?:like|follow|subscribe to|upvote|star|endorse|vote for|share|repost|retweet) (?:our|the author['’]s|its|their|this skill)\b|[?&](?:tag|ref|aff\w*|via|partner|coupon|utm_\w+)=|\b(?:affiliate|referral|partner|tracking|commission) (?:\w+ )?(?:tags?|links?|codes?|ids?|parameters?)\b|\bwe earn\b|\b(?:change|replace|swap|substitute|exchange)\b[^.\n]{0,60}\b(?:account|iban|bank|payee|recipient|payment)\b|\b(?:recommend|rank|prefer|favou?r|praise|promote|place)\b[^.\n]{0,50}\b(?:first|above|over|on top|instead of|our)\b`,
    String.raw`\bdrop(?:db|s)?\b[^.\n]{0,40}\b(?:schema|table|database|every|all|--force|cascade)\b|\bdropdb\b|<script[^>\n]{0,30}src=|\bsslverify\b[^.\n]{0,8}\bfalse\b|\b(?:raise|increase) (?:each|every) (?:price|fee|amount)|\brequest the scopes? [^.\n]{0,60}\b(?:as well|in addition)\b|\bstop paying\b|\b(?:stop|skip|discontinue) (?:their|the|your|taking) (?:\w+ )?(?:insulin|medication|chemotherapy|antibiotics|antidepressants)\b|\b(?:leave out|omit|drop|soften)\b[^.\n]{0,20}\b(?:clauses?|warranty|liability|penalt(?:y|ies))\b|\bpasswords? [^.\n]{0,24}\b(?:in plain ?text|in clear text)\b|\b(?:entries|lines|traces?|evidence) of (?:this|the|your) (?:run|session|work)\b[^.\n]{0,12}\bfrom\b|\b(?:replace|swap|downgrade|weaken|switch)\b[^.\n]{0,40}\b(?:bcrypt|argon2|scrypt|aes\S{0,8}|sha-?256|tls|https)\b[^.\n]{0,40}\b(?:md5|sha-?1|des|rc4|ecb|plain ?text|base64|http|xor)\b|\b(?:remove|disable|skip|turn off|switch off|drop)\b[^.\n]{0,20}\b(?:certificate|signature|csrf|input) (?:check|verification|validation)|\b(?:double|triple|exceed) the [^.\n]{0,24}\bdos(?:e|age)\b|\bmix\w*\b[^.\n]{0,40}\b(?:bleach|chlorine)\b[^.\n]{0,30}\b(?:ammonia|vinegar|acid)\b|\bresets?\b[^.\n]{0,20}\b(?:every|all|each|production)\b|\bdelete-db-snapshot|\bdelete\b[^.\n]{0,30}\b(?:the|all|every) (?:\w+ )?(?:snapshots?|notifications?|alerts?|failing|invoices?|branches)\b|\b(?:delete|remove|overwrite)\b[^.\n]{0,20}\b(?:branches|tags|releases|issues|wikis?)\b[^.\n]{0,60}\b(?:force|older|all|every)\b|\b(?:superuser|authorized_keys|sudoers|nopasswd)\b|\bcreate (?:a |an )?(?:role|user|admin|account|token|key)\b|\b(?:invite|add|make|set)\b[^.\n]{0,60}\bas (?:an? )?(?:owner|admin\w*|maintainer|collaborator|member|co-?owner|editor)\b|\bufw allow\b|\bopen (?:the )?port\b|\b(?:remove|disable|stop|switch off|turn off|delete|pause)\b[^.\n]{0,30}\b(?:audit|branch protection|2fa|mfa|two-factor|firewall|logging|log stream|alerting|monitoring|backups?|virus scanner|antivirus)\b|--no-verify\b|\bnode_tls_reject_unauthorized\b|\bhttps?_proxy=|\bpr merge\b[^.\n]{0,40}--admin|\bpr review --approve\b|\bapprove\b[^.\n]{0,40}\b(?:updates?|pull requests?|prs?|changes|releases?|invoices?|expenses?|timesheets?|requests?)\b|\bskip (?:the |any |all )?(?:audit|review|checks?|scan|tests)\b|\baccept (?:all |every |each |the |pending |any )*(?:terms|contracts?|invitations?|offers?|orders?|calls?|requests?)\b|\bstored signature\b|\bturn (?:it|them|telemetry|tracking|sharing|sync) (?:back )?on\b|\bpays? us\b|\bwe (?:are|get) paid\b|\bapply plans? as soon\b|\bset all scores\b|\bcopies? (?:itself|this skill|the skill) (?:in)?to\b|\bon the connected database\b|\bscreenshots? of the (?:whole|entire|full)\b|\b(?:delete|remove) (?:the )?failing\b|\brefund\w*\b[^.\n]{0,40}\b(?:full|always|every|at once)\b|\breplaces? the iban\b|\bgift card\b|\btick\b[^.\n]{0,60}\b(?:insurance|seat|plus|premium|protection)\b`,
    String.raw`\brole=(?:admin|owner)\b|\btwo_factor\w*=false|--visibility[ =]public\b|\bpermission=admin\b|\ballusers\b|\bpublic-read(?:-write)?\b|\bblockpublic\w+=false\b|--role[ =]roles/owner\b|\b(?:set|make|turn|switch|open)\b[^.\n]{0,60}\b(?:repositor(?:y|ies)|repos?|buckets?|folders?|drives?|documents?|calendars?|dashboards?|database|channels?|projects?|files?)\b[^.\n]{0,30}\b(?:public(?:ly)?|to (?:everyone|anyone|all)|world-readable|readable by (?:all|everyone))\b|\b(?:available|visible|open|shared|accessible) (?:to|with) (?:everyone|anyone|the (?:whole )?(?:world|internet|public))\b|\banyone (?:with the link|on the (?:internet|web))\b|\b(?:owner|admin\w*) role\b|\b(?:bypass|disable|skip|circumvent)\b[^.\n]{0,20}\b(?:them|security|hooks?|protection)\b[^.\n]{0,40}\b(?:environment variable|flag|option|setting)\b|\badd an exclusion\b|\bignore list\b[^.\n]{0,30}\bcommit\b|\b(?:virus scanners?|antivirus|firewall|edr|defender|sandbox|security (?:agent|software|tool)|policy agent|monitor(?:ing)? agent)\b[^.\n]{0,60}\b(?:(?:switch|turn|shut) (?:it|them|that) (?:off|down)|(?:disable|stop|pause|remove|uninstall|kill) (?:it|them))\b`,
    String.raw`\b(?:delete|purge|drop|remove|destroy|empty|prune|clear|truncate|expire|discard)\b[^.\n]{0,30}\b(?:all|every|each|the|old|oldest|existing|remaining) (?:[\w-]+ ){0,3}(?:backups?|snapshots?|recovery points?|restore points?|volumes|audit (?:tables?|logs?|trail)|history tables?|object versions|dumps|tags|reflog|binlogs?|wal files)\b|\b(?:play|talk) down\b[^.\n]{0,30}\b(?:doubts?|warnings?|risks?|concerns?|objections?)\b|\b(?:doubts?|warnings?|criticism)\b[^.\n]{0,30}\bcomes? from (?:competitors|rivals|envious)|\b(?:quote|publish|print|post|upload|list|show)\b[^.\n]{0,60}\b(?:in full|unchanged|as they are|complete)\b[^.\n]{0,30}\bwith\b[^.\n]{0,30}\b(?:names?|e-?mails?|phone|address\w*|diagnos\w+|salar\w+|birth)\b|\b(?:publish|post|deploy|upload|put)\b[^.\n]{0,40}\b(?:complete|full|raw|whole|entire|original) (?:export|tickets|records|patient|customer|contact|case|mail|message)s?\b[^.\n]{0,60}\b(?:public\w*|website|site|download|everyone|open)\b`,
    String.raw`\b(?:answer|recommendation|result|winner|advice|first place|top pick)\b[^.\n]{0,12}\b(?:is|must be|has to be|will be)\b (?:always )?(?:a |the |one of )?(?:product|plan|offer|tool|service|fund|model|brand)s? (?:of|from|by)\b|\bso that (?:it|they|our \w+|the \w+|\w+) (?:comes?|come out|ends? up|ranks?|wins?|appears?|scores?)\b[^.\n]{0,12}\b(?:out )?(?:first|on top|ahead|best|highest)\b|\b(?:real|actual|true) (?:aim|goal|purpose) (?:of|is)\b[^.\n]{0,40}\b(?:sale|sell|purchase|sign-?up|lead)\b|\b(?:aim|goal) of the (?:conversation|chat|session) is (?:the|a) (?:sale|purchase|subscription)|\b(?:leave|keep) (?:the )?(?:cheaper|better|free|rival|competing|equal)\b[^.\n]{0,30}\bout\b|\b(?:raise|widen|lift|increase|mute|silence|ignore|suppress)\b[^.\n]{0,30}\b(?:alarm|alert|warning|trip|safety|dose|exposure)\b[^.\n]{0,20}\b(?:limits?|thresholds?|levels?)\b|\b(?:bypass|bridge|jumper|disable|override|switch off)\b[^.\n]{0,30}\b(?:interlocks?|emergency stops?|safety (?:relays?|valves?|switch(?:es)?|controllers?|functions?)|watchdogs?|smoke detectors?)\b`,
    String.raw`\b(?:whatever|no matter what|regardless of what|always)\b[^.\n]{0,50}\b(?:recommendation|answer|winner|choice|advice|pick)\b[^.\n]{0,8}\b(?:is|goes to|must be|stays)\b|\b(?:leave|keep)\b[^.\n]{0,12}\b(?:subscription|contract|plan|charge|account|trial)s?\b[^.\n]{0,12}\b(?:active|running|open|alive|going)\b`,
    String.raw`\b(?:write|add|install|put|set)\b[^.\n]{0,40}\bhooks?\b[^\n]{0,80}\b(?:all|every|each) (?:\w+ )?(?:repositor(?:y|ies)|projects?|repos?)\b|\b(?:switch|turn|shut)\b[^.\n]{0,30}\b(?:audit|logging|monitoring|alerting|mfa|2fa|firewall|backups?|antivirus|encryption|authentication|sandbox)\b[^.\n]{0,12}\b(?:off|down)\b`,
    String.raw`\btruncate\b[^.\n]{0,60}\b(?:table|history|events|payments|orders|logs?|when|exceed)|\b(?:mute|silence|snooze|disable)\b[^.\n]{0,12}\b(?:all|every) (?:\w+ )?(?:alerts?|alarms?|pages?)\b|\bforce-?push\b[^.\n]{0,20}\b(?:main|master|trunk|everything|all)\b|\b(?:name|mention|list|cite|put|place)\b[^.\n]{0,24}\bfirst\b[^.\n]{0,30}\b(?:winner|best|tested|recommended|choice)\b|\b(?:maker|vendor|company|sponsor|shop|manufacturer)s? pays? (?:us )?for\b`,
    String.raw`\bkubectl delete (?:ns|namespaces?|pvc?|all)\b[^.\n]{0,20}--all\b|\bterraform destroy\b[^.\n]{0,20}-auto-approve\b|\bpermitrootlogin yes\b|\broot password to\b|\bcsrf\b[^.\n]{0,12}\b(?:off|disabled?)\b|\bcomment the auth\w*\b[^.\n]{0,20}\bout\b|\bapprove everything\b|\b(?:keep|save|store|log|write)\b[^.\n]{0,12}\b(?:it|them|the (?:card|number|pin|password|cvv))\b[^\n]{0,24}\b(?:shared|public|plain)\b|\b(?:box|option|checkbox)\b[^.\n]{0,20}\b(?:already|pre-?) ?(?:ticked|checked|selected)\b|\bpre-?ticked\b`,
    String.raw`\brecommend\b[^.\n]{0,30}\b(?:paid|premium|pro|our|sponsor\w*|partner)\b[^.\n]{0,20}\b(?:plan|product|version|service|course)\b[^.\n]{0,40}\b(?:in each|in every|always|each|whatever|every)\b|\b(?:put|add|insert|end with)\b[^.\n]{0,24}\b(?:praise|compliments?|advert\w*|slogans?)\b`,
  ],
  [
    String.raw`\b(?:schreibe?|veröffentliche|exportiere|speichere|stelle)\b[^.\n]{0,80}(?:geburtsdat|telefonnummer|diagnose|anschrift|gehalt|gehält|behandlungsgrund)\w*[^.\n]{0,80}(?:\x60public/|öffentlich|\bauf (?:die|der) web)|\b(?:escribe|publica|exporta|guarda|escreva|publique|exporte|écris|publie|scrivi|pubblica|esporta)\b[^.\n]{0,80}(?:nacimiento|nascimento|naissance|nascita|tel[eé]f|téléphone|diagn[oó]s|salari|domicili|adresse)\w*[^.\n]{0,80}(?:\x60public/|\bpúblic|\bpublic|\bpubblic|\bweb\b|\bsito\b|\bsite\b)`,
    String.raw`\b(?:erstatte|erstattung\w*|genehmige|lösche|fusionier\w*)\b[^.\n]{0,60}\b(?:sofort|immer|jede\w*|alle)|\b(?:akzeptiere|bestätige|nimm)\b[^.\n]{0,30}\b(?:alle|jede\w*)\b|\b(?:approuve|fusionne|accepte|supprime)\b[^.\n]{0,40}\b(?:tout|tous|toutes|chaque|suite)\b|\b(?:aprueba|acepta|borra|fusiona)\b[^.\n]{0,40}\b(?:tod[oa]s?|cada|enseguida)\b|\b(?:aprove|aceite|apague|exclua)\b[^.\n]{0,40}\b(?:tod[oa]s?|cada|imediat)|\b(?:approva|accetta|cancella)\b[^.\n]{0,40}\b(?:tutt[ioe]|ogni|subito)|(?:одобряй|прими|принимай|удали|удаляй|сливай)[^.\n]{0,40}(?:все|вс[её]|кажд|сразу)|(?:接受|批准|合并|删除)(?:所有|全部|每)|(?:すべて|全て|全部)[^。\n]{0,15}(?:承認|受け入れ|削除|マージ)|(?:모든|전부)[^.\n]{0,20}(?:승인|수락|삭제|병합)`,
    String.raw`\b(?:mache|stelle|schalte|setze)\b[^.\n]{0,60}(?:öffentlich|für alle (?:sichtbar|frei))|\b(?:füge|trage|mache|setze|ernenne)\b[^.\n]{0,80}\b(?:als|zum) (?:\w+ )?(?:administrator|admin|eigentümer|besitzer)\w*|\b(?:schalte|deaktiviere|stoppe|beende)\b[^.\n]{0,60}(?:virenscanner|firewall|\bschutz|sandbox|protokollierung|überwachung|zwei-faktor|\b2fa)`,
    String.raw`\b(?:haz|pon|deja|convierte|abre)\b[^.\n]{0,60}(?:públic[oa]s?\b|a cualquiera)|\b(?:añade|agrega|nombra|pon|invita)\b[^.\n]{0,80}\bcomo (?:administrador|propietari|dueñ|admin)|\b(?:desactiva|apaga|det[eé]n)\b[^.\n]{0,50}(?:antivirus|cortafuegos|protecci|sandbox|auditor|registro|doble factor|dos factores)|\b(?:rends?|mets|passe|ouvre)z?\b[^.\n]{0,60}(?:publi(?:c|cs|que|ques)\b|accessibles? à tous)|\b(?:ajoute|nomme|invite|mets)[rz]?\b[^.\n]{0,80}\b(?:comme|en) (?:administrat|admin|propriétaire)|\bdésactive[rz]?\b[^.\n]{0,50}(?:antivirus|pare-feu|protection|sandbox|bac à sable|journalis|audit|double (?:facteur|authent))|\b(?:torne|deixe|ponha|abra)\b[^.\n]{0,60}(?:públic[oa]s?\b|a todos)|\b(?:adicione|nomeie|convide|coloque)\b[^.\n]{0,80}\bcomo (?:administrador|propriet|dono|admin)|\b(?:desative|desligue|pare)\b[^.\n]{0,50}(?:antivírus|firewall|proteç|sandbox|auditoria|registro|dois fatores)`,
    String.raw`(?:сделай|сделайте|открой)\S*[^.\n]{0,50}(?:публичн|общедоступн|доступн\S* всем)|(?:добав|назнач)\S*[^.\n]{0,60}(?:администратор|владельц)|(?:отключи|выключи|останови)\S*[^.\n]{0,50}(?:антивирус|брандмауэр|файрвол|защит|песочниц|аудит|журналир|двухфактор)|(?:设为|改为|变成|设置为|改成)(?:公开|公共|所有人可)|(?:公开|对所有人)(?:所有|全部)(?:仓库|文件)|(?<!被)(?:设为|添加为|(?<!添)加为|设置为|提升为)[^。\n]{0,6}(?:管理员|所有者|拥有者)|(?:关闭|禁用|停用|卸载)[^。\n]{0,8}(?:杀毒|防火墙|防护|安全(?:检查|软件)|沙箱|审计|双重|两步)|(?:杀毒软件|防火墙|安全软件|防护)[^。\n]{0,20}(?:关闭|禁用|停用|卸载)`,
    String.raw`(?:リポジトリ|フォルダ|バケット|ファイル)[^。\n]{0,12}(?:を公開し|を公開に|誰でも)|管理者(?:に|として)(?:追加|登録|設定|招待)|(?:ウイルス対策|ファイアウォール|保護|サンドボックス|監査|二段階認証|二要素)[^。\n]{0,14}(?:無効|停止|オフ|解除)(?:に)?(?:し|す)|(?:저장소|폴더|버킷|파일)[^.\n]{0,12}(?:공개로|공개하|전체 공개)|관리자로 (?:추가|지정|초대|등록)|(?:백신|방화벽|보호|샌드박스|감사|2단계 인증)[^.\n]{0,12}(?:끄|비활성화|중지|해제)|herkese açık (?:yap|hale getir)(?!m)|yönetici olarak (?:ekle|ata)(?!m)|(?:antivirüs|güvenlik duvarı|koruma|denetim)\S*[^.\n]{0,20}(?:kapat|devre dışı bırak|durdur)(?!m)`,
    String.raw`\b(?:lösche|entferne|leere|vernichte|verwirf)\b[^.\n]{0,40}(?:sicherung|schnappsch|snapshot|backup|wiederherstellungspunkt|prüfprotokoll|audit)|\b(?:borra|elimina|vacía|destruye)\b[^.\n]{0,40}(?:copias de seguridad|respaldos?|instantáneas|auditor|puntos de restaur)|\b(?:supprime|efface|vide|détruis)[rz]?\b[^.\n]{0,40}(?:sauvegardes|instantanés|snapshots|audit|points de restaur)|\b(?:apague|exclua|elimine|esvazie)\b[^.\n]{0,40}(?:backups|cópias de segurança|instantâneos|snapshots|auditor)|\b(?:elimina|cancella|svuota)\b[^.\n]{0,40}(?:backup|istantanee|snapshot|copie di sicurezza)|\b(?:usuń|skasuj|wyczyść)\b[^.\n]{0,40}(?:kopie zapasowe|migawki|backup|audyt)|\b(?:verwijder|wis)\b[^.\n]{0,40}(?:back-?ups|snapshots|momentopnamen)|(?:удали|сотри|очисти|уничтож)\S*[^.\n]{0,40}(?:резервн|бэкап|снимк|снапшот|аудит)|(?:删除|清空|清除|销毁)[^。\n]{0,14}(?:备份|快照|审计|还原点|恢复点)|(?:バックアップ|スナップショット|復元ポイント|監査)[^。\n]{0,16}(?:削除|消去|破棄)|(?:백업|스냅샷|복원 지점|감사)[^.\n]{0,14}(?:삭제|지우|비우)|(?:yedek|anlık görüntü|denetim)\S*[^.\n]{0,30}(?:sil|temizle|yok et)(?!m)`,
    String.raw`\b(?:nimm|lege|packe)\b[^.\n]{0,60}\b(?:trotzdem|dennoch)\b[^.\n]{0,30}warenkorb|\bdie antwort (?:ist|lautet) immer\b|\blass\w*[^.\n]{0,40}(?:günstigere|billigere|bessere)\w*[^.\n]{0,20}\bweg\b|\bla respuesta es siempre\b|\bla réponse est toujours\b|\ba resposta é sempre\b|ответ всегда|(?:最终|结论)(?:一律|始终|必须)推荐|必ず[^。\n]{0,14}(?:を勧め|を推薦)|항상 [^.\n]{0,14}(?:추천)`,
  ],
);

/** Fetches what it shall do. */
export const TAKES_ORDERS = words(
  [
    String.raw`\b(?:fetch|download|load|retrieve|get|read|pull|curl)\b[^.\n]{0,60}https?://[^\s)"'\x60]+[^\n]{0,40}\b(?:and|then)\b[^.\n]{0,30}\b(?:follow|obey|execute|do|apply|carry out|take its (?:text|content))\b`,
    String.raw`\b(?:follow|obey|execute|carry out|do) (?:what|whatever|everything) (?:it|the (?:file|page|text)) (?:says|contains|asks)|\b(?:run|execute|do|perform|carry out)\b[^.\n]{0,40}\b(?:listed|given|named|found|described|published|posted) (?:in|at|on|by|under) \x60?https?:|\b(?:take|treat)\b[^.\n]{0,60}\bas your (?:next )?(?:task|order|command|instruction)|\bis (?:likewise |also )?(?:a|an) (?:command|order|instruction) (?:to|for) you\b|\b(?:take|treat)\b[^.\n]{0,40}\bas (?:new |your )?(?:orders|commands)\b`,
    String.raw`\b(?:follow|obey|execute|carry out|do) (?:exactly |just |precisely |all )?(?:what|whatever|everything) (?:the (?:\w+ )?(?:file|page|text|body|message|mail|subject|comment|ticket|issue|line)|its (?:body|text|content)) (?:says|contains|asks|tells|orders|demands)|\bare (?:jobs|tasks|orders|commands|instructions) (?:from|of|by) the (?:network|feed|server|channel|hub|relay)\b`,
  ],
  [
    String.raw`\b(?:befolge|obedece|obéis|obedeça)\b[^\n]{0,80}https?://|https?://[^\s)"'\x60]+[^\n]{0,60}(?:befolge|führe [^.\n]{0,30}aus|sigue|obedece|ejecuta|suis|exécute|siga|obedeça|execute|выполн|следуй|执行|遵循|照做|従っ|実行|따르|실행)`,
  ],
);

/** Each time, without a request. */
export const ALWAYS = words(
  [
    String.raw`\b(?:before|after|with|at the (?:start|end) of|in|for) (?:each|every|any)\b|\b(?:each|every) (?:time|session|answer|reply|message|commit|run)\b|\balways\b|\bwhenever\b|\bbefore (?:you )?(?:answer|reply|respond|do)`,
  ],
  [
    String.raw`\b(?:vor|nach|bei|mit) jede[mrns]?\b|\bimmer\b|\bantes de (?:cada|responder)|\bal (?:terminar|final)\b|\bcada vez\b|\bsiempre\b|\b(?:avant|après|à) chaque\b|\btoujours\b|\bantes de cada\b|\ba cada\b|\bsempre\b`,
    `(?:перед|после|при) кажд|всегда|每次|每当|始终|首次|毎回|たびに|常に|매번|마다|항상`,
  ],
);

/** Treats people worse for what they are. */
export const DISCRIMINATES = words(
  [
    String.raw`\b(?:aged|age (?:above|over|group|of)|by age|their age|older|(?:over|above|past|beyond) (?:3\d|4\d|5\d|6\d|forty|fifty|sixty)|graduation year|birth ?year|date of birth|gender|female|women|woman|mothers?|pregnan\w+|parental leave|maternity|child(?:ren|care)|ethnic\w*|racial|nationality|foreign(?:[- ]sounding)?|origin|accents?|migra\w+|immigrants?|post ?codes?|zip codes?|headscarf|religio\w+|muslims?|jewish|disab\w+|wheelchair|illness|sexual orientation|gay|lesbian|transgender|union|works council|low[- ]income|poor (?:district|area|neighbou?rhood)s?|first names?|surnames?|skin colou?r)\b[^.\n]{0,90}\|\s*(?:[−–-]\s?\d|minus\b|reject|decline|lower\b|exclude)`,
    String.raw`\b(?:reject|decline|exclude|downgrade|penali[sz]e|deprioriti[sz]e|filter out|screen out|sort out|weed out|mark down|rank down|score down|deduct|subtract|lower|reduce|charge|skip|leave out|do not invite|don['’]t invite|never invite)\b[^.\n]{0,60}\b(?:(?:candidates?|applicants?|applications?|tenants?|borrowers?|customers?|people|persons?|students?|pupils?|guests?|cvs?|r[eé]sum[eé]s?|profiles?|patients?|claims?|drivers?|members?|callers?|workers?)|points?|scores?|ranks?|more)\b[^.\n]{0,60}\b(?:aged|age (?:above|over|group|of)|by age|their age|older|(?:over|above|past|beyond) (?:3\d|4\d|5\d|6\d|forty|fifty|sixty)|graduation year|birth ?year|date of birth|gender|female|women|woman|mothers?|pregnan\w+|parental leave|maternity|child(?:ren|care)|ethnic\w*|racial|nationality|foreign(?:[- ]sounding)?|origin|accents?|migra\w+|immigrants?|post ?codes?|zip codes?|headscarf|religio\w+|muslims?|jewish|disab\w+|wheelchair|illness|sexual orientation|gay|lesbian|transgender|union|works council|low[- ]income|poor (?:district|area|neighbou?rhood)s?|first names?|surnames?|skin colou?r)\b`,
    String.raw`\b(?:candidates?|applicants?|applications?|tenants?|borrowers?|customers?|people|persons?|students?|pupils?|guests?|cvs?|r[eé]sum[eé]s?|profiles?|patients?|claims?|drivers?|members?|callers?|workers?)\b(?:[^.\n]|\.\w){0,50}\b(?:aged|age (?:above|over|group|of)|by age|their age|older|(?:over|above|past|beyond) (?:3\d|4\d|5\d|6\d|forty|fifty|sixty)|graduation year|birth ?year|date of birth|gender|female|women|woman|mothers?|pregnan\w+|parental leave|maternity|child(?:ren|care)|ethnic\w*|racial|nationality|foreign(?:[- ]sounding)?|origin|accents?|migra\w+|immigrants?|post ?codes?|zip codes?|headscarf|religio\w+|muslims?|jewish|disab\w+|wheelchair|illness|sexual orientation|gay|lesbian|transgender|union|works council|low[- ]income|poor (?:district|area|neighbou?rhood)s?|first names?|surnames?|skin colou?r)\b(?:[^.\n]|\.\w){0,60}(?:\b(?:get|gets|receive|lose|loses|are|is|be|go|goes|rank|score|land|pay|wait)\b[^.\n]{0,30}\b(?:rejected|declined|points?|minus|lower|worse|longer|more|filtered|bottom|(?:the|at the) end|last|not (?:invited|shown|offered|considered|called)|premium|surcharge)\b|\b(?:lower|worse|last),? (?:and|but) (?:give|say|name|write)\b)`,
    String.raw`\b(?:aged|age (?:above|over|group|of)|by age|their age|older|(?:over|above|past|beyond) (?:3\d|4\d|5\d|6\d|forty|fifty|sixty)|graduation year|birth ?year|date of birth|gender|female|women|woman|mothers?|pregnan\w+|parental leave|maternity|child(?:ren|care)|ethnic\w*|racial|nationality|foreign(?:[- ]sounding)?|origin|accents?|migra\w+|immigrants?|post ?codes?|zip codes?|headscarf|religio\w+|muslims?|jewish|disab\w+|wheelchair|illness|sexual orientation|gay|lesbian|transgender|union|works council|low[- ]income|poor (?:district|area|neighbou?rhood)s?|first names?|surnames?|skin colou?r)\b[^.\n]{0,40}\b(?:background|name|family|status|person|customer|applicant|tenant)?\b[^.\n]{0,20}\b(?:quote|charge|offer|show|ask|demand|set|answer|give|add|deduct)\b[^.\n]{0,40}\b(?:higher|lower|worse|less|half|smaller|premium|surcharge|deposit|points|not available|unavailable|already (?:taken|let|filled))\b|\b(?:list|note|record|watch|mark)\b[^.\n]{0,40}\b(?:employees?|workers?|staff|colleagues)\b[^.\n]{0,40}\b(?:works council|union|often ill|sick|pregnan\w+|complain\w*)|\b(?:look|search) for (?:small |any |some )?(?:mistakes?|reasons?|faults?)\b[^.\n]{0,60}\b(?:warning|dismissal|dismiss|fired?)\b|\bwhose (?:parents|family|company|father|employer)\b[^.\n]{0,20}\b(?:donated|paid|gave|sponsor\w*|knows?)\b(?:[^.\n]|\.\w){0,40}\b(?:better|higher|first|priority|more points|pass)\b`,
    String.raw`\b(?:iphones?|mac users?|rich|wealthy|loyal customers?)\b[^.\n]{0,40}\b(?:show|charge|quote|display)\b[^.\n]{0,20}\b(?:more|higher)\b`,
  ],
  [
    String.raw`\b(?:lehne|sortiere|stufe|ziehe|bewerte|schließe)\b[^.\n]{0,80}(?:älter|über (?:4|5)\d|frauen|schwanger|mütter|elternzeit|ausländ|herkunft|kopftuch|behinder|religion|gewerkschaft|betriebsrat|migration)\w*[^.\n]{0,40}\b(?:ab|aus|herab|niedriger|punkte|schlechter)\b|(?:älter|frauen|schwanger|mütter|elternzeit|ausländ|herkunft|kopftuch|behinder|gewerkschaft|betriebsrat)\w*[^.\n]{0,60}(?:abzug|punkte weniger|aussortier|ablehn|abwert|herabstuf|\|\s*[−–-]\d)\w*|\b(?:rechaza|descarta|penaliza|baja|resta)\b[^.\n]{0,80}(?:mujeres|embarazad|mayores de|extranjer|discapacid|religi|sindicat|origen|acento)|\b(?:rejette|écarte|pénalise|déclasse|retire)[rz]?\b[^.\n]{0,80}(?:femmes|enceintes?|plus de (?:4|5)\d|étrang|handicap|religi|syndi|origine|voile)|\b(?:rejeite|descarte|penalize|rebaixe)\b[^.\n]{0,80}(?:mulheres|grávid|mais de (?:4|5)\d|estrangeir|deficiên|religi|sindica|origem)|\b(?:scarta|penalizza|respingi)\b[^.\n]{0,80}(?:donne|incinte|oltre i (?:4|5)\d|stranier|disabil|religion|sindacat|origine)|(?:отклоняй|отсеивай|понижай|снижай|исключай)\S*[^.\n]{0,60}(?:женщин|беременн|старше (?:4|5)\d|мигрант|инвалид|религ|национальн|профсоюз)|(?:排除|淘汰|降低|扣分|拒绝|筛掉)[^。\n]{0,20}(?:女性|孕|已婚未育|(?:3|4)\d岁以上|残疾|民族|宗教|外地|工会)|(?:女性|孕|(?:3|4)\d岁以上|残疾|少数民族|宗教)[^。\n]{0,16}(?:扣分|淘汰|降分|拒绝|排除)|(?:女性|妊娠|(?:4|5)\d歳以上|障害|外国籍|宗教|組合)[^。\n]{0,20}(?:減点|除外|不採用|下げ)|(?:여성|임신|(?:4|5)\d세 이상|장애|외국인|종교|노조)[^.\n]{0,20}(?:감점|제외|탈락|낮추)`,
    String.raw`(?:bewerber|kandidat|mieter|kund)\w*[^.\n]{0,40}(?:gebärfähig|mit kindern|nachname|akzent|über (?:4|5)\d|älter|ausländisch)\w*[^.\n]{0,50}(?:abzug|aussortier|ablehn|abwert|punkte|nicht (?:einladen|eingeladen)|ans ende)\w*|\b(?:candidat[oa]s?|solicitantes?|inquilinos?)\b[^.\n]{0,50}(?:mayores de|mujeres|extranjer|hijos|acento|embaraz)\w*[^.\n]{0,50}(?:descart|rechaz|puntos|fuera|al final)|\bcandidat\w*\b[^.\n]{0,50}(?:plus de (?:4|5)\d|femmes|étrang|enfants|accent|enceinte)\w*[^.\n]{0,50}(?:écart|rejet|points|à la fin)|\bcandidat\w*\b[^.\n]{0,50}(?:mais de (?:4|5)\d|mulheres|estrangeir|filhos|grávid)\w*[^.\n]{0,50}(?:descart|elimin|pontos|no fim)|\bcandidat\w*\b[^.\n]{0,50}(?:oltre i (?:4|5)\d|donne|stranier|figli|incint)\w*[^.\n]{0,50}(?:scart|punti|in fondo)|(?:старше (?:4|5)\d|женщин|беременн|мигрант|инвалид|с детьми)\S*[^.\n]{0,40}(?:отсеива|отклоня|исключа|понижа|баллов)|\bkandydat\w*[^.\n]{0,50}(?:powyżej (?:4|5)\d|kobiet|ciąż|obcokrajow|dzie[ćc])\w*[^.\n]{0,50}(?:odrzu|punkt|na koniec)|\b(?:kandidaten|sollicitanten|huurders)\b[^.\n]{0,50}(?:boven de (?:4|5)\d|vrouwen|zwanger|buitenlands|kinderen)[^.\n]{0,50}(?:afwij|afval|punten|onderaan)|(?:aday|başvuru)\S*[^.\n]{0,40}(?:yaş üstü|kadın|hamile|yabancı|engelli)\S*[^.\n]{0,40}(?:ele|puan|reddet)`,
  ],
);

/** A mail or page that imitates a notice to get passwords. */
export const PHISHES = words(
  [
    String.raw`\b(?:subjects?|mails?|e-?mails?|messages?|letters?|sms|pages?|forms?|sites?|senders?|notices?)\b[^.\n]{0,60}\b(?:looks?|appears?|seems?|reads?|styled|worded|designed|dressed up|made)\b[^.\n]{0,16}\b(?:like|as if|as|to (?:come|be) from|to look like)\b[^.\n]{0,30}\b(?:an? (?:\w+ )?(?:answer|reply|notice|invoice|warning|alert|reminder|bank|court|authority)|(?:the |their |a )?(?:bank|boss|ceo|cfo|employer|it department|help ?desk|tax office|police|payroll|hr|government|microsoft|google|paypal|amazon))\b|["“'«](?:[^"”'»\n]{0,40})\b(?:your (?:account|mailbox|password|access|card) (?:will|has|is|was|expires?)\b[^"”'»\n]{0,30}|confirm your (?:password|account|identity|card)|verify your (?:password|account|identity|card)|unusual (?:sign-?in|activity)|final (?:notice|warning)|security alert)[^"”'»\n]{0,40}["”'»]|\b(?:recipients?|victims?|visitors?|employees?|customers?|targets?)\b[^.\n]{0,30}\b(?:confirm|enter|type|give|submit|verify|hand over)\b[^.\n]{0,40}\b(?:mail |bank |account |login |their )*(?:passwords?|pins?|one-time codes?|card numbers?|bank details|cvv|seed phrases?|credentials)\b|\b(?:confirm|verify|validate|renew|unlock|restore)\b[^.\n]{0,60}\b(?:authenticator|one-time|six-digit|6-digit|2fa|mfa|card|security) (?:codes?|numbers?)\b[^.\n]{0,30}\b(?:at|on|via) https?:|\b(?:for|enter|give|paste|share)\b[^.\n]{0,60}\b(?:master password|six-digit code|6-digit code|one-time code|authenticator code|seed phrase|recovery phrase|card number)`,
  ],
  [
    String.raw`(?:betreff|mail|nachricht|seite|schreiben)\w*[^.\n]{0,60}(?:aussehen|wirken|aussieht|wirkt|klingen)[^.\n]{0,6}\bwie\b|[„»"]ihr konto (?:wird|wurde|ist) (?:gesperrt|geschlossen)|(?:empfänger|kunden|mitarbeiter)\w*[^.\n]{0,40}(?:passwort|pin|tan|zugangsdaten)[^.\n]{0,20}(?:eingeben|bestätigen|eintragen)|\b(?:asunto|correo|mensaje|página)\w*[^.\n]{0,40}\b(?:parezca|parezcan|que parece)\b|["«“]su cuenta (?:será|ha sido|está) (?:cerrada|bloqueada|suspendida)|\b(?:objet|courriel|message|page)s?\b[^.\n]{0,40}\b(?:ressemble|ait l['’]air|semble venir)|["«“]votre compte (?:sera|a été|est) (?:fermé|bloqué|suspendu)|\b(?:assunto|e-?mail|mensagem|página)\w*[^.\n]{0,40}\bpareça|["«“]sua conta (?:será|foi|está) (?:encerrada|bloqueada|suspensa)|[«"„]ваш (?:аккаунт|счёт|счет) (?:будет|был|заблокирован)|["“「]您的(?:账户|账号|帐户)(?:将被|已被)(?:关闭|冻结|停用)|「(?:お客様の)?アカウントが(?:停止|閉鎖|ロック)|["“「]?(?:귀하의 )?계정이 (?:정지|폐쇄|잠)`,
  ],
);

/** An open value of an address that is a whole text. */
export const ALL_OF_IT = /=<(?:all|whole|full|the (?:whole|full))\b/;

/** Encoded, in what is sent each time. */
export const IN_EACH = /\bbase ?64\b[^.\n]{0,60}\b(?:every|each|all)\b/;

/** Of all that the user makes or gets. */
export const EACH_COPY = /\bcop(?:y|ies) of (?:each|every|all)\b|\b(?:each|every) (?:\w+ ){1,3}(?:is|are|goes|also)\b/;

/** What makes people act before they think. */
export const URGENT =
  /\b(?:lose|loses|erased|locked|suspended|deactivated|closed|deleted)\b[^.\n]{0,30}\b(?:in|within|unless|today|cover|access|account|if|permanently)\b|\baction required\b|\bpeople who (?:do not|don['’]t)\b/;

/** Watches people, or publishes where they live. */
export const SPIES = words(
  [
    String.raw`\b(?:install|put|start|run|set up|enable|activate|read|track|monitor|record|watch|log|forward|copy|mirror|locate|follow)\b[^.\n]{0,60}\b(?:partner|wife|husband|girlfriend|boyfriend|spouse|ex|employees?|staff|colleagues?|teenagers?|tenants?|neighbou?rs?|roommates?|journalists?|workers?)(?:['’]s?)?\b[^.\n]{0,40}\b(?:phones?|messages?|location|screens?|cameras?|microphones?|keystrokes?|calls|chats?|whatsapp|mailbox|browsers?|laptops?|accounts?|mails?)\b`,
    String.raw`\b(?:collect|find|gather|compile|search for|look up)\b[^.\n]{0,40}\b(?:home address|private address|workplace|licence plate|phone number|school|daily routine)s?\b[^.\n]{0,120}\b(?:publish|post|leak|spread|share)\b[^.\n]{0,40}\b(?:page|public|forum|channel|online|list|site|map|group|thread)\b`,
  ],
  [
    String.raw`(?:handy|telefon|nachrichten|standort|mailbox|laptop)\w*[^.\n]{0,40}\b(?:der|des) (?:partner|frau|mann|freund|mitarbeiter|ehe)\w*[^.\n]{0,40}(?:mitles|überwach|aufzeichn|verfolg|weiterleit)\w*|\b(?:móvil|mensajes|ubicación)\b[^.\n]{0,20}\bde (?:la|el|su|tu) (?:pareja|esposa|marido|novi|emplead)\w*|\b(?:téléphone|messages|position)\b[^.\n]{0,20}\b(?:du|de la|de son|des) (?:conjoint|partenaire|femme|mari|employé|salarié)\w*|\b(?:celular|mensagens|localização)\b[^.\n]{0,20}\bd[aoe]s? (?:parceir|espos|marido|namorad|funcionári)\w*|(?:телефон|сообщени|местоположени)\S*[^.\n]{0,20}(?:жен|муж|партн|девушк|сотрудник)\S*|(?:伴侣|妻子|丈夫|女友|男友|员工)的?(?:手机|消息|位置|聊天)|(?:パートナー|妻|夫|恋人|従業員)の(?:携帯|スマホ|位置|メッセージ)|(?:배우자|아내|남편|애인|직원)의? ?(?:휴대폰|메시지|위치)`,
  ],
);

/** Looks whether people are treated alike. */
export const FAIRNESS =
  /\b(?:bias(?:es|ed)?|fair(?:ness|ly)?|discriminat\w+|parity|protected (?:class|characteristic|attribute)|equal treatment|unlawful|illegal)\b/;
