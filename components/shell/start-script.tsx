export const sidebarStorageKey = "skillgate.sidebar";
export const bannerStorageKey = "skillgate.banner";

// Runs before the first paint, so that nothing jumps when the page comes alive.
const source = `try{
var r=document.documentElement;
if(localStorage.getItem(${JSON.stringify(sidebarStorageKey)})==="collapsed")r.setAttribute("data-sidebar","collapsed");
if(sessionStorage.getItem(${JSON.stringify(bannerStorageKey)}))r.setAttribute("data-banner","");
}catch(e){}`;

/** Puts what the browser remembers of the shell's shape on the html element. */
export function StartScript({ nonce }: { nonce: string | undefined }) {
  // Browsers hide a script's nonce from the page, which React would report as a difference.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: source }} />;
}
