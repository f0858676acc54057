// One file for the browser: who opens one of them soon opens another.
export { NewOrganizationScreen } from "./new-organization-screen.tsx";
export { OrganizationScreen } from "./organization-screen.tsx";
export { OrganizationsScreen } from "./organizations-screen.tsx";
