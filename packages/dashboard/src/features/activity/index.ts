export { ActivityLog } from "./activity-log.tsx";
