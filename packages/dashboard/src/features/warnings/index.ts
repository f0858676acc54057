export { WarningList } from "./warning-list.tsx";
export { WarningsBell } from "./warnings-bell.tsx";
