// One chunk for the browser: users who open one of these screens often open another.
export { NewOrganizationScreen } from "./new-organization-screen.tsx";
export { OrganizationScreen } from "./organization-screen.tsx";
export { OrganizationsScreen } from "./organizations-screen.tsx";
