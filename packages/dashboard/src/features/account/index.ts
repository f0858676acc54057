export { AccountMenu, AccountPanel } from "./account-menu.tsx";
export { actingQuery } from "./acting-query.ts";
export { ConnectionBanner } from "./connection-banner.tsx";
export { OuterFrame } from "./outer-frame.tsx";
