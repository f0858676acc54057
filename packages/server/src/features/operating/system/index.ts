export { type Diagnosis, diagnoseBackups, diagnoseDisk, diagnoseProxy, noMailServer } from "./diagnose.ts";
export { registerSystem } from "./routes.ts";
