/**
 * Phrases of advertisements and of clients, with their weights. Text is compared in lower case and with
 * single spaces. `spam.ts` compares the sum with its threshold, 4.
 */
type Phrases = readonly [weight: number, ...phrases: RegExp[]];

/** What nobody asks a consultant for. */
const sure: Phrases = [
  6,
  // Frauds and threats.
  /\b(won the (sum|lottery)|winning number|spell caster|gold dust|seed phrase|dear beloved)\b/u,
  /\bgift card worth\b|\bgovernment grant of\b|\bassist me (to|in) transfer/u,
  /\bdouble (your )?(bitcoin|btc|eth|crypto)\b|\bsend \d[\d.]* ?(btc|eth)\b|\b(nft|crypto) airdrop\b|\bclaim \d+ (usdt|btc|eth)\b/u,
  /\bhacked your (web ?)?site\b|\bdatabase will be sold\b|\bhackers? for hire\b|\bapplication from\b.{0,120}\bdomain names?\b/u,
  /\bimages? .{0,60}without my permission\b|\busing my copyrighted\b/u,
  // Links, followers and addresses for sale.
  /\b(put|get|rank|bring|take|place|move) your (web ?)?site\b.{0,40}\b(page|top|#1|number one|higher)\b.{0,20}\b(google|search)/u,
  /\bbacklinks? (for|to) your\b|\b(supply|offer|sell|provide|get) .{0,30}\bbacklinks\b|\blink insertions? (in|on|for)\b/u,
  /\b(would|do) you (accept|sell|publish|allow)\b.{0,20}\b(guest|sponsored) (guest )?(posts?|articles?|content)\b/u,
  /\b(contribute|publish|write)\b.{0,40}\b(guest|sponsored) posts?\b|\b(charge|price) for an? (guest|sponsored) post\b/u,
  /\b(buy|get|want) \d[\d,.]*k? (real |active |instagram |tiktok )*(followers|likes|views|subscribers|visitors)\b/u,
  /\b(attendees? list|list of attendees) of\b|\bemail list of c-level\b|вечные ссылки|прогон по|контактным формам|外链建设/u,
  // Medicine, papers, sex and gambling.
  /\b(buy|cheap) (\w+ ){0,3}(viagra|cialis|levitra|kamagra|tramadol|steroids|xanax)( online|\b)|\bno prescription needed\b/u,
  /\bbuy real (registered )?(passport|driver|documents)|\bessay writing service\b|\b(live )?sex cams\b|\bpenis|\bmanhood\b/u,
  /\b(hot girls want|my hot photos|see my photos|lonely girl|love and marriage)\b|знакомства для взрослых/u,
  /\b(deneme bonusu|slot gacor|darmowych spinów|bono sin depósito|bonus new member|welcome bonus at our)\b|казино .{0,40}(бонус|играй)/u,
  /\{\{?(first|last|company|your)?_?(name|company|website)\}?\}/u,
];

/** The pitch: what sellers write to strangers. */
const pitches: Phrases = [
  2,
  // It finds fault with the site, or threatens.
  /\byour (web ?)?site (is|was|has|does|isn't|doesn't|could|looks|loads)\b.{0,60}\b(rank|ranking|first page|1st page|errors|outdated|mobile[- ]friendly|\d seconds|boost|potential|not ada|removal|chatbot)/u,
  /\b(errors|issues|broken links)\b.{0,40}\b(hurting|affecting|on) your\b|\bit is not ranking\b|\baudit of your (web ?)?site and found\b/u,
  /\b(ihre|eure) (web)?seite\b.{0,80}\bgoogle\b.{0,40}\b(nicht|platz)\b|\b(ihre|eure) (web)?seite\b.{0,80}\bnicht\b.{0,40}\b(gefunden|platz)/u,
  /\bvotre site .{0,60}\bgoogle\b|\bsu (página|sitio)( web)? .{0,40}\b(google|posicionad)|\bvostro sito .{0,60}\bgoogle\b|\bseu site .{0,60}\bgoogle\b/u,
  /\buw website .{0,60}\bgoogle\b|\bweb sitenizi\b|貴社サイト|您的网站|आपकी वेबसाइट|вашего сайта|لموقعك/u,
  /\b(first|1st|top) (page|position|spot)( result)? (of|on|in|at) google\b|\btop of google\b|\brank (higher|#1|number one)\b/u,
  /\b(première page|primera página|primeira página|prima pagina|platz 1|top ?10|hoger in google|ilk sayfa)\b|топ-?10|в топ\b|首页|पहले पेज|الصفحة الأولى|上位表示/u,
  /\byour (invoice|account|wallet|mailbox|storage|listing|domain|trademark|google business)\b.{0,80}\b(overdue|suspended|full|deactivat\w+|expires?|terminat\w+|at risk|removed)\b/u,
  /\bverify your (account|wallet|listing|seed)|\bfor removal from\b|\blegal action\b|\bada compliant\b.{0,80}\bsued\b|\bto avoid (deactivation|losing|termination)/u,
  /\bvulnerability in your\b|\bbounty reward\b|\bgoogle penali[sz]es\b|\byour competitors are\b/u,
  // It offers the usual goods.
  /\b(we|i) (can |also |will |currently )?(offer|provide|do|create|design|speciali[sz]e in|sell)\b.{0,60}\b(seo|search engine|web ?sites?|web design|apps?|logos?|videos?|social media|wikipedia|digital marketing|press releases?|keyword research|blog articles)\b/u,
  /\b(wir bieten|nous créons|creamos|oferecemos|offriamo|oferujemy|wij bieden|ofrecemos|nous pouvons)\b.{0,80}\b(seo|suchmaschinen\w+|site|sitio|página|páginas|sites?|siti|pozycjonowanie|webdesign|posicionamiento|référencement|google)\b/u,
  /\b(dedicated|experienced|offshore|pre-vetted|trained) .{0,30}\b(developers|virtual assistants|vas)\b|\b(india|china|philippines|shenzhen|guangzhou)( based)?\b.{0,40}\b(company|manufacturer|factory|years|experience)|\b(company|factory|manufacturers?|forwarder) (based )?in (india|china|shenzhen)/u,
  /\bseo (packages?|services? (from|at|package)|optimized|company|metrics|agency that)\b|\bwhite ?hat\b|\bdo-?follow\b|\bda ?\d\d\+?\b|\borganic(ally)? (traffic|and safely)/u,
  /\bguest posts?\b|\bsponsored posts?\b|\blink exchange\b|\bpaid placements?\b|\bhigh authority\b/u,
  /\b(verified|opt-in|targeted) (e-?mails?|e-?mail lists?|leads)\b|\blist of (decision makers|\d[\d,.]+)|\breaching out to users of\b|\bc-level\b|\bcontact forms\b.{0,80}\b(send|million|database)|\bthrough contact forms\b/u,
  /\b(bulk (sms|e-?mails?)|smm panel|5 star reviews|positive google reviews|website traffic|followers, likes|likes, views)\b|\breal and active\b/u,
  /\b(no|without) credit check\b|\bbad credit\b.{0,40}\b(ok|apply|welcome)|\beven with bad credit\b|\bno collateral\b|\bpre-approved\b|\bapproved for up to\b|\bapproval (within|in)\b|\binstant approval\b/u,
  /\bohne schufa\b|\bsem consulta\b|\bentre particuliers\b|без справок|\btaux d'intérêt\b|\bzinssatz\b|\bcash advances?\b|\bworking capital\b/u,
  /\b(viagra|cialis|levitra|kamagra|tramadol|xanax|ozempic|semaglutide|steroids)\b|\bcanadian pharmacy\b|\blose \d+ (pounds|kg|lbs)\b|\b(cbd|keto) gummies\b|\b(miracle|natural) (cure|supplement)\b|\bdoctors (hate|don(’|')t want)\b/u,
  /\b(online casinos?|casino bonus|kasyno online|free spins|slots?|bahis|casas de apuestas|live casino)\b|казино|ставки|赌场|博彩/u,
  /\b(porn|xxx|escorts?|dating site)\b|\bserious relationship\b|\bhandsome\b/u,
  /\b(btc|usdt|forex signals|trading bot|crypto giveaway|send eth)\b|криптовалют|\bcriptovalut\w+|\bcriptomoned\w+/u,
  /\b(replica|rolex|nulled|keygen|crack|activator|iptv)\b|\bcheap (nike|ray ban|nfl|jerseys)\b|发票|代开/u,
  // It promises money.
  /\b(earn|makes?|making|made me|guadagna|add) (up to |around )?[$€£] ?\d[\d.,]*k?( ?- ?[$€£]?[\d.,]+k?)? ?(per|a|each|every|last|\/) ?(day|week|month)\b|\bguadagna \d+/u,
  /\b(work from home|guaranteed (roi|returns?|profit)|dinero desde casa|al mese da casa|no experience needed|\d+% guaranteed)\b|заработок|副業|月収|\bfrom aed\b|\binvest \$?\d/u,
  /\b(sum of|transfer|donate|fund|inheritance|unclaimed)\b.{0,80}(\bmillion\b|[$€£] ?\d+[.,]\d{3}[.,]\d{3})/u,
  /\bnext of kin\b|\bunclaimed\b|\bconfidential business\b|\bbarrister\b|\bdeceased\b/u,
  // It lets the reader opt out, or moves elsewhere.
  /\breply (with )?["“']?(stop|unsubscribe|no thanks)|\bto opt[- ]out\b|\bif you(’|')?d like to unsubscribe\b|\bunsubscribe: /u,
  /\bignore this (e-?mail|message)\b|\bdon(’|')t want to hear from us\b|\bif you are not (interested|the person)\b|\bnot the right person\b/u,
  /\b(telegram|skype)\b.{0,12}(@|live:|channel)|\btelegram https|\bwhats ?app:? \+\d|@\w+bot\b|телеграм|加微信|微信同号|联系(电话|qq)|lineに登録|واتساب|\bwhatsapp hatt/u,
  /\b(nice|great|good|awesome) (site|blog|post|article)\W+(my|check|visit)\b|\bmy (blog|homepage): ?http/u,
];

/** What sellers say, and clients now and then. */
const hints: Phrases = [
  1,
  /\b(seo|backlinks?|search engine|rankings?)\b|продвижени|谷歌|搜索|محركات البحث|suchmaschinen|référencement|pozycjonowanie|posicionamiento/u,
  /\b(loans?|kredite?\w*|darlehen|empréstimo|prêt|préstamos?|merchant|insurance|mortgage rates)\b|кредит/u,
  /\b(web ?site|web|logo|app) (re)?(design|development)\b|\bdigital marketing\b|\blead generation\b|\bmarketing agency\b|\bwikipedia\b|\bpress release\b|разработка сайт|建站/u,
  /\b(outsourc\w+|offshore|freight|factory|wholesale|manufacturers?|catalog|moq|commercial cleaning|janitorial|flyers|distributors)\b|生产厂家|本公司/u,
  /\b(bitcoin|crypto|forex|casinos?|investors?|diamonds|giveaway|airdrop|trademark|timeshare|vpn)\b/u,
  /\b(can|may|shall|should) (i|we) (please )?(send|share|e-?mail|show)\b|\blike (me|us) to send\b|\b(i|we) (can|will|could|would love to) (send|share|provide) (you )?(our|a|some|counts)\b|\bi can send you\b/u,
  /\b(zal ik|souhaitez-vous recevoir|le gustaría recibir|posso enviar|podemos enviar|possiamo inviar|solicite su|pida su|gerne erstelle ich)\b|отправьте заявку|оформить заявку|напишите нам|मोबाइल नंबर/u,
  /\b(share|send|let me know) your (mobile|phone|requirements?|target|full name)\b|\b(know|discuss) your (target|requirements?|outsourcing)\b/u,
  /\b(would|might) you be (interested|open to)\b|\binterested\?|\bif (you are|you're|this sounds|there is any|any) interest|\bworth a (quick |15 min )?(chat|call)\b|\bopen to a\b|\bany interest\b/u,
  /\b(do you (want|need)|want|need|looking for|hiring)\b[^.?!]{0,60}\?|\bare you (looking for|happy with|interested in)\b|\bwould you like\b|\b(brauchen sie|precisa de)\b|нужны деньги/u,
  /\bcan we (schedule|book|set up|have)\b|\bquick (question|one|call)\b|\b\d+[- ]min(ute)? (chat|call|video)\b|\breply (for|to this|yes|urgently)\b/u,
  /\bwe(’|'| a)re (an? |one of the )?([\w-]+ ){0,3}(leading|professional|certified|speciali[sz]ed|experienced|based)\b|\bwriting on behalf\b|\bour client's\b|\bclients in your\b/u,
  /\b(agence|agencia|agência|agenzia|agentur|bureau) (de |d[ei] )?(spécialisée|especializada|specializzata|référencement|diseño|seo|web)\b|\b(soy|sou|sono) especialista|完全成果報酬|ご提案/u,
  /\bwe (can |also |will |currently )?(offer|provide|help|speciali[sz]e|connect|build|fix|book|generate|legally|improve)\b|\b(offer|introduce to|feature) you\b|\bhire our\b|\bi will do\b/u,
  /\b(wir (bieten|vergeben)|ofrecemos|oferecemos|offriamo|oferujemy|nous (créons|proposons|pouvons)|wij (bieden|helpen)|kontaktieren sie uns|contactez-nous)\b|نقدم خدمات|предлагаем|предоставляем|ला सकते/u,
  /\bour (services|packages|experts|editors|widget|chatbot|signals|portfolio|price list|proven|database|rates start|team of|videos|developers|ai)\b/u,
  /\bfor your (website|site|blog|business)\b|\byour (website|site|business|customers|company|industry|niche|brand|sales|rankings?|reputation)\b/u,
  /\bcompanies like yours\b|\byour area\b|\b(grow|boost|increase|improve|skyrocket|protect|scale) (your|the|to)\b|\bmore (customers|leads|sales|traffic|calls)\b|\bqualified\b/u,
  /\bwhile (you|i) (sleep|slept)\b|\bon autopilot\b|\b24\/7\b|\bviral\b|\bfill your calendar\b|\bwithout paying\b|\bstop paying\b|\bpowered by\b|\bai (agents?|chatbot|sdr|tools?)\b/u,
  /\bfree (quote|audit|analysis|trial|samples?|report|proposal|seo|savings|terminal|domain|design|shipping|video|leads|no[- ]obligation|assessment|stationery|demo|consultation|live|download|notability|gift)\b|\bfor free\b|\btry us free\b|\b(kostenlos\w*|gratis|gratuit\w*|bezpłatny|ücretsiz|offert)\b|бесплатн|免费|無料|مجاني/u,
  /\b(no[- ]obligation|no upfront|at no cost|risk[- ]free|money[- ]back|or refund|sin compromiso|sem compromisso|senza impegno|sans engagement|you don(’|')t pay|pay (only )?(per|for results))\b/u,
  /\b(only|just|low as|starting (at|from)|start from|from|for|cost|at) [$€£] ?\d|\$\d+(\.\d+)?\/(hour|hr|month|mo|kg)\b|\b1 minute = \$|\bfee \$/u,
  /\b(desde|ab|à partir de|vanaf|от) ?[$€£]? ?\d[\d., ]*(€|euros?|usd|руб|zł|\$)|\bbis \d[\d.]* euro/u,
  /\b(affordable|competitive|best|low|lowest|cheap\w*|wholesale|precios bajos|uygun) (prices?|pricing|rates?|fiyat)\b|\bprice list\b|\bprecios bajos\b|\bgünstigen preisen\b|价格优惠|недорого|أسعار منافسة|\bpas cher/u,
  /\b\d\d% (off|discount|less|lower)|\bup to \d\d%|\bsave \d\d|\bcoupon\b|\bdiscount\b|скидк|-\d\d ?%/u,
  /\b(act|order|apply|register|buy|enroll|claim|play|book|sign up|start|join|call) (now|today|immediately|urgently)\b|\bclick (here|below)\b|\bpress 1\b|\bfinal notice\b|\b(jetzt (antrag|sichern)|daftar sekarang|hemen üye|zarejestruj się|registrati|regístrate)\b|今すぐ|регистрация/u,
  /\bhurry\b|\blimited (time|offer|stock|spots)\b|\boffer ends\b|\btoday only\b|\bonly \d+ spots|\bbefore (it|they)('s| is|’s)? (too late|taken|expire)|\bwithin (24|48) hours\b|\bin \d+ (days|hours)\b/u,
  /\b(100|99|95) ?%|\bguarant\w+|\bgarant\w+|гаранти|\bprofessional\b|\bbest (quality|in the world)\b|\btrusted by\b|\breal accounts\b|\bfast delivery\b|\bfree returns\b|\bworldwide\b/u,
  /\b(dear|hello|attention|hi) (business|website|site) owners?\b|\bdear (webmaster|friend|purchasing|ceo|customer|sir)\b|\bhello dear\b|\bgreetings!?\b|\bsir\/madam\b|\bkindly\b|сэр|सर,/u,
  /\b(visited|browsing|going through|ran across|came across|checked|noticed|looking at|auf|gestoßen)\b.{0,20}\b(your|ihre) (web ?)?(site|seite)\b|\bi noticed (that )?your\b|\bhave just checked your\b|\bsaw your (site|profile)\b/u,
  /\b(visit|register|order|see|check|click|download|claim|book|apply|join|try|play|now|here|watch|submit|login|gig|info|details|link|blog|pay|now at|registrati|daftar|подробности)\b[^.!?]{0,40}(https?:\/\/|www\.)/u,
];

/** What clients write, about their own business and what they want of the consultant. */
const needs: Phrases = [
  1,
  /\b(i|we)('m| am|'re| are)? (need (help|some(one|body)|to|a |an |one|our|your|everything)|looking for (some(one|body)|help|a consultant)|struggl\w+|drowning)|\bneed (some(one|body)|help|one)\b|\bwe would like one\b/u,
  /\b(can|could|would|do|are|have|is) (you|u|it) (\w+ )?(help|fix|work with|set up|take|have|available|automate|familiar|do|build|look at|send me|tell me|recommend|cover|cope|move)\b/u,
  /\bhelp (me|us)\b|\byour help\b|\bhow (much|soon|long) (is|are|would|does|do|could|can)\b|\bwhat (does|would|do|should|is) .{0,30}(cost|recommend|timeline|process)\b|\bhow much\?/u,
  /\byour (rates|audit|quiz|faq|process|webinar|reel|talk|strategy call|health checker|proposal)\b|\b(book|have|schedule) a call with you\b|\bfree strategy call\b/u,
  /\bmy (\w+ )?(emails?|newsletter|list|clients?|course|assistant|business|process|website|inbox|sister|accountant|students|gmail)\b/u,
  /\bour (\w+ )?(emails?|newsletter|clients?|customers|onboarding|crm|orders|students|members|practice|inbox|process|account|team is|leads|site|website|course|requirements)\b/u,
  /\b(i|we) (run|own|use|teach|host|lose|import|tried|run|have \d|have a|get|currently use|work with|publish|build .{0,20} for a living)\b|\bwe'd like to move\b|\bi'd love (your|to)\b/u,
  /\b(is|are) (a mess|a nightmare|nightmare|chaotic|chaos|all over the place)\b|\bby hand\b|\bno crm\b|\bnobody (uses|watches)\b|\bbudget\b|\b(never reach|keeps? bouncing|go to (spam|junk|promotions))\b/u,
  /\b(können sie|könnt ihr|suche (jemand|eine)|wir suchen|ich suche|hätte gern|unseren? \w+)\b|\b(pouvez-vous|proposez-vous|travaillez-vous|je cherche|nous cherchons|êtes-vous)\b/u,
  /\b(me puedes|necesito|necesitamos|busco|hacéis|nuestr[oa]s)\b|\b(potete|avete|cerco|vorrei|vorremmo)\b|\b(preciso|vocês|gostava|queria)\b/u,
  /\b(kunnen we|op zoek|wij willen)\b|\b(szukam|potrzebujemy|szukamy)\b|\b(yardımcı olabilir|nasıl)\b|ищу|ищем|хочу|вы работаете|шукаємо|请问|想找|でしょうか|いただけますか|도움을 받을|क्या आप|هل يمكن|هل/u,
];

/** No more than this speaks for a message: an advertisement may hold a client's words, too. */
const mostNeeds = 3;

/** How much of a text is compared: a long one holds some phrase of every kind. */
const comparedLength = 1500;

/** How much a text sounds like an advertisement, as a weight for `spam.ts`. */
export function pitchWeight(text: string): number {
  const plain = text
    .slice(0, 2 * comparedLength)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .slice(0, comparedLength);
  const sum = (phrases: Phrases) => weightOf(phrases, plain);
  const against = sum(sure) + sum(pitches) + sum(hints);
  return Math.max(0, against - Math.min(mostNeeds, sum(needs)));
}

const weightOf = ([weight, ...phrases]: Phrases, text: string) =>
  weight * phrases.filter((phrase) => phrase.test(text)).length;

/** Whether a sender is called by what is advertised, such as "SEO Expert". */
export const isCalledLikeSpam = (name: string) =>
  /\b(seo|casino|viagra|crypto|loans?|marketing|web ?design|backlinks?|followers)\b/i.test(name);
