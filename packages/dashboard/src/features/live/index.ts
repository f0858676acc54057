export { LiveBadge } from "./live-badge.tsx";
