/** Screens of which views are kept, by what follows the site in their address. */
const kinds = { "": "report", funnels: "funnel", explore: "query" } as const;
export type ViewKind = (typeof kinds)[keyof typeof kinds];

/** Kind of the views at an address, `/sites/shop/funnels`; undefined where there are none. */
export const kindAt = (path: string): ViewKind | undefined => kinds[(path.split("/")[3] ?? "") as keyof typeof kinds];
