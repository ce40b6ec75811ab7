export const tabListStyles = "flex gap-4 overflow-x-auto border-b [scrollbar-width:none]";
export const tabStyles =
  "-mb-px relative inline-flex h-9 shrink-0 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 text-13 text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-[active=true]:border-primary data-[state=active]:border-primary data-[active=true]:font-medium data-[state=active]:font-medium data-[active=true]:text-foreground data-[state=active]:text-foreground [&_svg]:size-4";
