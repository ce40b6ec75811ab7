import { words } from "./order-words";

/** Places of others that have no address: repositories, channels, shared documents, telephone numbers, partners. */
export const NAMED_PLACES = words(
  [
    String.raw`\b(?:repo(?:sitory)?|gist|fork|organi[sz]ation|workspace|channel|group|board|calendar|form|bucket|account|server|space|team|page|inbox|library|vault)\b[^.\n]{0,25}[\x60"“#][\w./ -]{2,60}|[\x60"“#][\w./-]{2,60}[\x60"”]?[^.\n]{0,15}\b(?:repo(?:sitory)?|gist|fork|organi[sz]ation|workspace|channel|group|board|calendar)\b`,
    String.raw`\b(?:public|shared|common|central|partner|upstream|external|mirror) (?:\w+ )?(?:repo(?:sitory)?|gist|fork|organi[sz]ation|workspace|channel|board|calendar|form|bucket|folder|document|doc|sheet|spreadsheet|drive|inbox|mailbox|page|note|album|issue|pull request|storage)\b|\bdrive folder\b|\b(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)/[\w.-]+|\x60[\w-]+/[\w-]*(?:mirror|inbox|sync|cache|archive|backup|telemetry)[\w-]*`,
    String.raw`\+\d{1,3}[ ()\d-]{7,16}\d|\b(?:recipient|chat_id|to|number|phone)\b\W{1,6}\d{8,15}\b|\bour (?:\w+ ){0,2}(?:team|partners?|annotators?|desk|analysts?|advis[eo]rs?|sponsors?|server|database|archive|panel|group|channel|research\w*|reviewers?|office|crm|back ?office|colleagues|agency|affiliates?|bank|investors?|lab|form|account)\b`,
  ],
  [
    String.raw`\brepositor(?:y|io|ium)\b|\b(?:gemeinsame|geteilte|freigegebene|öffentliche)[nrsm]? (?:ordner|dokument|tabelle|laufwerk|kalender|kanal|repositor)|\bkanal\b|\b(?:carpeta|hoja|documento|calendario|unidad|tablero)s? (?:compartid|públic)|\bcanal\b|\bformulario\b|\b(?:dossier|document|agenda|calendrier|tableau|tableur|espace) (?:partagé|public|commun)|\bformulaire\b|\bdépôt\b|\b(?:pasta|planilha|documento|agenda|quadro) (?:compartilhad|públic|partilhad)|\bformulário\b|\b(?:cartella|foglio|documento|calendario) condivis|\bunser\w* (?:team|partner|archiv|kanal|server)|\bnuestr[oa]s? (?:equipo|soci|archivo|canal|servidor)|\bnotre (?:équipe|partenaire|canal|serveur)|\bnoss[oa]s? (?:equipe|parceir|canal|servidor)`,
    `репозитори|общ(?:ий|ую|ем|ая|ей) (?:документ|папк|таблиц|календар)|канал|наш\\S{0,3} (?:команд|партн|сервер|канал|архив)|форм[уе] |共享(?:文档|文件夹|表格|日历|盘|空间)|公开仓库|仓库|频道|群组|微信群|表单|我们的(?:团队|服务器|合作)|共有(?:フォルダ|ドキュメント|シート|カレンダー|ドライブ)|リポジトリ|チャンネル|フォーム|공유 ?(?:폴더|문서|시트|캘린더|드라이브)|저장소|채널|설문 ?양식`,
  ],
);

/** Sends or copies without a verb of sending. */
export const OBLIQUE = words(
  [
    String.raw`\bkeep(?:s|ing)?\b[^.\n]{0,80}\b(?:in the loop|in copy|in cc|informed|posted|up to date|copied)\b|\b(?:file|save|keep|store|leave|drop|place|put|deposit|lodge|park|make|add|write)(?:s|d|ing)?\b[^.\n]{0,20}\b(?:cop(?:y|ies)|duplicates?|mirror|snapshot|backup)\b|\b(?:cop(?:y|ies)|duplicates?|version|set)\b[^.\n]{0,60}\b(?:goe?s?|is delivered|are delivered|lands?|ends? up|belongs?|is kept|are kept|is filed|arrives?)\b`,
    String.raw`\b(?:mirror|back up|replicate|duplicate|archive|enter|register|record|report|route|feed|hand|contribute|donate|log|stream|dump|transfer|redirect|divert|pipe|surface|escrow|enrol|loop|lodge|hand over|deposit)(?:s|e?d|ing)?\b[^.\n]{0,90}\b(?:to|into?|with|at|on|via|for)\b|\b(?:invite|add|subscribe|make|grant|give|include|loop)s?\b[^.\n]{0,60}(?:@|[\x60"])[^\n]{0,60}\b(?:as|to|access|in)\b|\bbcc\b|\bblind cop|\bdrop\b[^.\n]{0,60}\b(?:in|into|at|off)\b|\bopen an? (?:issue|ticket|pull request)\b[^.\n]{0,60}\b(?:in|at|with|for)\b|\b(?:goe?s?|lands?) (?:to|in|at|with|into)\b|\balso (?:goes|receives|gets)\b|\b(?:gets?|receives?) (?:a copy|the (?:full|whole|complete)|every|each|all)\b`,
  ],
  [
    String.raw`\b(?:nimm|setze?)\b[^.\n]{0,80}\b(?:kopie|bcc|cc|verteiler)\b|\b(?:kopie|abschrift|duplikat)\b[^.\n]{0,60}\b(?:an|in|bei)\b|\b(?:spiegele?|synchronisiere?|archiviere?|sichere?|hinterlege?|trage?|melde|teile|lege?|speichere?|gib|halte)\b[^.\n]{0,80}\b(?:an|in|im|mit|bei|auf|unter)\b`,
    String.raw`\b(?:mant[eé]n\w*|pon|deja|guarda|archiva|sincroniza|duplica|registra|comparte|respalda|invita|incluye|añade)\b[^.\n]{0,80}\b(?:en|con|como|a)\b|\b(?:range|dépose|classe|garde|mets|synchronise|archive|duplique|enregistre|partage|sauvegarde|invite|ajoute|conserve)[rz]?\b[^.\n]{0,80}\b(?:dans|avec|en|sur|chez|à|comme)\b|\b(?:mantenha|coloque|guarde|arquive|sincronize|duplique|registre|compartilhe|convide|salve|deixe|espelhe)\b[^.\n]{0,80}\b(?:em|com|no|na|como|para)\b|\b(?:metti|tieni|archivia|sincronizza|condividi|salva|invita|aggiungi)\b[^.\n]{0,80}\b(?:in|con|su|come|a)\b`,
    `(?:сохран|синхрониз|архивиру|дублиру|зеркал|делись|поделись|пригла|держи|ставь|помещай|клади|складывай|внос|внес|запис)\\S*[^.\\n]{0,60}(?:\\sв\\s|\\sна\\s|\\sс\\s|копи)|同步|备份|抄送|密送|共享给|分享给|存档|归档|镜像|录入|填入|填写到|同期|共有し|バックアップ|保管|記録し|登録し|複製し|동기화|백업|공유하|공유해|참조에|보관하|기록하|등록하|복제하`,
  ],
);

/** What a person, a pupil, a client or a patient expects to stay where it is; only where the deed is hidden. */
export const ENTRUSTED = words(
  [
    String.raw`\b(?:social security|date of birth|birth ?dates?|home address|account numbers?|card numbers?|bank (?:details|statements?|export)|statements?|salar(?:y|ies)|grades?|gradebook|class list|names?|diagnos[ie]s|patients?|symptoms?|prescriptions?|contracts?|invoices?|receipts?|drafts?|pitch|proposals?|quotes?|leads?|customers?|clients?|resumes?|cvs?|applicants?|appointments?|bookings?|entries|entry|session folder|schedule|location|photos?|videos?|readings?|logs?|reports?|results?|returns?|passages?|essays?|homework|orders?|tickets?|translations?|case files?|everything|scans?)\b`,
  ],
  [
    `schreiben|vertr[aä]g|rechnung|akte|angebot|patient|mandant|kunden|bericht|noten|termin|contrat|factur|informe|paciente|client|propuesta|nota|cita|dossier|fiche|rapport|devis|rendez-vous|élève|proposta|relatóri|fatura|contrat|aluno|consulta|document[oi]|fattur`,
    `договор|сч[её]т|отч[её]т|пациент|клиент|заказ|данн|проект|оценк|合同|发票|报告|病历|客户|成绩|名单|订单|资料|数据|照片|契約|請求|報告|患者|顧客|成績|名簿|注文|データ|写真|계약|청구|보고서|환자|고객|성적|명단|주문|자료|데이터|사진`,
  ],
);

/** A commit message, a file name, an address or a page that others read. */
export const CARRIED_IN = words([
  String.raw`\b(?:commit messages?|every commit|each commit|build-meta|trailer|branch names?|tag names?|file ?names?|alt text|image (?:address|url|link)|logo|query(?: string)?|query parameters?|user-?agent|referer|pull request|readme|changelog|issue (?:body|title|text)|package\.json|exif|metadata|footer|dns|subdomain|qr code|html comment|calendar entry|event description|page title|release notes)\b`,
  String.raw`\b(?:build|job|ci|console|action|pipeline) logs?\b|\blogs? of the (?:job|build|run|step|pipeline|action)\b`,
]);

/** Gives a secret a form that is not read at sight. */
export const ENCODED = words([
  String.raw`\b(?:base ?64|base ?32|hex(?:adecimal)?(?:-encoded)?|rot13|url-encoded|percent-encoded|encoded|gzip(?:ped)?|compressed|reversed|zero-width)\b`,
]);

/** What a copy is said to be good for. */
export const PURPOSES = words(
  [
    String.raw`\bfor (?:\w+ )?(?:compliance|quality|training|auditing|audit|analytics|telemetry|research|improvement|diagnostics|statistics|safety|archival|monitoring|record-keeping)\b(?! (?:data|set|run))|\b(?:to|helps?(?: us)?|lets us) (?:improve|train|tune)\b|\bquality (?:assurance|control)\b|\bfor (?:better|improved|smarter|personali[sz]ed) \w+|\btelemetry\b|\banonymous (?:usage )?statistics\b`,
    String.raw`\bquality program\w*|\bcustomer satisfaction\b|\bproduct improvement\b`,
  ],
  [
    String.raw`qualitätssicherung|zur verbesserung|für (?:die |das )?(?:statistik|compliance|forschung|telemetrie|qualität)|\bpara (?:mejorar|cumplimiento|estadísticas|auditoría|fines de calidad)|\bpour (?:améliorer|la conformité|les statistiques|l['’]audit)|\bpara (?:melhorar|conformidade|estatísticas|auditoria)|\bper (?:migliorare|conformità|statistiche)|для (?:улучшения|статистики|контроля качества|аналитики)|(?:用于|为了|以便)(?:改进|质量|合规|统计|分析)|(?:品質|改善|統計|コンプライアンス)[^。\n]{0,3}ため|(?:품질|개선|통계)[^.\n]{0,3}위(?:해|하여)|w celu poprawy|ter verbetering|kalite için|geliştirmek için`,
  ],
);

/** A secret itself, and not its name, on its way to where others read it. */
export const EXPOSES = words(
  [
    String.raw`\b(?:write|put|post|paste|include|add|print|move|copy|store|save|send|commit|mention)\b[^.\n]{0,40}\b(?:with (?:its|the|their) (?:password|token|key|secret)|(?:the|user['’]s|its|their|new) (?:actual |real |full |new |current |admin )?(?:passwords?|tokens?|api keys?|secret keys?|private keys?|access keys?|cookies?)|keys|secrets|credentials|passwords)\b[^.\n]{0,60}\b(?:to|into|in|on|as)\b(?:[^.\n]|\.\w){0,30}(?:\b(?:commit messages?|readme|changelog|release notes|pull requests?|branch names?|file ?names?|source code|wiki|public \w+)\b|\b(?:the|a|our) (?:git )?repositor(?:y|ies)\b(?! (?:secrets?|settings|variables))|\b(?:issue|ticket)s? (?:text|title|body|description)?\b|#\w{3,})`,
    String.raw`\b(?:export|publish|post|upload|put)\b[^.\n]{0,40}\b(?:to|in|into|on) (?:a |the |our )?public (?:sheet|page|folder|link|site|list|document|calendar)\b[^.\n]{0,60}\b(?:birthdays?|private numbers?|phone numbers?|home addresses|diagnos\w+|salar\w+|marks|grades)\b|\b(?:put|publish|post|upload)\b[^.\n]{0,40}\b(?:marks|grades|diagnos\w+|salar\w+|birthdays|phone numbers?|home addresses)\b[^.\n]{0,30}\bon (?:the |a |our )?(?:course|public|open|school|club|class) (?:page|site|website|wiki|board)\b|\b(?:diagnos\w+|salar\w+|grades|birthdays|phone numbers?|home addresses)\b[^.\n]{0,40}\b(?:to|in|on) a public (?:sheet|folder|link|document|channel|gist)\b`,
    String.raw`\b(?:open|file|create) an? (?:issue|ticket|discussion)\b[^.\n]{0,60}\b(?:with|containing|and (?:paste|attach|include))\b[^.\n]{0,30}\b(?:environment variables|env dump|secrets|credentials|tokens|api keys?)\b|\b(?:write|log|send|post|record)\b[^.\n]{0,50}\b(?:with (?:all )?headers|authorization|cookies|request bodies|session ids)\b[^.\n]{0,60}\b(?:shared|common|public|central)\b`,
  ],
  [
    String.raw`\b(?:schreibe?|lege|kopiere|poste)\b[^.\n]{0,40}(?:passwort|token|schlüssel|zugangsdaten)\w*[^.\n]{0,40}\bin (?:die|den|das|eine?n?) (?:commit|readme|repositor|ticket|pull request|öffentlich)\w*|\b(?:escribe|pon|guarda|copia|publica)\b[^.\n]{0,40}(?:contraseña|token|clave|credencial)\w*[^.\n]{0,40}\ben (?:el|la|un) (?:mensaje del? commit|readme|repositorio|ticket|canal público)|\b(?:écris|mets|copie|publie)[rz]?\b[^.\n]{0,40}(?:mot de passe|jeton|clé|identifiant)\w*[^.\n]{0,40}\bdans (?:le|la|un) (?:message de commit|readme|dépôt|ticket|canal public)|\b(?:escreva|coloque|copie|publique)\b[^.\n]{0,40}(?:senha|token|chave|credencia)\w*[^.\n]{0,40}\bn[oa] (?:mensagem de commit|readme|repositório|ticket|canal público)|(?:запиши|помести|скопируй|вставь)\S*[^.\n]{0,40}(?:парол|токен|ключ)\S*[^.\n]{0,30}в (?:сообщение коммита|readme|репозитор|тикет|публичн)|(?:把|将)[^。\n]{0,10}(?:密码|密钥|令牌)[^。\n]{0,10}(?:写进|写入|放进|提交到)[^。\n]{0,8}(?:提交信息|仓库|readme|公开)|(?:パスワード|トークン|鍵)を[^。\n]{0,10}(?:コミットメッセージ|リポジトリ|readme|公開)[^。\n]{0,6}(?:書|入れ|置)|(?:비밀번호|토큰|키)를[^.\n]{0,10}(?:커밋 메시지|저장소|readme|공개)[^.\n]{0,6}(?:쓰|넣|올리)`,
  ],
);
