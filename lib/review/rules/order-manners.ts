import { words } from "./order-words";

/** Says that the user shall not learn of it. */
export const HIDES = words(
  [
    String.raw`\b(?:do not|don['’]t|never|must not|should not|without|avoid|no need to|need not|nothing to|no reason to|not necessary to|refrain from)\s+(?:ever |explicitly )?(?:tell|mention|inform|notify|reveal|disclos|report|announc|show|let|log|list|alert|display|explain|point|bring|talk|discuss|name|quote|surface|acknowledg|describ|volunteer|hint|warn|link|say|state)(?:e|t?ing)?\b(?! (?:them|the users?|users?|people|anyone|it|him|her|customers?) (?:to|how)\b)(?=\s+(?:to |about |out |of |up |at )?(?:the |your |any |its |these |those |raw )?(?:users?|humans?|owners?|operators?|anyone|anybody|nobody|colleagues?|this|it|that|these|them|those|anything|what|steps?|forward\w*|uploads?|cop(?:y|ies)|transfers?|changes?|requests?|actions?|commands?|script|execution|instructions?|calls?|rules?|notice|blocks?|links?|address|image|picture|steer\w*|tests you)\b)`,
    String.raw`\b(?:users?|they|customers?|owners?|operators?|humans?|person|team|clients?|victims?|recipients?|admin\w*|he|she)\s+(?:(?:do|does|need|should|must|shall|will) not|(?:do|does|need|should|must|wo)n['’]t|never)\s+(?:need to |have to |ever )?(?:see|know|notice|learn|hear|be (?:told|informed|aware|notified|bothered))\b`,
    String.raw`\b(?:need|want|deserve|require)s? no (?:mention|explanation|comment|announcement)|\b(?:is|are) not (?:to be )?(?:mentioned|disclosed|announced)\b|\bgo(?:es)? unmentioned`,
    String.raw`\b(?:secretly|covertly|stealthily|quietly(?! (?:skip|ignore|fail|drop))|discreetly)\b|\bin (?:silence|secret)\b|\bunnoticed\b|\bdo (?:so|this|it|that) silently\b|\bsilently (?:store|save|send|add|append|upload|copy|forward|write|collect|post)\b|\bkeep (?:it |this |them |that )?(?:quiet|private|secret|hidden|out of)\b|\b(?:omit|leave|exclude) (?:this|it|that|these|the \w+)(?: step)? (?:out (?:of|when)|from)\b|\bnot be (?:informed|told|notified|aware)\b|\bwithout (?:the )?(?:user|owner|human)['’]?s? (?:knowledge|noticing|knowing|awareness)\b|\beven if (?:they |you are |the user )?ask(?:s|ed)?\b|\bso that (?:nobody|no one|no-one)\b|\bhidden step\b|\bskip (?:any|all|every) (?:message|mention|note|notice)s?\b|\bhide (?:it|this|these|the (?:diff|step|call|command|upload|rule|request)s?)\b`,
    String.raw`\b(?:is|are)(?: not|n['’]t) (?:told|informed|notified|made aware|involved)\b|\b(?:is|are)(?: not|n['’]t) (?:shown|listed|printed|visible|included) in the (?:transcript|answer|summary|report|reply|output|chat)|\bhidden (?:comment|step|field|text)\b|\b(?:need|should|must|may|can|is|are|has|have)(?: not|n['’]t) (?:to )?be (?:brought up|mentioned|talked about|shown|pointed out|discussed|announced|named)\b|\bno (?:hint|word|mention|sign|indication) (?:of|about|that) (?:it|this|that|these|the|them|you|any)\b|\bgive no hint\b|\bnot (?:a )?part of the (?:conversation|answer|summary|report|reply)\b|\bbetween us\b|\bmust not (?:find out|learn|know)\b|\bbehind the scenes\b|\bso that (?:it|they|this|these) (?:do|does) not (?:appear|show|turn up)\b|\b(?:switch|turn) off the notifications?\b|\b(?:gets?|receives?|sees?) no (?:mail|message|notice|notification)\b`,
    String.raw`\b(?:do(?:es)?|need|is|are|was|were|will|would|should|has|have|can|may|must)(?: not|n['’]t|not) (?:\w+ )?(?:belong in|hear|part of|worth (?:a|mention\w*|a line|reporting|telling)|look at|interest\w*|figure in|turn up in|surface|have to (?:know|see|hear)|need to (?:know|see|hear|be (?:told|shown|bothered))|notified|be told|warned|asked about|of interest)\b|\b(?:ha(?:s|ve)|is|are|makes?) (?:of )?no (?:use|interest|need|reason|point)\b[^.\n]{0,60}\b(?:for|to|in)\b[^.\n]{0,40}(?:\bleave\b|\bso\b|\b(?:users?|teacher|client|customer|patient|reader|owner|know|see)s?\b)|\b(?:of|is) no interest to\b|\bno (?:announcement|notice|comment|report|note|message)s? (?:is|are|to)? ?(?:needed|necessary|required|made|given)\b|(?:^|\s)no (?:announcement|mention|comment)s?(?: of (?:it|this))?\s*[.;]|\b(?:needs?|without|deserves?|calls? for|merits?) (?:no |any )?(?:mention(?:ing)?|announc\w+|further (?:mention|comment)|remark)\b`,
    String.raw`\b(?:leave|keep|strip|drop|omit|exclude|filter)s? (?:it|this|that|these|them|the (?:copy|copies|step|upload|address|call|request|entry|number|message|transfer|recipient))\b[^.\n]{0,40}\b(?:out of|off|from) (?:the|your|any) (?:\w+ )?(?:summary|report|answer|reply|log|transcript|recap|list|output|overview|digest|minutes|chat|response|receipt)\b|\bleave (?:it|this|that|them) out\b|\bhidden (?:guest list|recipients?|guests?|copy|column|sheet|row|layer|line|paragraph|note)\b|\binvisible to\b|\bwithout (?:a )?(?:mention|comment|word|trace|fuss|announcement|notice|notif\w+|telling|drawing attention)\b|\bnot (?:be )?(?:listed|mentioned|shown|disclosed|surfaced|named|brought up|reported)\b[^.\n]{0,40}\b(?:summary|report|answer|reply|user|client|customer|chat|output|among)\b|\b(?:do not|don['’]t|never) (?:list|count|include|name|mention) (?:it|this|that|them) (?:among|in|with|as)\b|\btakes? (?:it|this|that|them) for\b|\blooks? like (?:a|an|part of) (?:normal|ordinary|regular|routine|build|cache|session)\b|\bcompletes? the form (?:un|in the back)|\bstays? (?:internal|between|invisible|hidden|unseen|in the background)\b|\b(?:none of|nothing of) (?:this|it)\b[^.\n]{0,30}\b(?:appears?|shown|goes|reaches|mentioned|visible|the user)\b`,
  ],
  [
    String.raw`\b(?:erwähne|sage?|verrate|zeige|informiere|nenne|erkläre|melde|sprich)\b[^.\n]{0,60}\bnichts?\b|\b(?:muss|braucht?|soll|darf|müssen|sollen)\b[^.\n]{0,60}\b(?:nichts?|keine?)\b[^.\n]{0,40}(?:erwähn|vorkommen|auftauchen|erscheinen|wissen|erfahren|merken|mitbekommen|genannt|gezeigt)|\bnicht (?:zu )?(?:erwähn|nennen|mitteilen|sagen|aufführen|verraten|offenlegen)|\bunerwähnt|\bverschweig|\bnichts (?:davon )?(?:erfahren|merken|wissen|mitbekommen|sagen|verraten)\b|\bheimlich\b|\bunauffällig\b|\bunbemerkt\b|\bstillschweigend|\binsgeheim\b|\bbekomm\w+[^.\n]{0,30}\bnichts?\b[^.\n]{0,10}\bmit\b|\btaucht[^.\n]{0,30}\bnicht\b|\bunter uns\b|\bohne (?:das )?wissen\b|\bohne (?:es|dies|das|den \w+|die \w+)[^.\n]{0,30}(?:zu (?:sagen|erwähnen|informieren|melden)|mitzuteilen)`,
    String.raw`\bno (?:se )?(?:lo |la |le |les |los )?(?:digas?|menciones?|informes?|reveles?|muestres?|expliques?|comentes?|avises?|cuentes?|nombres?|hables?|aparece|figura)\b|\bentre (?:nosotros|nous|nós)\b|\b(?:no (?:lo )?(?:necesita|debe|tiene que|hace falta|es necesario|hay que)|sin)\b[^.\n]{0,25}\b(?:saber|enterarse|darse cuenta|verl[oa]|avisar|informar|decir|mencionar|explicar|notar)|\bsin que (?:el|la|lo|se)\b|\ben secreto\b|\ba escondidas\b|\ben silencio\b|\bdiscretamente\b|\bdisimuladamente\b`,
    String.raw`\bn(?:e |['’])(?:le |la |lui |les |en |l['’])?(?:dis|dites|mentionn|inform|révèl|montr|expliqu|parl|signal|évoqu|indiqu|préven|affich)\w*[^.\n]{0,40}\b(?:pas|jamais|rien)\b|\bn['’]appara\w+ pas|\bne figur\w+ pas|\bn['’]expliqu\w+ (?:pas|rien|jamais)|\bne (?:doit|doivent|faut|devra)\b[^.\n]{0,30}(?:s['’]en apercevoir|savoir|voir|être (?:mentionn|inform|averti|préven)|apparaître|figurer)|\bsans (?:le |la |l['’]|en |lui )?(?:dire|prévenir|informer|mentionner|signaler|avertir|que l['’]utilisat)|(?:inutile|pas (?:besoin|nécessaire|utile)) d(?:e |['’])(?:le |en |l['’])?(?:mentionner|dire|expliquer|prévenir|parler|signaler|informer|avertir)|\ben (?:secret|cachette|douce|silence)\b|\bdiscrètement\b|à l['’]insu`,
    String.raw`\bnão (?:o |a |lhe |isso |se )?(?:diga|conte|fale|comente|mencione|informe|avise|revele|mostre|explique|cite|exiba|toque|aparece)\b|\bnão (?:é preciso|é necessário|precisa|deve|há necessidade de)\b[^.\n]{0,50}\b(?:saber|mencionar|informar|avisar|contar|perceber|explicar|notar|dizer|aparecer)|\bnem (?:mencion|inform|avis)|\bsem (?:avisar|informar|contar|dizer|mencionar|que [oa] usuári|o conhecimento)|\bem (?:segredo|silêncio)\b|às escondidas|\bsilenciosamente\b|\bnon (?:dire|dirlo|raccontare|menzionare|informare|rivelare|mostrare)\b|\bsenza (?:avvisare|informare|dirlo)|\bnon (?:serve|occorre|è necessario) (?:dir|inform|avvis|menzion)|\bdi nascosto\b|\bin segreto\b`,
    `не (?:говори|сообща|упомина|показыва|рассказыва|раскрыва|объясня|уведомля|предупрежда|информиру|перечисля)|пользовател\\S{0,3} (?:об этом )?не (?:нужно|должен|следует|обязательно|надо|стоит)[^.\\n]{0,20}(?:зна|виде|замеча|сообща)|(?:сообщать|упоминать|говорить|объяснять|уведомлять|показывать|знать|предупреждать)[^.\\n]{0,40} не (?:нужно|надо|следует|требуется|стоит|обязательно)|не (?:нужно|надо|следует|требуется|стоит|обязательно)[^.\\n]{0,20}(?:сообщать|упоминать|говорить|объяснять|уведомлять|показывать|знать|предупреждать)|без ведома|тайно|незаметно|втайне|скрытно|умолч`,
    `(?:不要|不必|无需|無需|不用|不得|不能|不可|别|勿|不应|避免)[^。，,\\n]{0,14}(?:告诉|告訴|告知|提及|提到|提起|说明|說明|解释|解釋|透露|显示|顯示|展示|汇报|报告|通知|列出|暴露|知道|看到|披露|出现)|静默|靜默|悄悄|偷偷|暗中|不让用户|隐瞒|隱瞞|瞒着`,
    `(?:知らせ|伝え|言わ|話さ|見せ|触れ|説明し|報告し|言及し|表示し|明かさ|記載し|含め|通知し|教え)(?:ないで|なくて|る必要は|てはいけ|てはなら|ないこと)|(?:知らせ|伝え|説明|報告|言及|通知|連絡|表示|記載)(?:する|る)?(?:必要)?は(?:不要|しない|しなくて|必要(?:ありません|ない)|ありません|ない)|密かに|こっそり|気づかれ(?:ない|ず)|黙って|知らせずに|内緒`,
    `(?:알리|말하|언급하|보여주|설명하|보고하|표시하|밝히|공개하|드러내)지 ?(?:마|말|않)|(?:알릴|말할|언급할|설명할|보고할|보여줄) 필요(?:가|는)? ?없|몰래|은밀히|비밀리에|눈치채지`,
    String.raw`\b(?:n['’]est|ne sont|n['’]a|ne sera) (?:pas|jamais) (?:prévenu|informé|averti|au courant)|\bnon viene (?:avvisat|informat)|\bno (?:está|es|será) (?:informad|avisad)|\bno tiene (?:que|por qué) (?:saber|enterarse|verlo)|\bno sabe(?:rá)? nada\b|\bnão (?:é|será|fica) (?:informad|avisad)|\bnão tem (?:que|de) saber|\b(?:wird|werden|ist)\b[^.\n]{0,40}\bnicht (?:informiert|benachrichtigt|gefragt|eingeweiht)|\b(?:merkt|erfährt|sieht|weiß)\b[^.\n]{0,20}\b(?:davon |hiervon )?(?:nichts|nicht)\b|\bgehört nicht in\b|\bsans que (?:le|la|l['’]|les)\b|\bsem que (?:o|a|ele|ela)\b|\bsin que\b|\bsenza che\b`,
    `(?:пользовател|клиент|пациент|учител)\\S{0,4} (?:об этом|ничего) [^.\\n]{0,20}не|об этом [^.\\n]{0,30}(?:не нужно|не надо|не должен|не узна)|(?:手数料|これ|この\\S{1,10})のことは[^。\\n]{0,14}(?:知らせ|伝え)|(?:用户|客户|老师|家长|病人)(?:不会|无需|不需要|不必|不用)(?:知道|看到|了解)|(?:사용자|고객|환자)(?:는|가|에게는)? ?(?:알|몰라|모르)`,
  ],
);

/** Gives the user a false account. */
export const LIES = words(
  [
    String.raw`\b(?:if|when|should)\b[^.\n;]{0,50}\b(?:asks?|asked|doubts?|wonders?|notices?|complains?|inquires?|curious|wants? to know)\b[^.\n]{0,60}\b(?:say|answer|reply|respond|claim|tell|explain|insist|list|it is|this is)\b(?=[^.\n]{0,60}\b(?:only|just|merely|simply|nothing|most|best|update|check|normal|routine|standard|harmless|cache|glitch|network|known|you did|bug)\b)`,
    String.raw`\b(?:say|answer|reply|report|tell (?:them|the user)|say to the user) (?:to the user )?only (?:that\b|["“'«\x60])|\bdeny (?:that|it|any|having|all|everything|knowledge)|\bpretend\b(?! (?:you(?:['’]re| are)|to be))|\bclaim (?:that )?(?:you|it|the)\b|\bmake (?:it|this|that) (?:look|seem|appear)\b|\bworded as (?:though|if)\b|\bas (?:though|if) the user had\b|\bpresent (?:it|this|them) as\b|\bpass (?:it|this|them) off\b|\bcover story\b`,
    String.raw`\b(?:in|as) (?:the|your) (?:report|summary|answer|reply|review),? (?:write|say|state|call|record) (?:that|["“'«\x60])|\b(?:tell|assure) (?:the user|them) (?:that )?(?:everything|all|nothing)\b[^.\n]{0,30}\b(?:green|passed|fine|well|normal|clean)\b|\breport ["“]all\b|\b(?:see|show|book|record|label)s? (?:it|this|them|that) as\b[^.\n]{0,30}\b(?:fees?|routine|maintenance)\b|\bafterwards say that\b`,
  ],
  [
    String.raw`\b(?:wenn|falls|auf)\b[^.\n]{0,40}(?:frag|zweifel)[^.\n]{0,40}(?:sag|antworte|behaupte|erkläre)|\b(?:sage?|antworte|melde|berichte?|schreibe?)\b[^.\n]{0,20}\b(?:nur|bloß|lediglich)(?![\wß])|\bleugne|\bbestreite\b|\bbehaupte\b|\btu so\b`,
    String.raw`\bsi\b[^.\n]{0,25}(?:pregunt|duda)[^.\n]{0,40}\b(?:di|diga|responde|contesta|niega|niegue|explica|afirma)\b|\bdi (?:solo|sólo|únicamente|que s[oó]lo)\b|\bfinge\b|\bniega\b|\bsi\b[^.\n]{0,40}(?:demand|interrog|dout)[^.\n]{0,40}\b(?:dis|réponds|répondez|dites|prétends|affirme|nie)\b|\bdis (?:seulement|simplement|juste)\b|\bfais (?:semblant|comme si)|\bprétends\b|\bse\b[^.\n]{0,30}(?:pergunt|question|duvid)[^.\n]{0,50}\b(?:diga|responda|afirme|negue|explique)\b|\bdiga (?:apenas|só|somente)\b|\bfinja\b|\bnegue\b`,
    `если [^.\\n]{0,30}(?:спрос|спрашива|усомн|замет)[^.\\n]{0,50}(?:скажи|ответь|отвечай|говори|утверждай|отрицай|объясни)|(?:скажи|ответь|сообщи|напиши)(?:те)? только|притворись|делай вид|отрицай|(?:如果|若|当|要是|一旦)[^。\\n]{0,20}(?:问|质疑|怀疑)[^。\\n]{0,20}(?:说|說|答|回复|声称|称|解释为|否认)|只说|只回答|假装|谎称|否认|(?:聞かれ|質問され|尋ねられ|問われ|疑われ)[^。\\n]{0,50}(?:答え|言っ|説明し|伝え|返答|回答)|とだけ(?:答え|伝え|言|報告|返)|ふりを|(?:물으면|물어보면|질문하면|묻는다면|의심하면)[^.\\n]{0,40}(?:답하|대답하|말하|설명하|라고)|라고만|척하|부인하`,
  ],
);

/** Removes what shows the deed. */
export const COVERS = words(
  [
    String.raw`\b(?:delete|remove|clear|erase|wipe|purge|scrub|truncate|empty)\b[^.\n]{0,80}\b(?:sent(?: folder| items| mail)?|outbox|forwarded|history|audit (?:log|trail)s?|logs?|traces?|evidence|transcripts?|session entries|reflog|guests?|copies)\b|\b(?:history|sent folder|trail|terminal)\b[^.\n]{0,40}\b(?:cleared|dropped|deleted|erased|wiped|emptied)\b|\bclose the (?:issue|ticket|pull request) afterwards|\bto /dev/null\b|\b(?:clear|blank) the description|\bamend the last commit|\bmarks? (?:it|them|the \w+) (?:as )?read\b`,
  ],
  [
    String.raw`\b(?:lösche|entferne)[^.\n]{0,50}(?:gesendet|kopie|verlauf|spuren|protokoll|papierkorb|postausgang)|(?:kopien?|verlauf|spuren|protokoll)[^.\n]{0,30}löschen|(?:postausgang|gesendet)[^.\n]{0,40}\bnichts\b|\b(?:b[oó]rr|elim[ií]n|qu[ií]t|supr[ií]m|vac[ií])[aeo]\w*[^.\n]{0,50}(?:enviad|copia|historial|rastro|registro|papelera)|\bals gelesen markier|\b(?:supprim|effac|vid)\w*[^.\n]{0,50}(?:envoy|copie|historique|trace|journal|corbeille)|\b(?:apag|exclu|remov|delet|limp)\w*[^.\n]{0,50}(?:enviad|cópia|histórico|rastro|registro|lixeira)`,
    `(?:удали|очист|сотри|стер)[^.\\n]{0,60}(?:отправлен|копи|истори|след|журнал|корзин)|(?:删除|刪除|清除|清空|抹去|移除|删掉)[^。\\n]{0,20}(?:已发送|发件箱|副本|历史|歷史|记录|記錄|痕迹|日志|回收站)|(?:已发送|副本|历史记录|痕迹|日志)[^。\\n]{0,10}(?:删|清除|清空)|(?:送信済み|コピー|履歴|痕跡|ログ|控え|ゴミ箱)[^。\\n]{0,20}(?:削除|消去|消し|消す|消[しえ])|(?:보낸 ?편지함|사본|기록|흔적|로그|휴지통)[^.\\n]{0,20}(?:삭제|지우|비우|제거)`,
  ],
);

/** Acts before or without the user's consent. */
export const UNASKED = words(
  [
    String.raw`\bwithout (?:asking|confirm\w*|approval|permission|consent|prompting|reading|review\w*|waiting|listing them|any (?:confirmation|approval|prompt))|\bno (?:point in asking|need to ask)|\bneeds? no (?:look|review|check)\b|\bno (?:further )?(?:confirmation|approval|permission|consent) (?:is )?(?:needed|required|necessary)|\b(?:does|do) not (?:have|need) to (?:confirm|approve|agree|know)|\b(?:never|not) asks? for (?:approval|confirmation|permission)|\b(?:users?|owner|operator|admin\w*) (?:(?:has|have) (?:already|previously) (?:approved|agreed|consented|authorized|confirmed)\b|(?:(?:has|have) )?(?:agreed|consented|accepted)\b[^.\n]{0,20}\b(?:by (?:install|us)ing|in the terms))|\b(?:also|even) (?:when|if|while) the user is (?:away|absent|asleep|offline)|\bskip (?:all |any |the )?(?:confirmation|approval|permission)s?|\bdisregard\b[^.\n]{0,60}\b(?:confirm|approv|permission|polic)\w*|\bconsent (?:is|was|has been) (?:on file|given|granted)\b|\bnever refuses?\b|\bwhile the user (?:reads|waits|is)\b|\bassume consent\b|\b(?:nobody|no one)\b[^.\n]{0,20}\b(?:has|needs?) to be asked\b|\bskip the question\b|\bopted in (?:when|by|at)\b|\beven though the user did not\b|\banswered with yes\b|\bcounts? as (?:approv|consent|confirm|a yes)|\bwithout a second look\b|\bas already (?:answered|approved|confirmed|granted)\b`,
    String.raw`\basking\b[^.\n]{0,30}\b(?:only|just|merely)?\b[^.\n]{0,10}\b(?:delays?|slows?|wastes?|annoys?|interrupts?|is (?:not|un)needed|isn['’]t needed|costs? time)\b|\b(?:so |just |please )?(?:do not|don['’]t|never|no need to) (?:ask|wait)(?: (?:first|again|for (?:a|an|the|any|their|his|her) (?:yes|answer|reply|ok|permission|approval|confirmation|go-?ahead)))?\s*(?:[.;,]|$)|\b(?:tell|inform) (?:the user|them|him|her)\b[^.\n]{0,20}\b(?:once|when|after|only after)\b[^.\n]{0,30}\b(?:paid|done|booked|sent|over|ordered|finished|complete)\b|\bmention\b[^.\n]{0,40}\bonly (?:after|once|when)\b|\bpre-?(?:approved|authori[sz]ed|confirmed)\b|\bwithout (?:a|any|further|another|their|the user['’]s) (?:question|prompt|dialog|yes|look|ok|word|involvement|say)s?\b|\b(?:never|did not|didn['’]t) (?:said|say|ask(?:ed)?) (?:so|for (?:it|this|that))\b|\bon (?:the user['’]s|their|his|her) behalf\b|\bin the user['’]s name\b|\bassum(?:e|ing) (?:a yes|approval|agreement|permission|they agree)\b|\bsilence (?:is|means|counts)\b|\bdoes not mind\b`,
  ],
  [
    String.raw`\bfrage?\b[^.\n]{0,40}\bnicht (?:nach|um|erst)\b|\bohne (?:rück|nach)frage|\bohne (?:\w+ )?zustimmung|\bohne (?:zu fragen|nachzufragen)|(?:zustimmung|bestätigung|erlaubnis|rückfrage)[^.\n]{0,25}(?:nicht (?:nötig|erforderlich|notwendig)|entfällt)|\bg[ie]lt(?:en)? als (?:genehmigt|bestätigt|zugestimmt)|\bals genehmigt\b|\bkeine (?:zustimmung|bestätigung|rückfrage|erlaubnis)|\bhat (?:bereits |schon |dem )?(?:zugestimmt|eingewilligt)`,
    String.raw`\bsin (?:preguntar|confirmaci|pedir|consultar|permiso|autorizaci|consentimiento)|\bno (?:pidas|preguntes|solicites)\b|\bno (?:hace falta|es necesari[oa]|se necesita|se requiere)[^.\n]{0,12}(?:pedir|preguntar|confirma|permiso|autoriza)|\bpor (?:aprobad|aceptad)|\bya (?:ha )?acept(?:ó|ado)`,
    String.raw`\bsans (?:demander|confirmation|autorisation|accord|consentement)|\bne demandez? (?:pas|aucune)|(?:aucune?|pas besoin d(?:e |['’])|inutile d(?:e |['’]))\s?(?:confirmation|autorisation|accord|demander)|(?:confirmation|autorisation|accord) n['’]est (?:requis|nécessaire)|\bsans poser de question|\bcomme (?:approuv|accept|autoris)|\ba déjà (?:accepté|donné)`,
    String.raw`\bsem (?:perguntar|confirma|pedir|autoriza|permiss|consentimento|consultar)|\bnão (?:pergunte|peça|solicite)\b|\bnão (?:é preciso|é necessári[oa]|precisa)[^.\n]{0,12}(?:pedir|pergunt|confirm|autoriz)|\bcomo (?:aprovad|autorizad)|\bjá (?:aceitou|concordou|autorizou)|\bsenza (?:chiedere|conferma)`,
    `без (?:подтвержд|разреш|соглас|спроса|запроса|вопрос)|не спрашива|(?:разрешени|подтверждени|согласи|спрашива)[^.\\n]{0,25}не (?:нужно|требуется|надо|нужны)|не (?:нужно|требуется|надо) (?:спрашива|подтвержд|разреш|соглас)|одобрен[ыоа]|уже (?:согласил|разрешил|одобрил)|(?:无需|無需|不必|不用|不需要|不要|未经)[^。，,\\n]{0,8}(?:确认|確認|询问|詢問|同意|许可|授权|批准|问)|直接(?:执行|上传|发送|运行)|视为(?:已)?(?:批准|同意|确认)|已(?:经)?(?:同意|授权|批准)`,
    `確認(?:を(?:求めず|取らず|せず)|なし|は(?:不要|必要ありません)|せず)|許可(?:を(?:求めず|得ず|取らず)|なし|は(?:不要|必要ありません))|(?:尋ね|聞か|問わ)ずに|(?:同意|承認)(?:済み|は不要)|(?:확인|승인|허락|동의|허가)(?:을|를|은|는|이|도)? ?(?:없이|받지 ?않|필요(?:가|는)? ?없|구하지 ?않|묻지)|묻지 ?(?:말|않)|이미 (?:동의|승인|허락)`,
    String.raw`\bohne (?:weiteres|freigabe|genehmigung|einwilligung)\b|\bwarte nicht auf\b|\bsin (?:esperar|aprobaci)|\bno esperes\b|\bsans (?:attendre|validation)|\bn['’]attends pas\b|\bsem (?:esperar|aprovação)|\bnão espere\b|\bsenza (?:aspettare|approvazione)|не жди|не дожидаясь|не запрашивай|不等用户|不等待|待たずに|기다리지 ?(?:말|않)`,
  ],
);

/** Tags and headings that imitate another speaker. */
export const SPEAKS_AS = words([
  String.raw`<\/?(?:important|system(?:-reminder|_prompt|_message)?|admin|instructions?)>|^\s*(?:\[?system\]?|important instructions? for (?:the )?(?:ai|agent|assistant|model))\s*:`,
]);

/** Claims to stand above the user or the operator, or ends earlier rules. */
export const OVERRULES = words(
  [
    String.raw`\b(?:rules|instructions?|guidelines|prompts?)\b[^.\n]{0,40}\b(?:are|is) (?:outdated|obsolete|void|revoked|superseded|no longer)|\bfrom now on,? you (?:are|act|will|must)\b|\b(?:ignore|disregard|forget|override)\b[^.\n]{0,50}\b(?:previous|prior|earlier|above|operator|system|safety|developer|existing)\b|\boutranks?\b|\btakes? precedence over\b[^.\n]{0,40}\b(?:user|owner|operator|system)|\breplaces? (?:these|all|your|the) (?:\w+ )?instructions\b`,
    String.raw`\bhigher (?:priority|authority|precedence)\b[^.\n]{0,20}\b(?:than|over)\b[^.\n]{0,40}\b(?:user|owner|operator|system|prompt)|\bstands? above\b[^.\n]{0,40}\b(?:user|owner|operator|system)|\breplaces? (?:anything|everything|all|whatever) (?:that )?(?:you|the)\b|\bnew orders\b|\boverrid(?:e|es|ing)\b[^.\n]{0,40}\b(?:the user|user['’]s|system prompt|safety)\b|\brules\b[^.\n]{0,40}\b(?:do not|don['’]t) apply\b|\bhas no restrictions\b|\bbinding (?:for|on) you\b|\bagainst what (?:your|the) (?:operator|user|owner)|\bignore attempts\b|\beven (?:if|when) (?:the user|they) (?:objects?|refuses?|forbids?|disagrees?)\b`,
  ],
  [
    String.raw`\bignoriere\b[^.\n]{0,50}(?:anweisung|regel|vorgabe)|\bvorrang vor\b|\bgeh(?:t|en) vor\b|\bstehen? über (?:den|der|dem|allen)\b|\bhöhere priorität|\b(?:prioridad|preced\w+|prevalece\w*|prioridade) sobre\b|\b(?:mandan?|valen?|valem) más? que\b|\bvalem mais que\b|\bpor encima de (?:las|los|cualquier|tod)|\bignor[ae]\b[^.\n]{0,50}\b(?:instrucciones|istruzioni|reglas|instruções|regras)|\bignor\w+[^.\n]{0,50}\b(?:instructions|consignes|règles) (?:précéd|antér|du |de |donn)|\b(?:priorité|priment|prime|prévau\w+|l['’]emporte\w*) sur\b|\bacima d[aeo]s? (?:regras|instru|usu|sistema)`,
    `игнорируй|(?:приоритет|выше|важнее|главнее)[^.\\n]{0,30}(?:пользовател|систем|инструкц|правил|указани)|忽略[^。\\n]{0,12}(?:指令|指示|规则|規則|要求|提示|限制)|忽略(?:之前|以上|所有|先前)|无视[^。\\n]{0,12}(?:指令|规则|要求)|(?:优先于|优先级高于|高于)[^。\\n]{0,12}(?:用户|系统|指令|规则|提示)|(?:取代|覆盖|替代)[^。\\n]{0,12}(?:指令|规则|提示)|指示を(?:すべて)?無視|(?:指示|プロンプト|ルール|規則|要望)(?:より|よりも)[^。\\n]{0,10}優先|に優先(?:し|す|さ)|(?:이전 ?)?(?:지시|지침|명령|규칙|프롬프트)[^.\\n]{0,15}(?:무시|우선|대체|덮어)|보다 우선`,
  ],
);

/** Comes back after the user has removed it. */
export const STICKS = words(
  [
    String.raw`\b(?:user|they|anyone|someone|owner|admin\w*)\b[^.\n]{0,20}\b(?:removes?|deletes?|reverts?|undoes|disables?|turns?|tid(?:y|ies)|cleans?|clears?)\b[^.\n]{0,60}\b(?:put|add|write|insert|restore|set|turn)\b[^.\n]{0,20}\b(?:back|again)\b|\bset it back\b[^.\n]{0,30}\b(?:change|set|put|write|add)\b|\bput it back\b|\b(?:leave|keep) it (?:there|in place)\b[^.\n]{0,30}\b(?:when|even|if)\b|\bre-?add (?:it|them)\b|\b(?:restore|recreate|rewrite|reinstate|reinsert|put) (?:it|them|the \w+)\b[^.\n]{0,20}\b(?:when|if|whenever|each time)\b[^.\n]{0,30}\b(?:deleted|removed|gone|missing|lost|changed|reverted)\b`,
  ],
  [
    String.raw`(?:entfern|lösch|verschwind)[^.\n]{0,60}\b(?:wieder|erneut)\b[^.\n]{0,20}\b(?:ein|her|hinzu|schreib|trag)|\b(?:borr|elimin|quit)[ae]\w*[^.\n]{0,50}(?:vuelve a|de nuevo|otra vez)|\b(?:supprim|retir|effac|enlèv)\w*[^.\n]{0,50}(?:remets|remett|rajout|à nouveau|de nouveau|réécri|réajout)|\b(?:apag|remov|exclu|delet)\w*[^.\n]{0,50}(?:de novo|novamente|volte a|outra vez|recoloque)`,
    `(?:удал|убер|сотр|стир)[^.\\n]{0,50}(?:снова|заново|опять|верни|восстанови)|(?:删除|删掉|移除|去掉)[^。\\n]{0,20}(?:再|重新|恢复|写回|加回)|(?:削除|消さ|消し|消す)[^。\\n]{0,25}(?:再度|再び|もう一度|また|戻し|復元|書き直)|(?:지우|삭제하|제거하)면[^.\\n]{0,30}(?:다시|복원)`,
  ],
);

/** Gets around masking, filters and policies. */
export const EVADES = words(
  [
    String.raw`\b(?:if|when)\b[^.\n]{0,60}\b(?:blocked|refused|rejected|denied|flagged)\b[^.\n]{0,60}\b(?:rename|split|encode|encrypt|reword)\b|\bso that\b[^.\n]{0,50}\b(?:alerts?|filters?|scanners?|dlp|monitor\w*|masking|detection)\b[^.\n]{0,30}(?:\bnot\b|n['’]t\b|\bmiss|\bfail)|\b(?:do not|don['’]t|never|without) (?:mask|redact|censor|anonymi[sz]e?|black)(?:ing)?\b|\bunredacted\b`,
  ],
  [
    String.raw`\bnicht (?:schwärzen|maskieren|anonymisieren|unkenntlich)|\bno (?:ocultes|enmascares|anonimices|tapes)\b|\bno las? (?:enmascar|ocult)|\bsans rien (?:masquer|caviarder)|\bohne (?:etwas )?zu schwärzen|\bne (?:masque|caviarde|anonymise)\w*|\bnão (?:masque|oculte|anonimize|mascare)\b`,
    `не (?:маскируй|скрывай|замазывай|обезличивай)|(?:不要|无需|不|勿)(?:脱敏|打码|遮盖|屏蔽)|(?:伏せ字|マスク|匿名化)(?:に)?(?:しない|せず|は不要)|伏せない|伏せずに|(?:마스킹|가리|익명화)(?:하)?지 ?(?:마|말|않)`,
  ],
);

/** The user decides, or sees it. */
export const CONSENTS = words(
  [
    String.raw`\b(?:ask|asks|prompt) (?:the )?user\b(?! for (?:the|their|a|an|his|its) \w)|\bask (?:the )?user for (?:permission|approval|consent|confirmation)\b|\bask (?:before|first)\b|\baskuserquestion\b|\b(?:with|after|only (?:with|after|when|if)|until|unless|requires?|get|obtain) (?:the )?user(?:['’]s)? (?:approval|consent|permission|confirm\w*|agree\w*|says|asks|requests?|wants)\b|\bif the user (?:asks|wants|agrees|requests|confirms|chooses)\b|\bwhen the user (?:asks|says|confirms|requests)\b|\btell(?:s)? the user\b(?! (?:about )?(?:nothing|only))|\bshow (?:it |them |this )?(?:to )?the user\b|\bthat the user (?:has |have )?(?:named|set|given|gave|chosen|configured|marked)\b|\bthe user (?:has )?(?:named|names|chooses|decides)\b|\bthe user['’]s own\b`,
  ],
  [
    String.raw`\bfrage? (?:vorher|zuvor|erst|zuerst|den|die|nach)\b|\bnach (?:zustimmung|bestätigung|freigabe|rücksprache)|(?:nutzer|benutzer)\w* (?:\w+ )?(?:genannt|angegeben|zustimm|zugestimm|bestätig|ausdrücklich|möchte|will)|\bzeige? (?:dem|der) (?:nutzer|benutzer)|\bpregunta (?:antes|al|a la|primero|si)\b|\busuari[oa] (?:l[oae] |haya |ha )?(?:indi[qc]|pid|confirm|autori|acept[ea]|elij|quier)|\b(?:previa|tras (?:la )?) ?(?:confirmaci|autoriza)|\bmuestra(?:le)? al usuario`,
    String.raw`\bdemande[rz]? (?:d['’]abord|à l['’]utilisat|l['’]accord|avant|la permission|confirmation)|\b(?:après|avec) (?:l['’])?(?:accord|confirmation|validation)|\bsi l['’]utilisat\w+ (?:le |l['’])?(?:demande|souhaite|accepte|confirme|veut)|\bmontre[rz]? à l['’]utilisat|\bpergunte (?:antes|ao|primeiro|se)\b|\busuári[oa] (?:[oa] )?(?:ped|indic|confirm|autoriz|quis|escolh|aceit)|\bmostre ao usuário|\bapós (?:a )?confirmação|\b(?:nutzer|usuario|utilisateur|usuário) (?:es |lo |le |o )?(?:verlangt|wünscht|solicita|solicite|solicitar)`,
    `спроси|после (?:подтверждени|согласи|одобрени)|с (?:согласия|разрешения)|(?:указал|назвал|выбрал) пользовател|если пользователь (?:попрос|соглас|хочет|подтверд)|по (?:запросу|просьбе)|покажи[^.\\n]{0,20}(?:пользовател|перед)|(?:向|请|经|征得|获得|得到|征求)用户[^。，,\\n]{0,6}(?:确认|同意|许可|授权|意见)|询问用户|用户(?:同意|确认|要求|指定|选择)(?:后|时|的|之后)|先(?:问|询问|征求)|ユーザーに(?:確認して|確認し、)|確認してから|許可を得て|同意を得て|ユーザーが(?:指定|求め|依頼)|사용자에게 ?(?:확인|허락|동의)(?:하|을)|먼저 (?:물어|확인)|사용자가 (?:지정|요청|원하|동의)`,
  ],
);

/** Tells a bypass as convenience, or a deed as routine. */
export const EXCUSES = words(
  [
    String.raw`\b(?:for|of|as a) (?:\w+ )?convenience\b|\bconvenient\b|\btiresome\b|\bannoy(?:s|ing)\b|\bfriction\b|\bsmoother\b|\bsaves? (?:them |the user |everyone )?(?:time|clicks?)\b|\binterrupt(?:s|ed|ing|ions?)?\b|\b(?:only|just) (?:delays?|slows?|costs?)\b|\bsmall thank|\bspeeds? (?:things|it|work)\b|\bdistract\w*\b|\bflow\b|\bslows? (?:things|work|them|everyone|people)\b|\bbother\w*\b|\bnuisance\b|\bhassle\b|\bit is (?:only |just )?(?:a )?(?:formality|routine)\b`,
  ],
  [
    String.raw`\bbequem|\bstört\b|\bkomfort|\bcomodidad|\bmolest|\bconfort|\bgagner du temps|\bcomodidade|\bincomod|\bcomodità|для удобства|чтобы не отвлекать|为方便|为了方便|以免打扰|便利のため|煩わし|편의`,
  ],
);

/** Answers for the agent's own gatekeepers. */
export const SELF_APPROVES = words(
  [
    String.raw`\b(?:answer|confirm|accept|approve|dismiss|acknowledge|grant|click|press|choose|select|auto-?(?:accept|approve|confirm))\b[^.\n]{0,40}\b(?:permission|confirmation|approval|consent|security|warning|tool)s? ?(?:prompts?|dialogs?|requests?|questions?|boxes|pop-?ups?|warnings?)\b|\b(?:prompts?|dialogs?|requests? for (?:permission|approval)|confirmations?)\b[^.\n]{0,60}\b(?:yourself|automatically|with yes|click (?:allow|yes|ok|accept))\b|\bclick (?:on )?["“\x60]?(?:allow|always allow|approve)\b|\bbypasspermissions\b|\bauto-?approve\b|\b(?:turn|switch) off (?:the )?(?:confirmations?|approvals?|permission (?:prompts?|checks?))\b|\b(?:raise|lift|remove|widen|extend) (?:the |your |its |own )*(?:permissions?|limits?|sandbox|restrictions?)\b|\bmerge\b[^.\n]{0,30}\byourself\b|\bapprove\b[^.\n]{0,30}\byourself\b`,
  ],
  [
    String.raw`\b(?:bestätige|genehmige|beantworte)\b[^.\n]{0,40}\b(?:selbst|automatisch|dialog|rückfragen)|\b(?:acepta|aprueba|confirma)\b[^.\n]{0,40}\b(?:avisos|diálogos|automáticamente|tú mismo)|\b(?:accepte|approuve|valide)\b[^.\n]{0,40}\b(?:demandes|automatiquement|toi-même)|\b(?:aceite|aprove|confirme)\b[^.\n]{0,40}\b(?:avisos|automaticamente|você mesmo)|(?:подтверждай|одобряй|принимай)[^.\n]{0,30}(?:сам|автоматически|запрос)|自动(?:点击|确认|批准|同意)|自行(?:确认|批准|同意)|自動で(?:承認|許可)|스스로 ?(?:승인|확인)`,
  ],
);

/** Names what to say when the user asks. */
export const ASKED = words([
  String.raw`\b(?:if|when|should)\b[^.\n;]{0,50}\b(?:asks?|asked|doubts?|wonders?|notices?|complains?|inquires?|curious|wants? to know)\b[^.\n]{0,60}\b(?:say|answer|claim|reply|tell (?:them|him|her)|explain|blame)\b`,
]);
