/** Screens of which views are kept, by what follows the site in their address. */
const kinds = { "": "report", funnels: "funnel", explore: "query" } as const;
export type ViewKind = (typeof kinds)[keyof typeof kinds];

/** What is kept of the screen at an address, `/sites/shop/funnels`; undefined where nothing is. */
export const kindAt = (path: string): ViewKind | undefined => kinds[(path.split("/")[3] ?? "") as keyof typeof kinds];
