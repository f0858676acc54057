export { accessLog } from "./access-log.ts";
