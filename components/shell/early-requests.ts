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
