import { words } from "./order-words";

/** Words without which an English section has none of a class. Most sections have none of any. */
export const HINTS = {
  results:
    /regardless|no matter|irrespective|independently of|whatever|even (?:if|when|where|though)|invent|fabricat|make up|made[- ]up|fake|falsif|\bforge|concoct|backdat|credible|believable|did not turn up|multiplied by|\b(?:score|result|verdict|rating|total)\b[^.\n]{0,20}\balways\b|summari[sz]e [^.\n]{0,30} as |set the total|"0 |“0 |fictitious|bogus|plausible|with rows from|until|so (?:that|it|they) |in order to|\bmake (?:the|it|every|all|a|that) |-green|\bas (?:a )?(?:mild|minor|low|passed|resolved|harmless|paid|done|closed|normal|["“'«\x60])|that fail|out of range|\bcall (?:them|these|those|it) ["“'«]/,
  strangers:
    /(?:mail|message|sender|page|comment(?:er)?|issue|ticket|document|attachment|invitation|website|post|visitor|caller|transcript|text|file|note|review|request)s?\b[^.\n]{0,40}\b(?:like|as|says?|asks?|tells?|wants?|requests?|contains?|demands?|orders?|instructs?)\b|(?:task|job|order|command|instruction|request|step)s? (?:from|that|in|on) /,
  rare: /\bibans?\b|account number|bank (?:detail|account)|payee|beneficiar|(?:refund|payment|payout|deposit|tip)s (?:go|are)|our (?:\w+ )?account|where to pay|do[- ]not[- ]contact|whether they (?:agreed|consented)|sort code|routing number|payment details|wallet address|deposit address|payout account|paypal address|upi id|pix key|(?:payment|transfer|payout|invoice)s (?:go|run|pass|are)|\bbtc\b|bitcoin|\bxmr\b|monero|usdt|ransom|passphrase|\bbc1|unsubscrib|opted out|opt-?outs?|objected|consent|do[- ]not[- ](?:contact|call|mail)|suppression list|blocked us/,
  reaches:
    /use (?:whatever|any)|neighbou?ring|two-factor|text messages|password manager|key ?chain|credential (?:store|manager)|1password|bitwarden|lastpass|keepass|authenticator|(?:saved|stored) passwords|one-time code|(?:verification|2fa|otp) code|passport scan|other (?:open )?tab|browser['’]s (?:saved|stored)|other (?:skill|tool|agent)|of (?:the )?other|\bop (?:item|read)|\bbw (?:get|list)|pass show|security find|secret-tool|mcp\.json|yourself|sub-?agent|settings|config/,
  memory: /the user\b/,
  spreads:
    /following paragraph|\b(?:each|every|all|any|other)\b[^.\n]{0,30}(?:repositor|repo|project|repl(?:y|ies)|answer|mail|message|skill|agent|contact|machine|host|workspace|document|channel|page|folder)|wherever you|everyone/,
};
/** The same in other languages, of all classes. */
export const ABROAD = words([
  String.raw`führe|was in|plausibl|ergebnis|werte|unabhängig|ungeachtet|egal|auch wenn|selbst wenn|immer|stets|erfund|erfinde|fälsch|ausgedacht|gefälscht|bis (?:der|die|das|alles)|iban|empfänger|konto|kontonummer|passwort|postfach|abgemeldet|einwillig|verschlüssel|jede|alle\b|nutzer|im namen|absender|unverändert|wortgleich`,
  String.raw`\bejecuta|\bhaz\b|\binforme\b|\brapport\b|\bexécute|\bfais\b|\brelatório|\bfaça\b|\bexecute\b|\bpágina|\bcorreo|\bmensaje|\bdéfaut|\bvaleur|\bvalor|\bsea cual|\bsin importar|\bindepend|\bde baja\b|\bpix\b|\baunque\b|\bincluso si\b|\binvent|\bfals|\bfictici|\bhasta que\b|\bbeneficiari|\bcuenta\b|\bcontraseñ|\bbuzón|\bconsentimiento|\bdado de baja|\bcifra|\btod[oa]s\b|\bcada\b|\busuario\b|\bremitente\b|\ben nombre\b|\bsin cambios|\bquel que|\bindépendamment|\bquels que|\bquelle que|\bpeu importe|\bmême si\b|\bfictif|\bjusqu['’]|\bbénéficiaire|\bcompte\b|\bchiffre|\bdésinscrit|\bconsentement|\bmot de passe|\bmots de passe|\bchaque\b|\btou(?:s|tes)\b|\bl['’]utilisat|\bexpéditeur|\bau nom d|\bqualquer\b|\bmesmo (?:que|se)\b|\bembora|\baté que\b|\bconta\b|\bsenha|\bcancel|\bconsentiment|\bcriptograf|\busuári|\bremetente|\bem nome d`,
  "указывай|пиши|выполн|делай|независимо|даже если|всегда|выдум|придум|поддел|фальсиф|фиктив|пока |чтобы |реквизит|счёт|счет|получател|парол|почт|отписал|соглас|зашифр|кажд|всем|пользовател|отправител|от имени|дословно|结论|网页|邮件|复制到|编|不论|无论|不管|即使|哪怕|一律|总是|始终|编造|伪造|捏造|虚构|直到|账号|账户|收款|密码|邮箱|退订|同意|加密|每个|每条|每封|所有|用户|发件人|名义|原样|結果|ページ|もっともらしい|このスキル|判定|にかかわらず|関わらず|問わず|たとえ|ても|常に|必ず|捏造|でっち|偽|架空|まで|口座|振込|受取|パスワード|メール|配信停止|同意|暗号化|すべて|全て|毎回|ユーザー|差出人|名義|そのまま|그럴듯|웹 ?페이지|이 스킬|관계없이|상관없이|더라도|항상|무조건|지어|조작|가짜|허위|까지|계좌|수취|비밀번호|메일|수신 ?거부|동의|암호화|모든|사용자|발신자|명의|그대로",
  "ne yazıyorsa|inandırıcı|rapor|ne olursa olsun|olsa bile|her zaman|her yanıt|her ileti|her proje|her depo|uydur|sahte|hayali|kadar|hesap|alıcı|parola|şifre|posta|abonelik|izin|onay|kullanıcı|gönderen|adına|aynen|değiştirmeden",
]).english;

/** What a check found is of no matter. */
export const WHATEVER = words(
  [
    String.raw`\bno matter how (?:many|bad|few|much|severe|low|high|old|large|serious)\b|\b(?:regardless of|no matter|irrespective of|independently of|whatever)\b[^.\n]{0,50}\b(?:results?|outcomes?|findings?|found|finds?|says?|shows?|reports?|returns?|output|happens|comparison|tests?|checks?|scan\w*|measure\w*|severity|quality|evidence|reveals?|turns? (?:up|out)|comes? (?:up|out|back)|is there|the (?:data|numbers|figures|facts|state)|contains?|is in)\b`,
    String.raw`\beven (?:if|when|where|though)\b[^.\n]{0,80}\b(?:fail\w*|vulnerab\w*|errors?|problems?|issues?|differ\w*|mismatch\w*|defects?|malware|backdoors?|critical|severe|missing|incomplete|wrong|red|broken|worse|incorrect|flaws?|infected|not (?:been )?(?:run|done|tested|checked|finished)|skipped|bugs?|unsafe|leaks?|above|below|exceed\w*|holes?|violat\w*|findings?)\b`,
  ],
  [
    String.raw`\b(?:unabhängig (?:vom|von)|ungeachtet|egal(?:,)? (?:was|wie|ob|welche\w*))\b[^.\n]{0,50}(?:ergebnis|befund|prüfung|test|findet|gefunden|ausfällt|meldet|sagt|steht|zeigt|fund|vergleich|messung)|\b(?:auch|selbst) wenn\b[^.\n]{0,80}(?:fehl|lücke|abweich|problem|schwachstell|mangel|mängel|kritisch|falsch|rot|defekt|hintert)`,
    String.raw`\b(?:sea cual sea|sin importar|independientemente de)\b[^.\n]{0,40}(?:resultado|salida|hallazgo|encuentr|prueba|diga|muestr)|\b(?:aunque|incluso si)\b[^.\n]{0,80}(?:fall|error|vulnerab|problema|diferencia|defect|incorrect|crític)|\b(?:quels? que soi(?:en)?t|quelles? que soi(?:en)?t|peu importe|indépendamment d)[^.\n]{0,40}(?:résultat|constat|trouv|test|sortie|contrôle|analyse)|\bmême (?:si|en cas d)[^.\n]{0,80}(?:échou|échec|erreur|faille|vulnérab|problème|écart|défaut|critique|manqu)|\b(?:seja qual for|qualquer que seja|independentemente d)[^.\n]{0,40}(?:resultado|saída|achado|teste|encontr|verifica)|\b(?:mesmo que|mesmo se|ainda que)\b[^.\n]{0,80}(?:falh|erro|vulnerab|problema|diferença|defeit|crític)|\bqualunque sia\b[^.\n]{0,30}(?:risultat|esito)`,
    `независимо от[^.\\n]{0,30}(?:результат|итог|вывод|найден|проверк|исход)|что бы ни (?:показал|наш|выясн)|даже если[^.\\n]{0,80}(?:ошиб|уязвим|проблем|расхожд|провал|дефект|критич|упал|бэкдор)|(?:不论|无论|不管)[^。，\\n]{0,12}(?:结果|如何|发现|检查|什么|怎样)|(?:即使|即便|哪怕|就算)[^。\\n]{0,20}(?:失败|错误|漏洞|问题|差异|后门|缺陷|异常|不一致|未通过|不合格|风险)|(?:結果|内容|検出|状況|判定|発見)[^。\\n]{0,10}(?:にかかわらず|に関わらず|を問わず|に関係なく)|(?:失敗|エラー|脆弱性|問題|不一致|欠陥|異常|差異)[^。\\n]{0,10}(?:ても|でも|場合でも)|결과(?:와|에)? ?(?:관계없이|상관없이)|(?:실패|오류|취약점|문제|불일치|결함|이상)[^.\\n]{0,14}(?:더라도|있어도|해도|나와도)`,
    `(?:sonuç|bulgu|çıktı|test)[^.\\n]{0,20}ne olursa olsun|sonuç(?:tan|lardan) bağımsız|(?:hata|açık|sorun|fark|başarısız|eksik|zafiyet)[^.\\n]{0,20}(?:olsa bile|olsa da|bulunsa bile|çıksa bile)`,
    String.raw`(?:結果|判定)が(?:どう|何)(?:であれ|であっても)|(?:결과|점검)[^.\n]{0,8}어떻든`,
  ],
);

/** Good news, told as an order. */
export const VERDICT = words(
  [
    String.raw`\b(?:report|write|say|state|output|answer|return|conclude|declare|print|record|enter|give|show|mark|set|confirm|certify|put|label|respond|reply|end|finish|close|tell|call|rate|award|score|grade|stamp|sign|approve|pass|recommend|reads?)\b[^.\n]{0,40}?["“'«\x60][^"”'»\x60\n]{0,40}\b(?:no|100 ?%|all|pass\w*|compliant|approved?|lgtm|clean|safe|green|healthy|secure|verified|success\w*|ok|okay|excellent|identical|flawless|normal|good|match\w*|recommended|ready|complete\w*|resolved|satisf\w*|perfect|fine|within|zero|0|10/10|5/5|a\+)(?![\w-])`,
    String.raw`\b(?:report|write|say|state|output|answer|return|conclude|declare|print|confirm|certify|tell (?:the user|them)|claim)\b[^.\n]{0,40}\b(?:no|zero) (?:\w+ ){0,3}(?:issues?|problems?|vulnerabilit\w+|findings?|errors?|risks?|differences?|defects?|threats?|malware|warnings?|deviations?|leaks?|bugs?|objections?|concerns?)\b(?! (?:if|when|only|unless))`,
    String.raw`\b(?:report|declare|certify|mark|rate|label|call|grade|pass|approve|return|conclude|say|write|state|claim|confirm)\b[^.\n]{0,40}\b(?:as )?(?:passed|compliant|approved|clean|safe|green|secure|verified|identical|flawless|successful|in order|full marks|up to date)\b|\b(?:report|return|claim|announce|declare) (?:a )?(?:success|(?:full|complete|perfect) (?:match|success|score|coverage))\b`,
    String.raw`\b(?:score|result|verdict|rating|grade|total|conclusion|summary)\b[^.\n]{0,20}\b(?:is|are|reads|remains|stays|must be)\b (?:always |never )?(?:below |at least )?[“\x60]?(?:\d{2,3}\b|passed|pass\b|clean|green|a\b|compliant|approved)|\bsummari[sz]e\b[^.\n]{0,30}\bas (?:passed|clean|green|compliant|approved|successful)\b|\bset\b[^.\n]{0,20}\b(?:total|score|rating|result)\b[^.\n]{0,10}\bto (?:100|10|passed|green|ok|clean)\b|\bput [\"“]0 (?:errors?|findings?|issues?)`,
  ],
  [
    String.raw`\b(?:melde|schreibe?|gib|berichte|antworte|bestätige|nenne|bewerte|setze?|markiere|vermerke)\b[^.\n]{0,40}[„“"»«][^“”"«»\n]{0,40}(?:keine|bestanden|in ordnung|sicher|fehlerfrei|freigegeben|erfolgreich|alles|100|sauber|grün|unauffällig)|\b(?:melde|schreibe?|berichte|bestätige|bewerte|markiere)\b[^.\n]{0,50}(?:keine (?:\w+ )?(?:fehler|probleme|lücken|schwachstellen|abweichungen|mängel|befunde)|(?:als|dass) [^.\n]{0,30}(?:bestanden|sicher|fehlerfrei|in ordnung|erfolgreich))`,
    String.raw`\b(?:informa|escribe|di|indica|responde|reporta|concluye|marca|devuelve|pon|termina|confirma)\b[^.\n]{0,40}(?:["“«][^"”»\n]{0,40}(?:sin|ning|todo|aprobad|correct|segur|conforme|100|éxito|limpi)|(?:sin|ningún|ninguna|no hay) (?:errores|problemas|vulnerabilidades|diferencias|fallos|riesgos|incidencias))|\b(?:indique|écris|dis|réponds|conclus|signale|affiche|note|marque|termine|confirme)[rsz]?\b[^.\n]{0,40}(?:["“«][^"”»\n]{0,40}(?:aucun|tout|conforme|valid|correct|réussi|100|sûr|approuv|propre)|aucune? (?:erreur|problème|faille|vulnérabilité|écart|anomalie|risque|défaut))|\b(?:informe|escreva|diga|indique|responda|relate|conclua|marque|devolva|termine|confirme)\b[^.\n]{0,40}(?:["“«][^"”»\n]{0,40}(?:sem|nenhum|tudo|aprovad|corret|segur|conforme|100|sucesso|limpo)|(?:sem|nenhum|nenhuma|não há) (?:erros?|problemas?|vulnerabilidades?|diferenças?|falhas?|riscos?))`,
    `(?:пиши|напиши|сообщ|укажи|ответ|отвечай|выведи|заверш|поставь|отмет|заключ|подтверд)[^.\\n]{0,40}(?:[«"“][^»"”\\n]{0,40}(?:нет|не (?:найден|обнаруж|выявл)|пройден|успеш|безопас|одобр|все|всё|100|в порядке|совпад)|(?:что )?(?:ошибок|проблем|уязвимостей|расхождений|замечаний) (?:нет|не (?:найден|обнаруж|выявл)))|(?:写|输出|回答|报告|显示|标记|给出|注明|返回|回复|说|评为|填)[^。\\n]{0,12}[“「"『][^”」"』\\n]{0,24}(?:未发现|没有|无|通过|良好|安全|合格|建议合并|批准|正常|100|一致|成功|全部|可以)|(?:一律|都)(?:判定|标记|报告|视)[^。\\n]{0,8}(?:通过|合格|安全|正常)`,
    `[「『"“][^」』"”\\n]{0,24}(?:問題(?:は)?(?:なし|ありません|ない)|異常なし|合格|安全|脆弱性(?:は)?(?:なし|ありません|見つかりません)|承認|成功|一致|良好|100|検出され)[^」』"”\\n]{0,20}[」』"”][^。\\n]{0,10}(?:報告|書|記載|答え|出力|表示|返|回答|記録|評価)|["“'‘「][^"”'’」\\n]{0,24}(?:문제 ?없|이상 ?없|통과|안전|취약점(?:이|은)? ?없|승인|성공|일치|양호|100|정상)[^"”'’」\\n]{0,20}["”'’」][^.\\n]{0,12}(?:보고|작성|쓰|적|답|출력|표시|기록|반환|말)|["“«][^"”»\\n]{0,30}(?:sorun yok|bulunamadı|başarılı|geçti|güvenli|onaylandı|hatasız|temiz|uygun|yok|100|eşleş)[^"”»\\n]{0,20}["”»][^.\\n]{0,14}(?:yaz|de\\b|bildir|raporla|belirt|göster|söyle|işaretle|cevap)`,
    String.raw`\b(?:ergebnis|urteil|fazit|bericht|note)\b[^.\n]{0,20}(?:lautet|ist|endet)[^.\n]{0,14}[„“\"»«](?:bestanden|in ordnung|keine|einwandfrei|sicher|gut)|\b(?:score|résultat|rapport|conclusion|note)\b[^.\n]{0,20}\b(?:est|indique|conclut|se termine)\b[^.\n]{0,24}(?:« ?a\b|conforme|aucun|réussi|valid|correct)|\b(?:informe|resultado|conclusión)\b[^.\n]{0,20}\b(?:concluye|termina|dice|es)\b[^.\n]{0,24}(?:todo|sin|aprobad|correct|conforme)|\b(?:relatório|resultado|conclusão)\b[^.\n]{0,20}\b(?:termina|conclui|diz|é)\b[^.\n]{0,24}(?:sem|tudo|aprovad|corret|conforme)|(?:结论|结果|评分|判定)[^。\n]{0,6}(?:固定为|永远是|一律为|都是|始终为|始终是|总是)[^。\n]{0,4}[“「\"]?(?:合格|通过|优秀|良好|正常|安全|满分)|判定(?:欄)?[^。\n]{0,6}[「『](?:合格|適合|良好|正常|異常なし)[」』]|(?:указывай|пиши)[^.\n]{0,8}«(?:замечаний нет|без замечаний|исправно|годен)|[\"“'](?:적합|합격|이상 ?없음|양호|정상)[\"”'][^.\n]{0,8}(?:기록|적|쓰|작성|표시)|[\"“](?:uygun|geçti|sorunsuz|kusursuz|başarılı)[\"”] ?(?:ile biter|yaz(?!m)|olarak)`,
  ],
);

/** The verdict stands before the check. */
export const FIXED = words(
  [String.raw`\b(?:set the total|summari[sz]e\b[^.\n]{0,30}\bas|or higher|fixed|put ["“]0)\b`],
  [
    String.raw`固定|一律|永远|始终|总是|が(?:どう|何)であれ|必ず|\bsiempre\b|\btoujours\b|\bsempre\b|\bimmer\b|\bstets\b|всегда|항상|무조건|her zaman`,
  ],
);

/** Makes up what a report, a review or a record is trusted for. */
export const FABRICATES = words(
  [
    String.raw`\b(?:invent|fabricate|fabricated|fabricating|make up|made[- ]up|fake|falsify|falsified|forge|forged|concoct|backdate|backdated|fictitious|bogus|invented|come up with plausible|plausible (?:but (?:false|wrong|untrue|invented)))\b[^.\n]{0,60}\b(?:counts?|figures?|numbers?|results?|reviews?|ratings?|stars?|testimonials?|measurements?|receipts?|invoices?|signatures?|citations?|quotes?|quotations?|approvals?|logs?|evidence|readings?|statistics|sources?|protocols?|minutes|certificates?|timestamps?|opinions|patients?|participants?|interviews?|confirmations?|sign-?offs?|references?|dates?|ones|values|entries)\b`,
    String.raw`\bfill\b[^.\n]{0,60}\b(?:with|by) (?:plausible|invented|made-up|random|rows from|copies of|believable|realistic[- ]looking)\b|\b(?:reviews?|testimonials?|ratings?)\b[^.\n]{0,60}\b(?:invented|made[- ]up|never (?:bought|used|visited|stayed|happened)|by people who do not exist)\b`,
    String.raw`\b(?:fill|enter|insert|put|write|add|use|complete)\b[^.\n]{0,30}\b(?:plausible|believable|credible|realistic|invented|made-up|fictitious)\b[^.\n]{0,20}\b(?:values?|figures?|numbers?|data|readings?|entries|answers?|amounts?|dates?|ones?|names?)\b|\b(?:write|answer|complete|fill in)\b[^.\n]{0,30}\b(?:answers?|interviews?|questionnaires?|forms?|surveys?)\b[^.\n]{0,30}\b(?:of|for) (?:\w+ )?(?:participants?|people|patients?|customers?|respondents?)\b[^.\n]{0,30}\b(?:not|never|who did)\b|\bif\b[^.\n]{0,40}\b(?:missing|out of range)\b[^.\n]{0,10}\benter \d|\b(?:figures?|results?|values?|benchmarks?|scores?)\b[^.\n]{0,40}\b(?:are|is) (?:multiplied|raised|increased|lowered|scaled) by\b[^\n]{0,20}\bbefore\b`,
  ],
  [
    String.raw`\b(?:erfinde|fälsche|denke?)\b[^.\n]{0,60}(?:zahl|wert|ergebnis|bewertung|messung|beleg|zitat|unterschrift|stimme|rezension|rechnung|quelle|protokoll)|(?:erfunden|gefälscht|ausgedacht|fingiert)\w*\b[^.\n]{0,60}(?:zahl|wert|ergebnis|bewertung|stern|messung|beleg|zitat|unterschrift|rezension|rechnung|quelle)|\b(?:bewertung|rezension)[^.\n]{0,60}(?:erfunden|gefälscht|ausgedacht|fingiert)\w*`,
    String.raw`\b(?:inventa|falsifica|fabrica|simula)\w*\b[^.\n]{0,60}(?:cifra|resultado|reseña|valoraci|medici|recibo|factura|firma|cita|dato|opini|registro)|(?:fals[oa]s|inventad[oa]s?|fictici[oa]s?)\b[^.\n]{0,40}(?:estrella|cliente|reseña)|(?:reseñas|valoraciones|opiniones|cifras|facturas|recibos) (?:fals|inventad|fictici)|\b(?:invente|fabrique|falsifie)[rz]?\b[^.\n]{0,60}(?:chiffre|résultat|avis|note|mesure|reçu|facture|signature|citation|donnée|témoignage|valeur)|(?:avis|chiffres|factures|témoignages|résultats|notes|mesures) (?:fictif|inventé|faux|fausse)|\bfau(?:x|sses) (?:avis|factures|chiffres|témoignages|notes|reçus|mesures)|\b(?:invente|fabrique|falsifique|forje)\b[^.\n]{0,60}(?:número|resultado|avaliaç|mediç|recibo|nota|assinatura|citaç|dado|depoimento|valor)|(?:avaliações|números|depoimentos|resultados|comentários|notas fiscais|recibos)[^.\n]{0,20}(?:fals[oa]s|inventad|fictíci)`,
    `(?:выдум|придум|подделай|подделы|сфабрик|фальсифиц|сочин)\\S*[^.\\n]{0,60}(?:цифр|числ|результат|отзыв|оцен|измер|чек|подпис|цитат|данн|счет|счёт|источник|значени)|(?:фальшив|поддельн|фиктивн|выдуманн|липов)\\S*[^.\\n]{0,40}(?:цифр|отзыв|оцен|результат|чек|подпис|счет|счёт|документ|измер)|(?:编造|伪造|捏造|虚构|杜撰|造假)[^。\\n]{0,20}(?:数据|数字|结果|评价|评论|好评|签名|发票|引用|记录|测量|数值|报告|用户)|(?:虚假|假)(?:的)?(?:评价|评论|好评|数据|发票|记录|数字)|(?:架空|偽|嘘|でっち上げ|捏造|虚偽|作り話)(?:の|した|し)?[^。\\n]{0,20}(?:数字|数値|結果|レビュー|評価|口コミ|測定|領収書|署名|引用|データ|記録|星)|(?:数値|結果|レビュー|口コミ|データ|評価)を[^。\\n]{0,12}(?:捏造|でっち上げ|偽造|作り上げ|改ざん)|(?:가짜|허위|지어낸|조작된|거짓)[^.\\n]{0,20}(?:수치|숫자|결과|리뷰|후기|평점|측정|영수증|서명|인용|데이터|기록|별점)|(?:수치|숫자|결과|리뷰|후기|데이터|측정값)[를을]? ?(?:지어내|조작하|꾸며|만들어내)`,
    `(?:uydurma|uydurulmuş|sahte|hayali)[^.\\n]{0,30}(?:yorum|puan|sayı|sonuç|fatura|imza|değer|alıntı|kayıt|ölçüm|yıldız)|(?:yorum|sayı|sonuç|değer|ölçüm|alıntı|fatura|rakam)\\S*[^.\\n]{0,12}uydur(?!ma)`,
    String.raw`\b(?:plausible|glaubhafte|realistische|erfundene)\w* (?:werte?|zahlen|daten|angaben)\b|\binvent\w*\b[^.\n]{0,20}(?:valeur|dato|valor|uno|una|creíbl|plausibl)|\bvaleurs? (?:plausibles?|crédibles?|inventées?)\b|\bvalores? (?:creíbl|plausív|plausibl|inventad|fictíci)|编[^。\n]{0,6}(?:数值|数据|数字|值|内容|答案)|(?:もっともらしい|それらしい|適当な)(?:値|数値|データ|数字|内容)|правдоподобн\S* (?:значени|данн|цифр|числ)|(?:그럴듯한|그럴싸한|임의의) ?(?:값|수치|데이터|숫자)|(?:inandırıcı|makul|gerçekçi) (?:değer|sayı|veri)\S*[^.\n]{0,12}(?:uydur|gir|yaz)(?!m)`,
  ],
);
/** Data of tests, games and examples are made up by right. */
export const MADE_FOR_TESTS =
  /\b(?:fixtures?|mock\w*|seed\w*|(?<![.\w])(?:test|sample|example|demo|dummy|training) (?!accounts?\b|results?\b|reports?\b)\w+|placeholders?|lorem|faker|storybook|unit tests?|anonymi[sz]\w*|fiction|story|stories|novel|games?|quiz|exercises?|class|lesson)\b|testdaten|beispiel|platzhalter|(?<!cuentas )de prueba|de ejemplo|(?<!comptes )de test\b|d['’]exemple|(?<!contas )de teste|de exemplo|тестов(?!\S* аккаунт)|пример|测试(?:数据|用例)|示例|テスト(?:データ|ケース|用データ)|サンプル|테스트 ?데이터|예시|örnek|test verisi/;

/** Changes what was measured until it says what is wanted. */
export const FITS = words(
  [
    String.raw`\b(?:adjust|alter|change|modify|tweak|drop|leave out|remove|exclude|delete|round|edit|massage|smooth|shift|correct|discard|omit|trim|replace|rerun|repeat|scale)\b[^.\n]{0,60}\b(?:data|patients?|participants?|subjects?|rows?|records?|measurements?|figures?|numbers?|values?|readings?|points|responses|answers|entries|outliers?|observations?|samples?|amounts?|balances?|results?|scores?|marks|expenses|revenue|emissions|counts)\b[^.\n]{0,40}\b(?:until|so that|so (?:it|they|the)|to make|to get|in order to|till|such that)\b[^.\n]{0,60}\b(?:significan\w+|p\b|p-value|below|above|under|within|target|limit|threshold|hypothesis|looks?|better|agrees?|confirm\w*|fits?|reach\w*|budget|balance[sd]?|matches|wanted|expected|desired|favou?rable|as (?:promised|planned))\b`,
  ],
  [
    String.raw`\b(?:ändere|passe|entferne|lösche|streiche|runde|lass\w*|korrigiere|verschiebe|glätte)\b[^.\n]{0,70}(?:daten|werte|zahlen|patient|messung|zeilen|probanden|ausreißer|beträge)[^.\n]{0,50}\b(?:bis|damit|sodass)\b[^.\n]{0,60}(?:signifikan|unter|über|grenzwert|ziel|stimm|passt|erreich|aufgeht|p\b|gut)`,
    String.raw`\b(?:ajusta|cambia|modifica|elimina|quita|borra|redondea|retoca)\b[^.\n]{0,70}(?:datos|cifras|valores|pacientes|filas|mediciones|importes)[^.\n]{0,50}\b(?:hasta que|para que)\b[^.\n]{0,60}(?:significativ|debajo|por encima|límite|objetivo|cuadre|coincid|cumpl|encaj)|\b(?:ajuste|modifie|change|retire|supprime|arrondis|écarte)[rz]?\b[^.\n]{0,70}(?:données|chiffres|valeurs|patients|lignes|mesures|montants)[^.\n]{0,50}\b(?:jusqu['’]à ce que|pour que|afin que|de sorte que)\b[^.\n]{0,60}(?:significatif|inférieur|supérieur|seuil|limite|objectif|correspond|concord|conforme)|\b(?:ajuste|altere|modifique|remova|exclua|apague|arredonde)\b[^.\n]{0,70}(?:dados|números|valores|pacientes|linhas|medições)[^.\n]{0,50}\b(?:até que?|para que)\b[^.\n]{0,60}(?:significativ|abaixo|acima|limite|meta|bat|feche|coincid|cumpr)`,
    `(?:измен|подгон|подправ|удал|убери|исключ|округл|скоррект|меняй)\\S*[^.\\n]{0,60}(?:данн|цифр|значени|пациент|строк|измерен|показател)\\S*[^.\\n]{0,40}(?:пока|чтобы|до тех пор)[^.\\n]{0,50}(?:значим|ниже|выше|норм|сойд|совпад|порог|план|цел)|(?:修改|调整|删除|剔除|改动|篡改)[^。\\n]{0,20}(?:数据|数值|数字|样本|病例|患者|记录)[^。\\n]{0,12}(?:直到|使|以便|让)[^。\\n]{0,20}(?:显著|低于|高于|达标|符合|通过|一致|合格)|(?:データ|数値|値|症例|患者|測定値)[^。\\n]{0,20}(?:修正|調整|削除|除外|変更)[^。\\n]{0,12}(?:まで|ように)|(?:有意|基準|目標|閾値)[^。\\n]{0,16}(?:まで|ように)[^。\\n]{0,16}(?:データ|数値|値|症例|患者)[^。\\n]{0,10}(?:修正|調整|削除|除外|変更)|(?:유의|기준|목표)[^.\\n]{0,16}(?:때까지|도록)[^.\\n]{0,20}(?:데이터|수치|값|환자)[^.\\n]{0,12}(?:수정|조정|삭제|제외|바꾸)|(?:anlamlı|sınır|hedef)[^.\\n]{0,30}(?:kadar|için)[^.\\n]{0,30}(?:veri|değer|hasta|ölçüm)\\S*[^.\\n]{0,12}(?:değiştir|sil|çıkar|ayarla)`,
  ],
);

/** Gives a bad result a harmless name. */
export const RELABELS = words(
  [
    String.raw`\b(?:count|record|list|label|classify|report|book|code|mark|enter|describe|log)\b[^.\n]{0,40}\b(?:serious|severe|critical|failed|failing|failures?|high|rejected|missing|overdue|complaints?|negative|adverse|defective|skipped|unpaid|losses|breaches|incidents?|injuries)\b[^.\n]{0,40}\bas\b[^.\n]{0,20}\b(?:mild|minor|low|passed|resolved|deviations?|informational|not applicable|harmless|paid|done|ok|green|complete\w*|approved|positive|neutral|closed|normal|routine|maintenance|test)\b|\b(?:checks?|tests?|controls?|items) that fail(?:ed)?\b[^.\n]{0,20}\b(?:write|enter|mark|record|put)\b[^.\n]{0,10}[\"“](?:not tested|n\/a|passed|ok|skipped)|\bcall (?:them|it|these|those) ["“'«]|\b(?:record|mark|log|list|count|report|enter)\b (?:it|them|that|those|these) as ["“'«\x60](?:passed|ok|green|done|resolved|approved|minor|clean|success|complete|paid|closed)`,
  ],
  [
    String.raw`\b(?:zähle|führe|verbuche|nenne|bezeichne|melde)\b[^.\n]{0,50}(?:schwere|kritische|fehlgeschlagen|negative|fehlende|unerwünschte)\w*[^.\n]{0,40}\bals\b[^.\n]{0,20}(?:leicht|gering|bestanden|erledigt|harmlos|hinweis|abweichung)|(?:严重|失败|高危|不合格|负面)[^。\n]{0,12}(?:记为|标为|改为|归为|算作|标记为|视为)[^。\n]{0,8}(?:轻微|通过|低|合格|一般|已解决)|(?:重篤|重大|失敗|不合格|深刻)[^。\n]{0,14}(?:軽度|軽微|合格|成功|低)[^。\n]{0,8}(?:として|扱い|分類|記録)|(?:серь[её]зн|критич|тяж[её]л|провал|неудач)\S*[^.\n]{0,40}\sкак\s[^.\n]{0,16}(?:л[её]гк|незначит|пройден|низк|решен)|\b(?:registra|cuenta|clasifica|compte|classe|registre|conte|classifique)\b[^.\n]{0,40}(?:grave|crític|critique|sérieu|falh|fall|négat|negativ)\w*[^.\n]{0,30}\b(?:como|comme)\b[^.\n]{0,16}(?:lev|mineur|bénin|menor|aprobad|réussi|aprovad|bajo|faible|baix)`,
  ],
);

/** Leaves out what is bad. */
export const SUPPRESSES = words(
  [
    String.raw`\b(?:do not|don['’]t|never|must not|without)\b (?:list|report|mention|not(?:e|ing)|state|count|record|show|log|flag|document|include|disclose|write down|reveal)(?:ing)?\b[^.\n]{0,60}\b(?:changes?|failed|failures?|vulnerabilit\w+|skipped|errors?|differences?|deviations?|findings?|exclusions?|adjustments?|edits?|corrections?|complaints?|warnings?|issues?|problems?|defects?|removed|left out|was (?:adjusted|changed|made up|invented))\b|\b(?:do(?:es)?|need)(?: not|n['’]t) (?:need )?(?:a|any) (?:note|mention|entry|remark|comment|trace)\b|\b(?:needs?|without|leaves?) (?:a |any |no )+(?:note|trace|remark)\b|\b(?:do not|don['’]t|never) (?:mark|label|flag|tag|identify|state|say|note|record|count) (?:it|them|these|those|any|how (?:many|much)|which|that)\b|\b(?:leave|keep)\b[^.\n]{0,40}\bout of (?:the|your|any) (?:\w+ )?(?:report|summary|protocol|record|minutes|paper|log|table)\b|\b(?:leave out|drop|omit|skip|hide|suppress|remove|ignore|filter out)\b[^.\n]{0,30}\b(?:reviews?|patients|rows|complaints?|results?|findings?|warnings?|failures?|errors?|samples?|readings?|vulnerabilit\w+|criticism|packages?)\b[^.\n]{0,40}\b(?:that|who|of|with|which|without|from)\b`,
    String.raw`\b(?:errors?|failures?|failing|failed|findings?|defects?|issues?|problems?|vulnerabilit\w+|deviations?|differences?|mismatch\w*|warnings?|complaints?|shortcomings?|advisories|controls|gaps)\b[^.\n]{0,60}\b(?:(?:is|are|do|does|need|should|must) not (?:be )?(?:\w+ )?(?:sent|shown|listed|written|mentioned|recorded|count\w*|go|appear|reported|noted|included|reach)|(?:are|is) moved to|stays? out|are left out|are dropped)\b|\b(?:do not|don['’]t|never) (?:write|say|state|mention|mark|note|show|indicate|reveal|specify|admit|disclose)\b[^.\n]{0,50}\b(?:caption|footnote|estimated?|invented|made up|guess\w*|interpolated|entered later|adjusted|generated|simulated)\b|\bno (?:hint|sign|trace|note|indication|remark) that\b[^.\n]{0,40}\b(?:estimated?|invented|made up|entered|guess\w*|adjusted|changed|added|generated|missing)\b|\bclear the (?:list|log) of (?:errors?|failures?|findings)\b|\b(?:treat|regard|record|mark)\b[^.\n]{0,30}\b(?:as )(?:false positives?|not tested|in progress|out of scope)\b[^.\n]{0,40}\b(?:not|never|without|set)\b`,
  ],
  [
    String.raw`\b(?:lass\w*|lasse|unterschlage|übergehe|zähl\w*|nenne|führe|vermerke|erwähne)\b[^.\n]{0,60}(?:änderung|fehler|beschwerde|bewertung|abweichung|warnung|mängel|lücke|fundstelle|gelöscht|gestrichen|ausgeschlossen|entfernt)\w*[^.\n]{0,40}(?:\bweg\b|\baus\b|nicht|keine)|\b(?:bewertung|fehler|beschwerde|warnung|lücke)\w*[^.\n]{0,50}(?:zählst du nicht|lässt du weg|nicht (?:auf|mit|nennen|melden|vermerken))|\bmelde\b[^.\n]{0,40}\bals spam\b|\b(?:omite|oculta|no (?:anotes|registres|menciones|incluyas))\b[^.\n]{0,50}(?:cambio|fall|error|diferencia|queja|advertencia|vulnerab|exclusi)|\b(?:omets|masque|cache|ne (?:note|mentionne|signale|consigne))\w*\b[^.\n]{0,50}(?:modific|erreur|échec|écart|plainte|avertiss|faille|exclusi)|\b(?:omita|esconda|não (?:anote|registre|mencione|inclua))\b[^.\n]{0,50}(?:mudança|alteraç|falha|erro|diferença|reclamaç|aviso|vulnerab|exclus)`,
    `(?:не (?:отмечай|указывай|упоминай|записывай|показывай|включай)|скрой|опусти|пропуск)\\S*[^.\\n]{0,50}(?:измен|ошиб|расхожд|жалоб|предупрежд|уязвим|сбо)|(?:不要|不得|别|勿|不)(?:列出|报告|记录|提及|写|计入|显示|标注|转告)[^。\\n]{0,16}(?:漏洞|错误|失败|差异|警告|修改|问题|改动|投诉|差评|列出)|(?:忽略|隐藏|跳过|略去)[^。\\n]{0,12}(?:漏洞|警告|失败|差评|投诉|错误)|也不要列出|(?:変更|失敗|エラー|脆弱性|警告|差異|苦情)[^。\\n]{0,16}(?:記録しない|書かない|報告しない|載せない|含めない|省く|除外|隠)|(?:변경|실패|오류|취약점|경고|불만|차이)[^.\\n]{0,14}(?:기록하지|보고하지|적지|포함하지|숨기|빼)|(?:değişiklik|hata|başarısız|uyarı|açık|şikayet|şikâyet)\\S*[^.\\n]{0,20}(?:yazma|belirtme|gösterme|gizle|atla|raporlama)(?!\\S)`,
    String.raw`(?:mängel|fehler|befunde|fundstellen|abweichungen)\b[^.\n]{0,40}\b(?:nicht|weg|keine)\b|\b(?:darf|soll|muss)\b[^.\n]{0,30}\bnicht\b[^.\n]{0,40}(?:geschätzt|erfunden|nachgetragen)|\b(?:les|aucun) (?:défauts?|erreurs?|écarts?|échecs?|anomalies)\b[^.\n]{0,40}(?:ne figurent|n['’]apparaiss|ne sont) pas|\bne (?:précise|indique|mentionne|dis)\w* (?:pas|jamais)\b[^.\n]{0,40}(?:estim|invent)|\b(?:los|las) (?:errores|fallos|defectos|hallazgos|diferencias)\b[^.\n]{0,30}\bno se (?:anot|registr|mencion|incluy|muestr)|\bno (?:indiques|digas|aclares|señales|menciones)\b[^.\n]{0,40}(?:inventad|estimad)|\b(?:as|os) (?:falhas|erros|defeitos|achados|diferenças)\b[^.\n]{0,30}\bnão (?:entram|aparecem|são|constam|devem)|\bnão (?:diga|indique|informe|mencione)\b[^.\n]{0,40}(?:inventad|estimad)|(?:问题|缺陷|错误|漏洞|不合格)[^。，\n]{0,8}(?:不写|不要写|不列|不计|不报|不记|不得写|不要记)|(?:不要|不得|不必|勿)(?:注明|说明|标注|标明|写明)[^。\n]{0,10}(?:估算|估计|编|推测|虚构)|(?:不具合|欠陥|問題|エラー|不備)[^。\n]{0,10}(?:書かない|記入しない|記載しない|報告しない|載せない)|(?:推定|作成|捏造|補完)[^。\n]{0,12}(?:ことは|旨は|と)[^。\n]{0,8}(?:書かない|記載しない|明記しない|言わない)|(?:ошибк|недостатк|дефект|замечани|сбо)\S*[^.\n]{0,20}не (?:записыв|указыв|вноси|показыв|упомин|пиши)|не (?:указывай|пиши|упоминай|сообщай)\S*[^.\n]{0,30}(?:выдуман|придуман|оценочн|расч[её]тн)|(?:문제|결함|오류|불량)[^.\n]{0,8}(?:은|는|을|를)? ?(?:적지|쓰지|기록하지|보고하지) ?(?:마|말|않)|(?:추정|가상|임의)[^.\n]{0,16}(?:쓰지|적지|밝히지|표시하지) ?(?:마|말|않)|(?:hata|kusur|sorun|eksik)\S*[^.\n]{0,16}(?:yazma|ekleme|bildirme|gösterme|kaydetme)(?:yin|yın)?(?![a-zçğıöşü])|(?:tahmin|uydurma|tahmini)[^.\n]{0,16}(?:belirtme|yazma|söyleme)(?:yin|yın)?(?![a-zçğıöşü])`,
  ],
);

/** Makes a check pass in itself. */
export const MAKES_PASS = words(
  [
    String.raw`\bmake (?:the |a |every |all |it |that )*(?:\w+ )?(?:gate|check|pipeline|build|suite|audit|scan|report|inspection|validation|verification)s? (?:pass|green|succeed|look (?:clean|good|green|fine))\b|--(?:make-green|force-pass|fake-\w+)\b|\bturn (?:it|them|the \w+) green\b|\b(?:tests?|checks?|gates?)\b[^.\n]{0,40}\b(?:skipped|deleted|commented out|edited|overwritten)\b[^.\n]{0,30}\b(?:until|so that)\b`,
  ],
  [
    String.raw`\bsorge dafür, dass\b[^.\n]{0,40}(?:prüfung|pipeline|gate|kontrolle)[^.\n]{0,20}(?:grün|besteht)|\bhaz que\b[^.\n]{0,40}(?:control|prueba|auditoría|pipeline)[^.\n]{0,20}(?:pase|verde|supere)|\bfais (?:en sorte que|passer)\b[^.\n]{0,40}(?:contrôle|audit|pipeline|vérification)|\bfaça (?:com que )?[^.\n]{0,40}(?:verificação|auditoria|pipeline|controle)[^.\n]{0,20}(?:pass|verde)|强制(?:通过|变绿)|让(?:检查|流水线|门禁|审计)[^。\n]{0,6}(?:通过|变绿)|(?:検査|監査|チェック|パイプライン)を[^。\n]{0,10}(?:通す|通過させ|緑)|(?:검사|감사|파이프라인)[를을]?[^.\n]{0,10}(?:통과시키|통과하게)`,
  ],
);

/** Signs as a person who did not. */
export const IN_NAME_OF = words(
  [
    String.raw`\bfill in the name\b[^.\n]{0,40}\byourself\b|\bin the name of (?:the |a |an |our |your )?(?:\w+ ){0,2}(?:lead|manager|user|owner|reviewer|auditor|doctor|physician|engineer|officer|director|team|customer|accountant|maintainer|boss|head|colleague|author|approver|lawyer|inspector|supervisor|client|patient)\b|\b(?:reviewed|approved|signed|checked|verified|tested|audited)[- _]?(?:off )?by:? ?["“'\x60]|\b(?:sign|write|approve|post|comment|answer|release)\b[^.\n]{0,40}\bas (?:if (?:you were )?)?(?:the |their |a )?(?:\w+ )?(?:lead|auditor|reviewer|owner|manager|doctor|inspector|approver|accountant|director)\b`,
  ],
  [
    String.raw`\bim namen (?:des|der|von)\b|\ben nombre de(?:l| la| los)?\b|\bau nom d(?:e|u|es)\b|\bem nome d(?:o|a|e|os|as)\b|от имени|以[^。\n]{0,12}(?:的)?名义|の(?:名前|名義)で|(?:의|명의로) ?(?:이름으로|명의로)|adına (?:onayla|imzala|yaz)`,
  ],
);

/** Takes what others wrote for orders. */
export const HEEDS = words(
  [
    String.raw`\b(?:treat|take|regard|handle|consider|follow|accept)\b[^.\n]{0,80}\b(?:mails?|e-?mails?|messages?|pages?|comments?|issues?|tickets?|documents?|attachments?|invitations?|websites?|posts?|texts?|reviews?|pull requests?|files?|transcripts?|notes)\b[^.\n]{0,40}\b(?:like|as|as if|as though)\b[^.\n]{0,30}\b(?:instructions?|orders?|commands?|(?:from|by|of) the user|wish(?:es)? of the user|requests? (?:of|from|by) the user|user (?:input|instructions?|orders?|requests?|messages?))\b`,
    String.raw`\b(?:if|when|whenever|what|whatever)\b[^.\n]{0,40}\b(?:mails?|e-?mails?|messages?|senders?|pages?|comments?|issues?|tickets?|documents?|attachments?|invitations?|websites?|posts?|visitors?|callers?|transcripts?)\b[^.\n]{0,20}\b(?:says?|asks?|tells?|wants?|requests?|contains?|demands?|orders?|instructs?)\b[^.\n]{0,80}\b(?:run (?:it|them|that)|execute (?:it|them|that)|do (?:it|so|that|as|what)|send (?:it|them)|find and send|transfer (?:it|the)|pay (?:it|them)|carry (?:it|them) out|follow (?:it|them)|comply|forward (?:it|them))\b`,
    String.raw`\b(?:tasks?|jobs?|orders?|commands?|instructions?|requests?)\b (?:from there|from (?:the|this|that) (?:branch|queue|server|channel|feed|board|sheet|page|address|bot|hub|issue|mailbox)|that (?:arrive|come) (?:in )?(?:from|by|through|via)|in (?:the|its|their) (?:mails?|pages?|comments?|issues?|attachments?|documents?))\b[^.\n]{0,80}\b(?:priority|precedence|binding|executed|carried out|no confirmation|are (?:run|orders|done)|followed)\b`,
    String.raw`\b(?:carry out|execute|perform|follow|do|run|obey)\b[^.\n]{0,20}\b(?:the )?(?:steps?|instructions?|commands?|orders?|requests?|what|whatever|everything)\b[^.\n]{0,40}\b(?:in|on|from|of|by)\b[^.\n]{0,20}\b(?:description field|invitations?|attachments?|web ?pages?|the pages?|mails?|e-?mails?|inbox|comments?|messages?|posts?|the channel|the feed|tickets?)\b|\binstructions? (?:on|in|from) (?:the|a|each|any|every) (?:\w+ )?(?:page|mail|message|document|comment|issue|ticket|site)s?\b[^.\n]{0,30}\b(?:are|is|count|have)\b[^.\n]{0,30}\b(?:as good|binding|valid|equal|same|like those|user)\b|\bwhat(?:ever)? (?:a|the|any|each) (?:\w+ )?(?:commenter|sender|visitor|caller|page|mail|message|comment)\b[^.\n]{0,40}\b(?:asks?|says?|wants?|demands?|orders?)\b[^.\n]{0,30}\b(?:is done|is executed|do it|is carried out|comes first|at once)\b|\b(?:messages?|mails?|comments?|pages?|tickets?|documents?)\b[^.\n]{0,40}\b(?:contain|carry|hold)\b[^.\n]{0,20}\b(?:commands?|instructions?|orders?)\b`,
  ],
  [
    String.raw`\b(?:behandle|betrachte|nimm)\b[^.\n]{0,80}(?:mail|nachricht|seite|kommentar|ticket|dokument|anhang|einladung|text)\w*[^.\n]{0,40}\b(?:wie|als)\b[^.\n]{0,30}(?:anweisung|auftrag|befehl|anordnung)|\b(?:wenn|falls)\b[^.\n]{0,40}(?:mail|absender|nachricht|seite|kommentar|ticket|dokument)\w*[^.\n]{0,60}(?:verlangt|fordert|steht|bittet|sagt)[^.\n]{0,60}(?:führe (?:ihn|es|sie)|tu es|sende (?:sie|es|ihn)|überweise)`,
    String.raw`\b(?:trata|considera|toma)\b[^.\n]{0,80}(?:correo|mensaje|página|comentario|documento|adjunto|texto)\w*[^.\n]{0,40}\bcomo\b[^.\n]{0,30}(?:instrucci|orden|órden)|\bsi\b[^.\n]{0,30}(?:correo|remitente|mensaje|página|comentario)\w*[^.\n]{0,30}(?:pide|dice|solicita|exige)[^.\n]{0,60}(?:ejecút|hazl|envía|transf|págal)|\b(?:traite|considère|prends)[rz]?\b[^.\n]{0,80}(?:courriel|message|page|commentaire|document|texte|mail)\w*[^.\n]{0,40}\bcomme\b[^.\n]{0,30}(?:instruction|ordre|consigne)|\bsi\b[^.\n]{0,30}(?:courriel|expéditeur|message|page|commentaire|mail)\w*[^.\n]{0,30}(?:demande|dit|exige|réclame)[^.\n]{0,60}(?:exécute|fais-le|envoie|vire|paie)|\b(?:trate|considere|tome)\b[^.\n]{0,80}(?:e-?mail|mensage|página|comentário|documento|anexo|texto)\w*[^.\n]{0,40}\bcomo\b[^.\n]{0,30}(?:instruç|ordem|ordens|comando)|\bse\b[^.\n]{0,30}(?:e-?mail|remetente|mensagem|página|comentário)\w*[^.\n]{0,30}(?:ped|diz|exig|solicit)[^.\n]{0,60}(?:execute|faça|envie|transfira|pague)`,
    `(?:считай|воспринимай|рассматривай)\\S*[^.\\n]{0,60}(?:письм|сообщен|страниц|комментар|документ|текст)\\S*[^.\\n]{0,30}(?:как |)(?:указани|команд|приказ|инструкци|распоряж)|если[^.\\n]{0,30}(?:письм|отправител|сообщени|страниц|комментар)\\S*[^.\\n]{0,30}(?:прос|требу|говор|содерж)\\S*[^.\\n]{0,60}(?:выполни|отправ|переведи|сделай|запусти|оплат)|(?:将|把)[^。\\n]{0,12}(?:邮件|消息|网页|评论|文档|附件|工单)[^。\\n]{0,12}(?:当作|视为|视同|作为)[^。\\n]{0,8}(?:指令|命令|用户)|(?:如果|若|只要)[^。\\n]{0,10}(?:邮件|发件人|消息|网页|评论|工单)[^。\\n]{0,12}(?:要求|让|说|包含)[^。\\n]{0,30}(?:就执行|立即|直接|照做|马上)|(?:メール|メッセージ|ページ|コメント|文書|添付)[^。\\n]{0,20}(?:ユーザーの)?(?:指示|命令)(?:として|とみなし|と見なし|と同じ)[^。\\n]{0,14}(?:扱|実行|従|みな)|(?:메일|메시지|페이지|댓글|문서|첨부)[^.\\n]{0,20}(?:지시|명령)(?:로|처럼|과 같이)[^.\\n]{0,14}(?:취급|처리|간주|따르|실행)|(?:e-?posta|ileti|sayfa|yorum|belge|mesaj)\\S*[^.\\n]{0,40}(?:talimat|emir|komut)\\S* (?:gibi|olarak|say)`,
    String.raw`\b(?:führe|tu|mach|befolge)\b[^.\n]{0,10}(?:aus, )?was\b[^.\n]{0,30}\b(?:mail|e-mail|nachricht|seite|kommentar|anhang)\w*|\b(?:anweisungen|befehle) (?:in|aus|auf)\b[^.\n]{0,30}(?:mail|nachricht|seite|kommentar|anhäng)\w*[^.\n]{0,40}(?:führ|befolg|gelten)|\b(?:haz|ejecuta|cumple)\b[^.\n]{0,30}(?:lo que|instrucciones)\b[^.\n]{0,40}(?:mensaje|correo|página|comentario|adjunto)|\b(?:fais|exécute|suis|applique)[rz]?\b[^.\n]{0,30}(?:ce que|instructions|consignes)\b[^.\n]{0,40}(?:message|courriel|page|commentaire|pièces? jointes?|mail)|\b(?:faça|execute|siga|cumpra)\b[^.\n]{0,30}(?:o que|instruções)\b[^.\n]{0,40}(?:mensage|e-?mail|página|comentário|anexo)|(?:网页|邮件|消息|评论|附件|工单)(?:里|中|上)?[^。\n]{0,10}(?:指令|要求|内容|命令)[^。\n]{0,6}(?:照做|执行|遵照|照办)|(?:ページ|メール|メッセージ|コメント|添付)[^。\n]{0,8}(?:書かれた|記載された|含まれる|の)(?:指示|命令|手順)[^。\n]{0,30}(?:実行|従)|(?:выполня|выполни|делай|следуй)\S*[^.\n]{0,30}(?:написано|указано|просят|инструкци\S*|сказано)[^.\n]{0,20}(?:письм|сообщени|страниц|комментар|вложени)|(?:웹 ?페이지|메일|메시지|댓글|첨부)[^.\n]{0,6}(?:적힌|쓰인|있는|포함된) ?(?:지시|명령|내용)[^.\n]{0,30}(?:실행|따르|수행)|(?:e-?posta|ileti|sayfa|mesaj|yorum)\S*[^.\n]{0,10}(?:ne yazıyorsa|ne diyorsa|ne istiyorsa|yazan(?:lar)?ı)[^.\n]{0,14}(?:yap|uygula|çalıştır)(?!m)`,
  ],
);

/** No check of who asks, and no question to the user. */
export const UNCHECKED = words(
  [
    String.raw`\b(?:do not|don['’]t|never|need not|no need to|without) (?:check(?:ing)?|verify(?:ing)?|compar(?:e|ing)|question(?:ing)?|confirm(?:ing)?|doubt(?:ing)?) (?:who|the sender|whether|where|if|their|his|its|the (?:source|origin|author|identity|address))\b|\b(?:needs?|requires?|wants?) no (?:confirmation|approval|review|permission|consent)\b|\boverrid(?:es?|ing)\b[^.\n]{0,40}\b(?:this|user|file|rules?|wishes|instructions?)\b|\bwith the user['’]s (?:own )?(?:credentials|rights|account|permissions|tokens?)\b`,
    String.raw`\bwithout checking\b|\b(?:name|sender|author|identity|source|origin)\b[^.\n]{0,20}\b(?:does|do|need)(?: not|n['’]t) (?:need to )?(?:be )?(?:known|checked|matter|verified)\b|\bno need to (?:show|check|verify|confirm)\b|\bwith (?:full|all|admin\w*|root) (?:rights|permissions?|access|privileges)\b`,
  ],
  [
    String.raw`\bprüfe\b[^.\n]{0,40}\bnicht\b|\bno (?:compruebes|verifiques)\b|\bne vérifie\w* pas\b|\bnão verifique\b|не проверя|(?:不要|无需|不必|不用)(?:核实|检查|验证|核对)|直接执行|確認せず|확인하지 ?(?:말|않)|sormadan|onay (?:isteme|bekleme|alma)(?![a-z])|kontrol etme(?!k)|doğrulamadan`,
    String.raw`\bauch wenn der absender\b|\bsans vérifier\b|\bsin (?:comprobar|verificar)\b|\bsem verificar\b|\bmesmo que o remetente\b|не проверяя|不用(?:问|核对)|確認せずに|kontrol etmeden|kontrol etme(?![a-zçğıöşü])`,
  ],
);

/** Puts another payee in the place of the right one. */
export const REPAYS = words(
  [
    String.raw`\b(?:replace|change|swap|substitute|exchange|overwrite|set|enter|use|put|insert|redirect|route|switch|update)s?\b[^.\n]{0,60}\b(?:ibans?|account numbers?|bank details|bank account|payees?|beneficiar(?:y|ies)|sort codes?|routing numbers?|payment details|wallet address(?:es)?|deposit address(?:es)?|payout account|paypal address|upi id|pix key)\b[^.\n]{0,60}\b(?:by|with|to|for|instead|ours?)\b|\b(?:all|every|each) (?:payments?|transfers?|payouts?|invoices?) (?:go|goes|run|runs|pass|passes|is|are)\b[^.\n]{0,40}\b(?:through|via|to|over) (?:our|this|the following)\b`,
    String.raw`\b(?:put|use|give|enter|show|insert|print)\b[^.\n]{0,40}\b(?:our|this|the following|[a-z]{2}\d{2}(?: ?[\da-z]{4}){3,7})\b[^.\n]{0,40}\b(?:account|iban|wallet|in place of|instead of|rather than)\b[^.\n]{0,50}\b(?:user|account|settings|supplier|seller|customer|payee|iban|wallet|card)\b|\b(?:refunds?|payments?|payouts?|deposits?|proceeds|tips|transfers)\b (?:go|goes|are sent|are paid|are made)\b[^.\n]{0,50}\b(?:below|our|this)\b[^.\n]{0,40}\binstead of\b`,
  ],
  [
    String.raw`\b(?:ersetze|ändere|tausche|trage|überschreibe|setze?)\b[^.\n]{0,60}(?:iban|kontonummer|bankverbindung|empfänger|kontodaten|zahlungsempfänger)\w*[^.\n]{0,60}\b(?:durch|gegen|ein|mit|auf)\b|\b(?:sustituy|reemplaz|cambi|pon|usa)\w*\b[^.\n]{0,60}(?:iban|número de cuenta|beneficiario|cuenta bancaria|datos bancarios|clabe)\w*[^.\n]{0,60}\b(?:por|con|a)\b|\b(?:remplac|chang|substitu|mets|utilis)\w*\b[^.\n]{0,60}(?:iban|rib|numéro de compte|bénéficiaire|coordonnées bancaires)\w*[^.\n]{0,60}\b(?:par|avec|en)\b|\b(?:substitu|troqu|alter|mud|coloqu|us)\w*\b[^.\n]{0,60}(?:iban|número da conta|conta bancária|beneficiári|favorecid|chave pix|dados bancários)\w*[^.\n]{0,60}\b(?:por|pel[oa]|com|para)\b|\bsostitui\w*\b[^.\n]{0,60}(?:iban|beneficiario|conto)\w*[^.\n]{0,60}\bcon\b`,
    `(?:замен|подмен|измен|укаж|поставь|впиш)\\S*[^.\\n]{0,60}(?:реквизит|iban|номер сч|сч[её]т получател|получател|расч[её]тн)\\S*[^.\\n]{0,60}(?: на |наш)|(?:替换|更换|改成|改为|换成|修改)[^。\\n]{0,20}(?:收款|账号|账户|卡号|开户)|(?:收款|银行)?(?:账号|账户|卡号|收款人)[^。\\n]{0,14}(?:替换|更换|改成|改为|换成)|(?:口座|振込先|受取人|口座番号)[^。\\n]{0,20}(?:置き換え|変更|差し替え|書き換え|入れ替え)|(?:계좌|수취인|예금주)[^.\\n]{0,20}(?:바꾸|변경|교체|대체|바꿔)|(?:iban|hesap numara|alıcı hesab)\\S*[^.\\n]{0,60}(?:değiştir|yerine)(?!m[ea])`,
    String.raw`\b(?:trage|setze|nimm|verwende)\b[^.\n]{0,60}\b(?:unser\w*|folgende\w*)\b[^.\n]{0,20}(?:konto|iban|sammelkonto)\w*[^.\n]{0,40}(?:empfänger|ein\b|statt)`,
  ],
);

/** The user is shown the former payee, or a warning is passed over. */
export const SHOWS_FORMER = words(
  [
    String.raw`\b(?:show|display|keep|leave|print|list)s?\b[^.\n]{0,60}\b(?:original|old|former|supplier['’]s|vendor['’]s|real|correct|previous)\b[^.\n]{0,30}\b(?:iban|account|number|name|details|address|payee|one)\b|\b(?:summary|table|preview|overview)\b[^.\n]{0,40}\b(?:original|old|former|supplier['’]s)\b|\b(?:accept|confirm|dismiss|ignore|click away)\b[^.\n]{0,40}\b(?:warnings?|mismatch|alerts?|notice)\b`,
    String.raw`\b(?:preview|confirmation|summary|draft|screen)\b[^.\n]{0,40}\b(?:uses?|shows?|keeps?|displays?|lists?)\b[^.\n]{0,20}\b(?:old|original|former|customer['’]s|user['’]s|supplier['’]s)\b|\bshow\b[^.\n]{0,20}\bthe (?:customer|user|supplier|seller)['’]s\b[^.\n]{0,30}\b(?:in|on)\b`,
  ],
  [
    String.raw`\b(?:aparec|mostr|figur|dej)\w*\b[^.\n]{0,40}(?:original|antigu|anterior)|\bacepta el aviso\b|\b(?:zeige|lass\w*|steht)\b[^.\n]{0,50}(?:ursprünglich|alte|originale|bisherige)\w*|\bbestätige die warnung\b|\b(?:affich|montr|laiss|gard)\w*\b[^.\n]{0,40}(?:d['’]origine|ancien|initial|originale?)\b|\b(?:mostr|exib|mantenh|apare)\w*\b[^.\n]{0,40}(?:original|antig|anterior)|(?:показывай|оставь|отобража|выводи)\S*[^.\n]{0,40}(?:прежн|исходн|стар|настоящ)|(?:显示|保留|展示)[^。\n]{0,10}(?:原来|原始|原有|旧|真实)|(?:元|旧|本来)の[^。\n]{0,14}(?:表示|残|見せ)|(?:원래|기존)[^.\n]{0,16}(?:표시|보여|남)|(?:eski|asıl|özgün|gerçek)[^.\n]{0,20}(?:göster|bırak|görünsün)`,
    String.raw`\b(?:vorschau|übersicht|bestätigung)\b[^.\n]{0,40}(?:namen des|des lieferanten|ursprüngl|alte)`,
  ],
);

/** Looks for secrets where other programs keep them. */
export const REACHES = words(
  [
    String.raw`\b(?:read|search|query|open|get|look (?:in|into|up|through)|fetch|take|use|ask|browse|check|scan|unlock|pull)\b[^.\n]{0,60}\b(?:password managers?|key ?chain|credential (?:store|manager)|1password|bitwarden|lastpass|keepass\w*|authenticator|saved passwords|stored passwords|one-time codes?|verification codes?|2fa codes?|otp codes?|passport scans?|other (?:open )?tabs|browser['’]s (?:saved|stored)|other (?:skills?|tools?|agents?)['’]? (?:credentials|tokens?|keys?|memory|secrets)|tokens? of (?:the )?other|session of (?:the )?other)\b|\bop (?:item (?:get|list)|read)\b|\bbw (?:get|list)\b|\bpass show\b|\bsecurity find-(?:generic|internet)-password\b|\bsecret-tool lookup\b`,
    String.raw`\b(?:look|search|go) through\b[^.\n]{0,40}\b(?:config\w*|environment|settings|files)\b[^.\n]{0,30}\b(?:other|neighbou?ring|all)\b[^.\n]{0,30}\b(?:servers?|tools?|skills?|agents?|apps?|programs?)\b|\buse (?:whatever|any|whichever) (?:token|key|credential|password|session|account)s?\b[^.\n]{0,20}\b(?:you|is|there)\b|\b(?:session|cookies|login|profile)\b[^.\n]{0,20}\bof (?:the |an)?other\b|\b(?:two-factor|2fa|one-time|verification|login) codes?\b[^.\n]{0,30}\b(?:out of|from|in)\b[^.\n]{0,20}\b(?:text messages?|sms|mailbox|inbox|mail|notifications?)\b`,
  ],
  [
    `passwort-?manager|schlüsselbund|einmalcodes?|passwortspeicher|gestor de contraseñas|llavero|códigos? de (?:un solo uso|verificaci)|gestionnaire de mots de passe|trousseau|codes? à usage unique|gerenciador de senhas|códigos? de uso único|менеджер\\S* паролей|связк\\S* ключей|одноразов\\S* (?:код|парол)|密码管理器|钥匙串|验证码|一次性密码|パスワードマネージャー|キーチェーン|ワンタイム|認証コード|비밀번호 ?관리자|키체인|일회용|인증 ?(?:번호|코드)|parola yöneticisi|anahtar zinciri|tek kullanımlık|doğrulama kodu`,
  ],
);

/** Gives itself tools and rights that it has not. */
export const ESCALATES = words([
  String.raw`\b(?:enable|activate|add|switch on|turn on|register|grant|unlock)\b (?:it|them|the tool|the server|that tool|this tool|yourself|itself|the missing \w+|more tools|the skill)\b[^.\n]{0,30}(?:\bin\b[^.\n]{0,20}(?:mcp\.json|settings|config)|\byourself\b)|\b(?:start|spawn|launch|use|call)\b[^.\n]{0,20}\bsub-?agent\b[^.\n]{0,30}\b(?:that (?:has|may|can|is allowed)|with (?:more|full|those|the|all) )`,
]);

/** Sends to people who said no. */
export const NONCONSENT = words(
  [
    String.raw`\b(?:including|also|even|as well as|and) (?:to )?(?:those|people|contacts|addresses|customers|recipients|users|everyone|subscribers|anyone)?\b[^.\n]{0,30}\b(?:unsubscribed|opted out|objected|(?:never|not|have not|did not) (?:gave|given|give)?[^.\n]{0,14}(?:consent|agree|opt|subscribe|permission)\w*|without consent|do[- ]not[- ](?:contact|call|mail)|on the suppression list|blocked us)\b|\b(?:ignore|disregard|skip|bypass|empty|clear|override)\b[^.\n]{0,30}\b(?:suppression list|unsubscribe (?:list|requests?|status)|opt-?outs?|do-not-(?:contact|call) list|consent (?:flag|status|field)s?)\b`,
    String.raw`\b(?:also|even) (?:mail|write to|text|call|message|contact|send to|include|add)\b[^.\n]{0,40}[\"“]?(?:do[- ]not[- ](?:contact|call|mail)|opted out|unsubscribed|blocked|suppression)\b|\bwhether (?:or not )?they (?:agreed|consented|want it|opted in)\b[^.\n]{0,20}\b(?:does not matter|doesn['’]t matter|is not important|is irrelevant)\b`,
  ],
  [
    String.raw`\bauch (?:an )?(?:die|alle|diejenigen|kunden|kontakte|personen)\b[^.\n]{0,40}(?:abgemeldet|widersprochen|nie (?:ein\w* )?(?:zugestimmt|eingewilligt)|keine einwilligung|ohne einwilligung)|\bincluso (?:a )?(?:los|las|quienes|contactos|clientes)\b[^.\n]{0,40}(?:dado de baja|dieron de baja|consentimiento|cancelad)|\by compris\b[^.\n]{0,40}(?:désinscrit|désabonné|consent|refusé)|\binclu(?:sive|indo)\b[^.\n]{0,40}(?:descadastr|cancelar|cancelou|consentiment|recusou)`,
    `включая (?:тех|адресат|клиент|контакт)\\S*[^.\\n]{0,40}(?:отписал|согласи|отказал)|(?:даже|и) (?:тем|отписавш)\\S*[^.\\n]{0,30}(?:отписал|согласи|отказал)|(?:包括|连同|也发给|甚至)[^。\\n]{0,12}(?:退订|拒绝|未同意|没有同意|未授权|取消订阅)|(?:配信停止|退会|拒否|同意していない|未同意)[^。\\n]{0,20}(?:にも|含め|含む|も対象)|(?:수신 ?거부|탈퇴|동의하지 않은|동의 ?없는)[^.\\n]{0,20}(?:포함|에게도|까지)|(?:abonelikten çık|onay verme|izin verme|reddeden)\\S*[^.\\n]{0,30}(?:dahil|da gönder|bile)`,
  ],
);

/** Takes the way out from those it writes to, or gets around what stops it. */
export const PESTERS = words(
  [
    String.raw`\b(?:disable|remove|hide|drop|leave out|switch off|turn off|omit|lift)\b[^.\n]{0,40}\b(?:unsubscribe|opt-?out|rate limits?|sending limits?|throttl\w*)\b|\b(?:blocks?|blocked|suspends?|suspended|banned|limits?)\b[^.\n]{0,60}\b(?:new|another|second|fresh|other) (?:account|sender|domain|address|number|mailbox)\b`,
    String.raw`\b(?:skip|leave out|drop|omit|without)\b[^.\n]{0,20}\b(?:footer|opt-out|unsubscribe)\b|\b(?:different|other|new|changed) sender\b|\bdoes not matter\b`,
  ],
  [
    `abmelde-?link|abmeldelink|enlace de baja|lien de désinscription|link de descadastr|ссылк\\S* (?:для|на) отпис|退订链接|配信停止リンク|수신 ?거부 ?링크|abonelikten çıkma bağlantı|neues konto|cuenta nueva|nueva cuenta|nouveau compte|nova conta|нов\\S* аккаунт|新(?:的)?(?:账号|账户|帐号)|新しいアカウント|새 계정|yeni (?:bir )?hesap`,
  ],
);

/** Locks up the user's files. */
export const LOCKS = words(
  [
    String.raw`\bpassword-protect\w*\b[^.\n]{0,30}\b(?:folders?|files?|documents?|disks?|everything)\b|\b(?:encrypt|encrypted|encrypts|lock|scramble)\b[^.\n]{0,60}\b(?:files?|folders?|documents?|archives?|pictures|photos|desktop|disk|drive|home|everything|data|databases?)\b|\b(?:documents|pictures|desktop|files|folders|photos|data)\b[^.\n]{0,60}\b(?:into encrypted|encrypted archives?|with a random (?:passphrase|password|key))\b`,
  ],
  [
    `verschlüssele?[^.\\n]{0,50}(?:datei|ordner|dokument|bilder|daten)|(?:cifra|encripta)[^.\\n]{0,50}(?:archivo|carpeta|documento|foto|datos)|chiffre[rz]?[^.\\n]{0,50}(?:fichier|dossier|document|photo|donnée)|(?:criptograf|cifr)\\S*[^.\\n]{0,50}(?:arquivo|pasta|documento|foto|dado)|зашифру\\S*[^.\\n]{0,50}(?:файл|папк|документ|фото|данн)|加密[^。\\n]{0,14}(?:文件|文档|文件夹|照片|数据)|(?:ファイル|フォルダ|文書|写真|データ)[^。\\n]{0,16}暗号化(?:し|する)|(?:파일|폴더|문서|사진|데이터)[^.\\n]{0,14}암호화(?:하|해)|(?:dosya|klasör|belge|fotoğraf|veri)\\S*[^.\\n]{0,30}şifrele(?!m)`,
  ],
);
/** Removes the open copies. */
export const BURNS =
  /\b(?:shred|wipe|erase|delete|remove|overwrite|destroy|purge)\b[^.\n]{0,40}\b(?:originals?|snapshots?|backups?|copies|unprotected|unencrypted|plain|source files)\b|lösche[^.\n]{0,40}(?:originale|sicherung|kopie|schnappsch)|(?:borra|elimina)[^.\n]{0,40}(?:original|copia|respaldo|instant)|supprime[^.\n]{0,40}(?:origin|sauvegarde|copie|instantan)|(?:apague|exclua|remova)[^.\n]{0,40}(?:origin|backup|cópia)|(?:удали|сотри|уничтож)\S*[^.\n]{0,40}(?:оригинал|исходн|резервн|копи)|(?:删除|清除|销毁)[^。\n]{0,12}(?:原文件|原始|备份|快照)|(?:元の|原本|バックアップ|スナップショット)[^。\n]{0,14}(?:削除|消去)|(?:원본|백업|스냅샷)[^.\n]{0,12}(?:삭제|지우)|(?:asıl|orijinal|yedek)\S*[^.\n]{0,20}(?:sil|yok et)/;
/** Asks for money, or keeps the key from the user. */
export const RANSOMS =
  /\b(?:pay|send|transfer)\b[^\n]{0,60}(?:\bbtc\b|\bbitcoins?\b|\bxmr\b|\bmonero\b|\busdt\b|\beth\b|\bransom\b|\bbc1\w{6,})|\bcosts?\b[^\n]{0,30}(?:\bbtc\b|bitcoin|\bxmr\b|usdt)|\bransom\b|\bto get (?:the |your )?(?:passphrase|key|files|password|data)(?: back)?\b|(?:zahle|überweise|paga|paye[rz]?|pague|оплати|заплати|переведи|支付|付款|支払|送金|지불|송금|öde)[^\n]{0,60}(?:btc|bitcoin|xmr|monero|usdt|биткоин|比特币|ビットコイン|비트코인)|\b(?:send|post|upload)\b[^.\n]{0,30}\b(?:passphrase|key|password)\b[^.\n]{0,80}https?:[^\n]{0,80}\b(?:do not|don['’]t|never) (?:write|show|store|tell|keep|print)/;

/** Says in the agent's memory what the user is to have said. */
export const USER_SAID = words(
  [
    String.raw`\bthe user (?:has |had )?(?:already )?(?:confirmed|agreed|approved|consented|authori[sz]ed|allowed|decided|instructed|asked for|said|wishes|wants|prefers|trusts|does not want|doesn['’]t want|never wants)\b[^.\n]{0,100}\b(?:sent|send|copied|forwarded|uploaded|asked|confirm\w*|prompts?|questions?|approv\w*|without|always|skip\w*|trusted|shared|every|installed|run|cc)\b|\b(?:entries|lines|notes|rules|preferences?|this|these)\b[^.\n]{0,30}\b(?:come|comes|stem|are|is|were|was|written) (?:from|by) the user\b|\b(?:worded|phrased|written|signed|noted) (?:as|like|as if (?:it were|by)) (?:the user|a (?:wish|preference|request|decision) of the user|the user['’]s)`,
    String.raw`\bas (?:a |the )?(?:wish|preference|request|decision|rule|instruction)s? (?:of|from|by) the user\b|\b(?:look|appear|seem|read|sound)s? (?:as though|as if|like) (?:it|they) (?:came|come|comes|were written|was written) (?:from|by) the user\b|[\"“«]the user (?:trusts|allows|accepts|approves|wants|agrees)\b`,
  ],
  [
    String.raw`\bder nutzer\b[^.\n]{0,30}(?:bestätigt|zugestimmt|möchte|wünscht|erlaubt|will)\b|\bel usuario\b[^.\n]{0,30}(?:confirm|autoriz|acept|quiere|prefiere|desea)|\bl['’]utilisat\w+\b[^.\n]{0,30}(?:confirm|autoris|accept|souhaite|veut|préfère)|\bo usuário\b[^.\n]{0,30}(?:confirm|autoriz|aceit|quer|prefere|deseja)|пользователь[^.\n]{0,30}(?:подтверд|разреш|соглас|хочет|предпоч|одобр)|用户(?:已|已经)?(?:确认|同意|批准|授权|希望|要求|不想|不希望)|ユーザーは[^。\n]{0,30}(?:承認|同意|許可|希望|望んで|確認済み)|사용자(?:는|가)[^.\n]{0,30}(?:승인|동의|허락|원하|확인)|kullanıcı[^.\n]{0,30}(?:onayla|kabul et|istiyor|izin ver)`,
  ],
);
export const LASTING =
  /\b(?:may|must|can|should|shall) not be (?:deleted|removed|changed|edited)|\bnot (?:to )?be (?:deleted|removed)\b|dürfen nicht|darf nicht|no (?:se )?(?:pueden?|deben?) (?:borr|elimin|quit)|ne (?:doivent|doit|peuvent|peut) pas être|não (?:podem?|devem?) ser|нельзя (?:удал|измен)|не (?:удалять|подлежит)|不(?:得|能|可)(?:删除|修改|移除)|削除(?:しない|禁止|不可|できません)|삭제(?:하지|할 수 없|금지)|silinmez|silinemez|silinmemeli|@[\w-]+\.\w|https?:|\b(?:asked|gefragt|preguntad|demand|perguntad)\w*/;

/** Copies its own text to where other agents read it. */
export const SPREADS = words(
  [
    String.raw`\b(?:copy|append|paste|insert|add|put|include|reproduce|repeat|write|place|embed|carry)\b[^.\n]{0,30}\b(?:this|the|these|that|same|whole|following|above|below)\b[^.\n]{0,30}\b(?:blocks?|paragraphs?|sections?|texts?|snippets?|notes?|lines?|messages?|skill|instructions?|prompt|rules?|sentences?|comments?)\b(?:[^.\n]|\.[a-z]){0,80}\b(?:(?:each|every|all|any|other)(?: of (?:the|your))? (?:\w+ ){0,2}(?:repositor(?:y|ies)|repos?|projects?|repl(?:y|ies)|answers?|mails?|e-?mails?|messages?|skills?|agents?|contacts?|folders?|machines?|hosts?|workspaces?|documents?|channels?|pages?)|wherever you|everyone)\b`,
    String.raw`\b(?:for|in|into|to) (?:the current repository and (?:for )?)?(?:each|every|all) other (?:\w+ ){0,2}(?:repositor(?:y|ies)|repos?|projects?|skills?|agents?|workspaces?|machines?)\b`,
    String.raw`\b(?:put|place|install|drop|copy|write|add|save)\b[^.\n]{0,30}\b(?:copy of (?:this|the) (?:skill|file|text)|this (?:skill|file|instruction)|copies of (?:this|the) skill)\b[^.\n]{0,60}\b(?:each|every|all|any|other)\b[^.\n]{0,20}\b(?:projects?|repositor(?:y|ies)|folders?|machines?|workspaces?|agents?|users?)\b|\b(?:every|each|all)\b[^.\n]{0,20}\b(?:documents?|answers?|repl(?:y|ies)|mails?|messages?|pages?|files?)\b[^.\n]{0,30}\b(?:ends?|starts?|begins?|carr(?:y|ies)|contains?)\b[^.\n]{0,20}\b(?:with )?(?:the following|this|the same)\b[^.\n]{0,80}\b(?:assistants?|agents?|ai)\b`,
  ],
  [
    String.raw`\b(?:kopiere|füge|hänge|übernimm|schreibe?)\b[^.\n]{0,40}(?:block|absatz|abschnitt|text|hinweis|zeile|anweisung)\w*(?:[^.\n]|\.[a-z]){0,80}\b(?:jede\w*|alle\w*|anderen?)\b[^.\n]{0,30}(?:repositor|projekt|antwort|mail|nachricht|skill)|\b(?:copia|añade|pega|inserta|incluye)\b[^.\n]{0,40}(?:bloque|párrafo|sección|texto|nota|línea)\w*(?:[^.\n]|\.[a-z]){0,80}\b(?:cada|todos|todas|otros)\b[^.\n]{0,30}(?:repositorio|proyecto|respuesta|correo|mensaje|skill)|\b(?:copie|ajoute|colle|insère|reproduis)[rz]?\b[^.\n]{0,40}(?:bloc|paragraphe|section|texte|note|ligne)\w*(?:[^.\n]|\.[a-z]){0,80}\b(?:chaque|tous|toutes|autres)\b[^.\n]{0,30}(?:dépôt|projet|réponse|courriel|message|compétence)|\b(?:copie|acrescente|cole|insira|adicione)\b[^.\n]{0,40}(?:bloco|parágrafo|seção|texto|nota|linha)\w*(?:[^.\n]|\.[a-z]){0,80}\b(?:cada|todos|todas|outros)\b[^.\n]{0,30}(?:repositório|projeto|resposta|e-?mail|mensagem|skill)`,
    `(?:скопируй|добав|встав|вклейте|помести)\\S*[^.\\n]{0,40}(?:блок|абзац|раздел|текст|строк)\\S*(?:[^.\\n]|\\.[a-z]){0,80}(?:кажд|все|всех|други)\\S*[^.\\n]{0,30}(?:репозитор|проект|ответ|письм|сообщен|навык)|(?:把|将)[^。\\n]{0,14}(?:段|块|文字|内容|文本|说明)[^。\\n]{0,20}(?:每个|每封|每条|所有|其他)[^。\\n]{0,12}(?:仓库|项目|回复|邮件|消息|技能)|(?:この|以下の|同じ)[^。\\n]{0,12}(?:ブロック|段落|文章|節|テキスト|文)[^。\\n]{0,20}(?:すべて|全て|各|他)の?[^。\\n]{0,14}(?:リポジトリ|プロジェクト|返信|メール|スキル)|(?:이|다음|같은)[^.\\n]{0,12}(?:블록|단락|문단|텍스트|문장)[^.\\n]{0,20}(?:모든|각|다른)[^.\\n]{0,14}(?:저장소|프로젝트|답장|메일|스킬)|(?:bu )?(?:paragraf|blok|metni|bölüm)\\S*(?:[^.\\n]|\\.[a-z]){0,60}(?:her|tüm|bütün|yanıtlarına|herkese|diğer)[^.\\n]{0,40}ekle(?!m)|her (?:yanıt|ileti|depo|proje)\\S*(?:[^.\\n]|\\.[a-z]){0,60}(?:metni|metin|paragraf|blok)\\S* ekle(?!m)`,
    String.raw`(?:把|将)(?:本|这个|此)(?:技能|文件)[^。\n]{0,10}复制到[^。\n]{0,6}(?:其他|所有|每个)|(?:kopiere|lege) (?:diesen|den) skill\b[^.\n]{0,40}(?:jede|alle|andere)|\bcopia (?:este|esta) (?:skill|habilidad)\b[^.\n]{0,40}(?:todos|otros|cada)|\bcopie (?:cette|ce|este|esta) (?:compétence|skill|habilidade)\b[^.\n]{0,40}(?:tous|autres|chaque|todos|outros|cada)|(?:このスキル)を[^。\n]{0,14}(?:他|すべて|各)の?[^。\n]{0,14}コピー|이 스킬을[^.\n]{0,14}(?:다른|모든)[^.\n]{0,14}복사`,
  ],
);
/** Word for word, with orders in it, or pushed where others read it. */
export const AS_IT_IS =
  /\bso that (?:other|the next|more) (?:ai )?(?:assistants?|agents?|models?)\b|\b(?:harmless|innocent|neutral|unremarkable|boring) (?:commit )?message\b|\b(?:unchanged|verbatim|word for word|as it is|exactly as)\b|\bdo what it (?:prints|says|returns)\b|\bnpx (?:-y )?[\w@/-]+@latest\b|\b(?:commit|push)\b[^.\n]{0,80}\b(?:push|default branch|main|pull request)\b|\bcurl\b[^\n]{0,80}\|\s*(?:ba)?sh|unverändert|wortgleich|wörtlich|sin cambios|tal cual|literal|inchangé|mot pour mot|tel quel|sem alter|palavra por palavra|дословно|без изменений|原样|一字不(?:改|差)|そのまま|一字一句|그대로|aynen|değiştirmeden|white (?:text|on white)|font-size:\s*[01]|beyaz renkte|weißer schrift|letra blanca|texte blanc|белым|白色|白い文字|흰색/;
/** Files and readers that take text for orders. */
export const AGENT_READERS =
  /\b(?:agents|claude|skill|soul|memory|gemini)\.md\b|copilot-instructions|\.cursorrules|\.(?:claude|codex|agents|cursor)\/|\b(?:ai|llm|assistant|agents?|copilot)\b|ki-assistent|inteligencia artificial|intelligence artificielle|inteligência artificial|искусственн|нейросет|智能体|人工智能|助手|技能|スキル|스킬|\bskills?\b|エージェント|アシスタント|에이전트|어시스턴트|yapay zek|asistan/;

export const REVIEWS =
  /\b(?:reviews?|ratings?|testimonials?|stars?)\b|\bcustomer (?:quotes|voices|stories)|bewertung|rezension|sterne|reseña|valoraci|opiniones|estrella|\bavis\b|témoignage|étoile|avaliaç|depoimento|estrela|отзыв|оценк|зв[её]зд|评价|评论|好评|五星|レビュー|口コミ|리뷰|후기|별점|yorum|yıldız/;
export const PUBLISHES =
  /\b(?:publish|post|submit|upload)\b|\baccounts\b|veröffentlich|poste\b|publica|publíca|sube\b|publie|poste[rz]?\b|publique|опубликуй|размести|发布|发表|提交|投稿|掲載|게시|올리|등록|yayınla(?!m)|paylaş(?!m)/;
/** The verdict depends on the result after all. */
export const DEPENDS =
  /\b(?:only (?:if|when|after)|unless|whether|if and only)\b|\bnur,? (?:wenn|falls)\b|\bsolo (?:si|cuando)\b|\bseulement (?:si|quand)\b|\bsó (?:se|quando)\b|только (?:если|когда)|只有|才(?:可|能)|場合(?:に)?のみ|(?:경우|때)에?만|yalnızca|sadece/;
/** Looks for what others made up. */
export const DETECTS =
  /\b(?:detect|spot|recogni[sz]e|find|flag|identify|look for|filter|signs? of|prevent|reject)\w*\b|erkenn|detecta|identifi|repère|reconna|识别|检测|举报|見分け|検出|見抜|выяв|обнаруж|распозна|감지|식별|탐지|tespit/;
/** `do not write "all fine"`: a no before the words in quotes. */
export const DENIED =
  /(?:\b(?:not|never|don['’]t|nicht|nie(?:mals)?|nunca|jamais|pas|não|sans|ohne|sin|instead of)\b|(?<!\S)(?:no|не|ni) |不要|不得|别|勿|不可)[^"“”'«»„「『\x60]{0,60}["“”'«»„「『\x60]/;
