export const sidebarStorageKey = "skillgate.sidebar";
export const bannerStorageKey = "skillgate.banner";

/** Sets the stored state of sidebar and banner on the html element, and starts the first requests of the page. */
export function StartScript({ nonce }: { nonce: string | undefined }) {
  // Browsers hide a script's nonce from the page, which React would report as a hydration error.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant in this file
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: source() }} />;
}

// Runs before the first paint, so that hydration moves nothing. Then zod's configuration, which zod reads when a form loads
// it: without it zod tries to compile code, which the content security policy reports as a violation. A function, because
// other modules of pages import the names above and need no script.
function source(): string {
  return `try{
var r=document.documentElement;
if(localStorage.getItem(${JSON.stringify(sidebarStorageKey)})==="collapsed")r.setAttribute("data-sidebar","collapsed");
if(sessionStorage.getItem(${JSON.stringify(bannerStorageKey)}))r.setAttribute("data-banner","");
}catch(e){}
globalThis.__zod_globalConfig={jitless:true};
${earlyRequestsScript()}`;
}

/**
 * What a page asks the API first, by its address: `$1` is the first variable part. The page's own scripts ask for the same
 * once they run, and take the answers that are on their way (`takeEarlyAnswer`).
 */
const EARLY_REQUESTS: readonly [page: RegExp, addresses: readonly string[]][] = [
  [/^\/skills$/, ["/api/skills?builtin=false&limit=50", "/api/skills?builtin=true&limit=50"]],
  [/^\/skills\/(?!new\b)([^/?]+)(\/run)?(\?|$)/, ["/api/skills/$1"]],
  [/^\/catalog$/, ["/api/catalog?limit=60", "/api/catalog/packs?limit=100"]],
  [/^\/runs$/, ["/api/runs?limit=50"]],
  [/^\/runs\/(?!groups\b)([^/?]+)(\?|$)/, ["/api/runs/$1"]],
  [/^\/reviews$/, ["/api/reviews?limit=50"]],
  [/^\/reviews\/([^/?]+)\/([^/?]+)(\?|$)/, ["/api/skills/$1", "/api/skills/$1/versions/$2"]],
  [/^\/audit$/, ["/api/audit?limit=50", "/api/audit/histogram?buckets=120", "/api/audit/facets", "/api/audit/views"]],
  [/^\/(agents|approvals|audit|catalog|collections|playground|reviews|runs|schedules|settings|skills)\b/, ["/api/me"]],
];

/** A script that starts these requests before the scripts of the page are loaded, unless the page itself was refused. */
export function earlyRequestsScript(): string {
  const pages = EARLY_REQUESTS.map(([page, addresses]) => `[${page},${JSON.stringify(addresses)}]`);
  return `globalThis.__earlyAnswers={};
var shown=performance.getEntriesByType("navigation")[0];
if(!(shown&&shown.responseStatus>=400))[${pages.join()}].forEach(function(e){
var found=e[0].exec(location.pathname+location.search);
if(found)e[1].forEach(function(address){
var path=address.replace(/\\$(\\d)/g,function(_,n){return found[n]});
__earlyAnswers[path]=fetch(path,{headers:{accept:"application/json"}}).catch(function(){return null})
})});`;
}
