export { AccountMenu, AccountPanel } from "./account-menu.tsx";
export { ConnectionBanner } from "./connection-banner.tsx";
export { OuterFrame } from "./outer-frame.tsx";
