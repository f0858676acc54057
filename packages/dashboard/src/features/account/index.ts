export { AccountMenu, AccountPanel } from "./account-menu.tsx";
export { OuterFrame } from "./outer-frame.tsx";
