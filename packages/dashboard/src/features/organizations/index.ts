export { type Organization, organizationQuery, organizationsQuery, roleOf } from "./queries.ts";
