export { AccountMenu, AccountPanel } from "./account-menu.tsx";
export { actingQuery } from "./acting-query.ts";
export { OuterFrame } from "./outer-frame.tsx";
